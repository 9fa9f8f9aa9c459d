package io.coppice.engine.check.finding;

/// The bytes cannot be checked at all: no pool, or one of a format that is not known. The message
/// is one sentence.
public final class NotCheckable extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public NotCheckable(String sentence) {
    super(sentence);
  }
}
