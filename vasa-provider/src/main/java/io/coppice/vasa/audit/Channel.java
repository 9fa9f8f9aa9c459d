package io.coppice.vasa.audit;

/// The way on which a call came.
public enum Channel {
  /// REST, and the command line, which is its client.
  REST("rest"),
  /// vCenter or a host.
  VASA("vasa"),
  /// A tool that works beside the provider, such as `restore`.
  TOOL("tool"),
  /// The provider itself, about its own trail.
  COPPICE("coppice");

  private final String text;

  Channel(String text) {
    this.text = text;
  }

  public String text() {
    return text;
  }

  /// The channel of a text.
  ///
  /// @throws IllegalArgumentException if there is none
  public static Channel parse(String text) {
    for (Channel one : values()) {
      if (one.text.equals(text)) {
        return one;
      }
    }
    throw new IllegalArgumentException(
        "expected rest, vasa, tool or coppice, got '%s'".formatted(text));
  }
}
