package io.coppice.vasa.event;

/// What happened to an object: `EventConfigTypeEnum` and `EventPolicyTypeEnum` (VASA 2.0).
public enum Change {
  NEW("New"),
  UPDATE("Update"),
  DELETE("Delete");

  private final String wireName;

  Change(String wireName) {
    this.wireName = wireName;
  }

  public String wireName() {
    return wireName;
  }
}
