package io.coppice.cli.output;

/// The progress of something long: a bar on a terminal, else a line whenever it has changed.
public final class ProgressLine {

  private static final int CELLS = 30;

  private final Surroundings surroundings;
  private final String subject;
  private int last = -1;

  /// @param subject what is going on, safe for a terminal
  public ProgressLine(Surroundings surroundings, String subject) {
    this.surroundings = surroundings;
    this.subject = subject;
  }

  /// @param percent 0 to 100
  public void show(int percent) {
    if (percent == last) {
      return;
    }
    last = percent;
    if (surroundings.terminal()) {
      int full = Math.clamp(percent, 0, 100) * CELLS / 100;
      surroundings
          .err()
          .printf(
              "\r%s [%s%s] %3d %%", subject, "#".repeat(full), ".".repeat(CELLS - full), percent);
    } else {
      surroundings.err().printf("%s: %d %%%n", subject, percent);
    }
    surroundings.err().flush();
  }

  /// Ends the bar, if one was shown.
  public void end() {
    if (surroundings.terminal() && last >= 0) {
      surroundings.err().println();
    }
  }
}
