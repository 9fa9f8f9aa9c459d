package io.coppice.engine.format;

/// A structure on the device is not what it must be: what was expected, what was found, and where.
public final class FormatException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public FormatException(String message) {
    super(message);
  }
}
