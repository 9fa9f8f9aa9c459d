package io.coppice.bench.report;

import java.util.List;
import java.util.Locale;

/// A bar for each figure that has an aim, as its share of the aim on a scale of tenfolds: what
/// reaches the line in the middle is met.
final class Plot {

  private static final int LINE = 22;
  private static final int LABELS = 560;
  private static final int WIDTH = 1040;
  private static final int MIDDLE = (LABELS + WIDTH) / 2;
  private static final int TENFOLD = 200;

  private Plot() {}

  static String of(List<Row> rows) {
    StringBuilder svg = new StringBuilder();
    int y = 40;
    for (Row row : rows) {
      Aim aim = row.aim();
      Double figure = row.figure();
      if (aim != null && figure != null) {
        bar(svg, y, row.work(), figure, aim);
        y += LINE;
      }
    }
    return """
    <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">
    <rect width="100%%" height="100%%" fill="white"/>
    <text x="%d" y="20" text-anchor="middle">0.1 | the aim | 10</text>
    %s<line x1="%d" y1="28" x2="%d" y2="%d" stroke="black"/>
    </svg>
    """
        .formatted(WIDTH + 90, y + 10, MIDDLE, svg, MIDDLE, MIDDLE, y);
  }

  private static void bar(StringBuilder svg, int y, String work, double figure, Aim aim) {
    double tenfolds = Math.log10(Math.max(aim.share(figure), 0.06));
    double to = MIDDLE + Math.min(tenfolds, 1.2) * TENFOLD;
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>"
                + "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>"
                + "<text x=\"%d\" y=\"%d\">%.3g (%s)</text>%n",
            LABELS - 8,
            y + 12,
            escaped(work),
            Math.min(to, MIDDLE),
            y,
            Math.max(1, Math.abs(to - MIDDLE)),
            LINE - 6,
            aim.isMetBy(figure) ? "#2a7" : "#c33",
            WIDTH - 60,
            y + 12,
            figure,
            aim));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
