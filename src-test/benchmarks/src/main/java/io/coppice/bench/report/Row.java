package io.coppice.bench.report;

import io.coppice.kit.Markdown;
import org.jspecify.annotations.Nullable;

/// One row of the report; what does not apply is empty.
///
/// | Component | Meaning |
/// |---|---|
/// | `work` | what was done |
/// | `ours` | what the engine did, with its range and unit |
/// | `baseline` | what it is held against did, with its range |
/// | `figure` | what is judged: most often the ratio of the two; absent if nothing is |
/// | `aim` | what the figure is to be, absent if there is no aim |
/// | `device` | bytes that reached the device per byte written, of both |
/// | `cpu` | CPU time of each I/O, of both |
public record Row(
    String work,
    String ours,
    String baseline,
    @Nullable Double figure,
    @Nullable Aim aim,
    String device,
    String cpu) {

  static final String HEADER =
      Markdown.header(
          "Work",
          "Engine (range)",
          "Baseline (range)",
          "Figure",
          "Aim",
          "Met",
          "Device bytes per byte",
          "CPU per I/O");

  public static Row of(String work, String ours) {
    return new Row(work, ours, "", null, null, "", "");
  }

  /// A row without figures: why there are none.
  public static Row notMeasured(String work, String why) {
    return of(work, "not measured: " + why);
  }

  public Row against(String other) {
    return new Row(work, ours, other, figure, aim, device, cpu);
  }

  public Row figure(double value) {
    return new Row(work, ours, baseline, value, aim, device, cpu);
  }

  public Row judged(double value, Aim bound) {
    return new Row(work, ours, baseline, value, bound, device, cpu);
  }

  public Row device(String text) {
    return new Row(work, ours, baseline, figure, aim, text, cpu);
  }

  public Row cpu(String text) {
    return new Row(work, ours, baseline, figure, aim, device, text);
  }

  /// A line of a Markdown table with the columns of [#HEADER].
  public String markdown() {
    String met = figure == null || aim == null ? "" : aim.isMetBy(figure) ? "met" : "**lost**";
    return Markdown.row(
        work,
        ours,
        baseline,
        figure == null ? "" : shown(figure),
        aim == null ? "" : aim.toString(),
        met,
        device,
        cpu);
  }

  // So that a figure is never shown as meeting an aim that it misses by a hair.
  private static String shown(double value) {
    return Math.abs(value) >= 100 ? "%.0f".formatted(value) : "%.3g".formatted(value);
  }
}
