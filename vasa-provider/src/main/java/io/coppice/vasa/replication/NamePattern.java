package io.coppice.vasa.replication;

import io.coppice.vasa.fault.VasaException;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// A regular expression for whole names that a client sent. Its length is bounded, and so is the
/// cost of a comparison with it, since some expressions take exponentially long.
public final class NamePattern {

  /// Most characters of an expression.
  static final int MOST_CHARACTERS = 256;

  /// Most characters that one comparison looks at, repeated looks included.
  private static final int MOST_LOOKS = 100_000;

  private final Pattern pattern;

  private NamePattern(Pattern pattern) {
    this.pattern = pattern;
  }

  /// @throws VasaException (InvalidArgument) if it is no expression, or too long
  public static NamePattern of(String text) {
    if (text.length() > MOST_CHARACTERS) {
      throw VasaException.invalidArgument(
          "expected a regular expression of at most %d characters, got %d"
              .formatted(MOST_CHARACTERS, text.length()));
    }
    try {
      return new NamePattern(Pattern.compile(text));
    } catch (PatternSyntaxException e) {
      throw VasaException.invalidArgument(
          "expected a regular expression, got one with this flaw at character %d: %s"
              .formatted(e.getIndex() + 1, e.getDescription()));
    }
  }

  /// Whether the expression matches a whole name.
  ///
  /// @throws VasaException (InvalidArgument) if that cannot be decided in bounded time
  public boolean matches(String name) {
    try {
      return pattern.matcher(new Counted(name, new int[] {MOST_LOOKS})).matches();
    } catch (TooLongException | StackOverflowError _) {
      throw VasaException.invalidArgument(
          "expected a regular expression that can be compared in bounded time, got " + pattern);
    }
  }

  @Override
  public String toString() {
    return pattern.pattern();
  }

  private static final class TooLongException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooLongException() {
      super(null, null, false, false);
    }
  }

  /// A text of which only so many characters may be looked at.
  private record Counted(CharSequence text, int[] left) implements CharSequence {

    @Override
    public char charAt(int index) {
      if (--left[0] < 0) {
        throw new TooLongException();
      }
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return new Counted(text.subSequence(start, end), left);
    }

    @Override
    public String toString() {
      return text.toString();
    }
  }
}
