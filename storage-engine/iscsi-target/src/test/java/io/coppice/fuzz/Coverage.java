package io.coppice.fuzz;

/// What the instrumented classes report to: which places one input reached, how often, and how many
/// steps that took. Counts the thread that called [#begin] only.
public final class Coverage {

  /// An input took more steps than it may.
  public static final class TooManyStepsException extends Error {
    private static final long serialVersionUID = 1L;

    TooManyStepsException(long limit) {
      super("expected at most %d steps, took more".formatted(limit));
    }
  }

  static final int PLACES = 1 << 16;

  private static final int[] COUNTS = new int[PLACES];
  private static final int[] TOUCHED = new int[PLACES];
  private static int touched;
  private static long steps;
  private static long limit;
  private static volatile long owner = Thread.currentThread().threadId();
  private static boolean on;

  private Coverage() {}

  /// Called by the instrumented classes at each place.
  ///
  /// @param place 0 to 65535
  public static void reach(int place) {
    if (!on || Thread.currentThread().threadId() != owner) {
      return;
    }
    if (COUNTS[place]++ == 0) {
      TOUCHED[touched++] = place;
    }
    if (++steps > limit) {
      on = false;
      throw new TooManyStepsException(limit);
    }
  }

  /// Starts to count the calling thread from nothing.
  static void begin(long stepsMax) {
    for (int i = 0; i < touched; i++) {
      COUNTS[TOUCHED[i]] = 0;
    }
    touched = 0;
    steps = 0;
    limit = stepsMax;
    owner = Thread.currentThread().threadId();
    on = true;
  }

  static void end() {
    on = false;
  }

  /// Marks what was reached since [#begin].
  ///
  /// @param seen for each place the classes of counts that were seen before
  /// @return whether any place was reached that was not, or so often as it was not
  static boolean addTo(byte[] seen) {
    boolean isNew = false;
    for (int i = 0; i < touched; i++) {
      int place = TOUCHED[i];
      int kind = kind(COUNTS[place]);
      if ((seen[place] & kind) == 0) {
        seen[place] |= (byte) kind;
        isNew = true;
      }
    }
    return isNew;
  }

  /// Once, twice, thrice, few, some, many: differences beyond that tell nothing new.
  private static int kind(int count) {
    if (count <= 3) {
      return 1 << count - 1;
    }
    if (count <= 7) {
      return 8;
    }
    if (count <= 15) {
      return 16;
    }
    if (count <= 31) {
      return 32;
    }
    return count <= 127 ? 64 : 128;
  }
}
