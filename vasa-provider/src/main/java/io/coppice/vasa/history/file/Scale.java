package io.coppice.vasa.history.file;

/// A logarithmic scale of 12 bits for figures that are 0 or positive. A figure between 2^-12 and
/// 2^40 comes back within half a percent; one below counts as the smallest, one above as the
/// largest.
public final class Scale {

  private static final int PER_OCTAVE = 78;
  private static final int LOWEST_OCTAVE = -12;
  private static final int LARGEST = 4095;
  private static final double LOG_2 = Math.log(2);
  private static final double[] FIGURES = figures();

  private Scale() {}

  private static double[] figures() {
    double[] figures = new double[LARGEST + 1];
    for (int code = 1; code <= LARGEST; code++) {
      figures[code] = Math.pow(2, (double) (code - 1) / PER_OCTAVE + LOWEST_OCTAVE);
    }
    return figures;
  }

  /// @param figure at least 0
  /// @throws IllegalArgumentException if it is negative or no number
  public static short encode(double figure) {
    if (!(figure >= 0)) {
      throw new IllegalArgumentException("expected a figure of at least 0, got " + figure);
    }
    if (figure == 0) {
      return 0;
    }
    double octave = Math.log(figure) / LOG_2 - LOWEST_OCTAVE;
    return (short) Math.clamp(Math.round(octave * PER_OCTAVE) + 1, 1, LARGEST);
  }

  /// The figure of a code; what no encoder made counts as the largest.
  public static double decode(short code) {
    return FIGURES[Math.min(Short.toUnsignedInt(code), LARGEST)];
  }
}
