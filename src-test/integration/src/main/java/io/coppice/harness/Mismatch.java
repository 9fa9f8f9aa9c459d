package io.coppice.harness;

/// The first thing that differed from what it had to be: what was expected and what came.
public final class Mismatch extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public Mismatch(String message) {
    super(message);
  }

  public Mismatch(String message, Throwable cause) {
    super(message, cause);
  }
}
