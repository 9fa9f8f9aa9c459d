package io.coppice.vasa.policy;

/// The way in which a volume gets its space.
public enum SpaceEfficiency {
  /// Space is given as blocks are written.
  THIN("Thin"),
  /// Space is set aside for every block.
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
