package io.coppice.vasa.event;

/// The kind of a change to an object: `EventConfigTypeEnum` and `EventPolicyTypeEnum` (VASA 2.0).
public enum ChangeKind {
  NEW("New"),
  UPDATE("Update"),
  DELETE("Delete");

  private final String wireName;

  ChangeKind(String wireName) {
    this.wireName = wireName;
  }

  public String wireName() {
    return wireName;
  }
}
