package io.coppice.engine.check.finding;

/// The error that bytes cannot be checked at all: no pool, or one of an unknown format. The message
/// is one sentence.
public final class NotCheckable extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public NotCheckable(String sentence) {
    super(sentence);
  }
}
