package io.coppice.bench.report;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A report of measurements, as Markdown: printed as it comes, and kept in `engine.md` with a plot
/// of all that has an aim in `engine.svg`, both written anew with each row.
public final class Report {

  private final PrintStream out;
  private final Path folder;
  private final StringBuilder text = new StringBuilder();
  private final List<Row> rows = new ArrayList<>();
  private boolean inTable;

  public Report(PrintStream out, Path folder) {
    this.out = out;
    this.folder = folder;
  }

  /// Begins a group.
  ///
  /// @param how what stands above its table: how it was measured
  public void group(String title, String how) {
    inTable = false;
    say("\n### %s\n\n%s\n".formatted(title, how));
  }

  public void row(Row row) {
    if (!inTable) {
      say("\n" + Row.HEADER);
      inTable = true;
    }
    rows.add(row);
    say(row.markdown());
    write();
  }

  /// A sentence below the rows so far.
  public void note(String sentence) {
    inTable = false;
    say("\n" + sentence + "\n");
    write();
  }

  /// What goes on, for the one who waits; not part of the report.
  public void progress(String what) {
    System.err.println(what);
  }

  private void say(String piece) {
    text.append(piece);
    out.print(piece);
    out.flush();
  }

  private void write() {
    try {
      Files.createDirectories(folder);
      Files.writeString(markdown(), text);
      Files.writeString(plot(), Plot.of(rows));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Path markdown() {
    return folder.resolve("engine.md");
  }

  public Path plot() {
    return folder.resolve("engine.svg");
  }
}
