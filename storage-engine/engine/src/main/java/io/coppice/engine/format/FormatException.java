package io.coppice.engine.format;

/// The error that a structure on the device is wrong: what was expected, what was found, and where.
public final class FormatException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public FormatException(String message) {
    super(message);
  }
}
