package io.coppice.vasa.policy;

/// How space is given to a volume.
public enum SpaceEfficiency {
  /// As it is written.
  THIN("Thin"),
  /// Set aside for every block.
  THICK("Thick");

  private final String text;

  SpaceEfficiency(String text) {
    this.text = text;
  }

  /// The value in profiles.
  public String text() {
    return text;
  }
}
