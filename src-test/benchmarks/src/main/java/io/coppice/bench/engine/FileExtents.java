package io.coppice.bench.engine;

import io.coppice.harness.Mismatch;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The extents of a file as `filefrag -b4096 -v` prints what FIEMAP says.
final class FileExtents {

  private static final int BLOCK = 4096;
  private static final Pattern EXTENT =
      Pattern.compile("\\s*\\d+:\\s+(\\d+)\\.\\.\\s*\\d+:\\s+\\d+\\.\\.\\s*\\d+:\\s+(\\d+):(.*)");

  private FileExtents() {}

  /// Bytes of a file.
  record Range(long offset, long length) {}

  /// Those that no other file has.
  ///
  /// @throws Mismatch if there is no extent in the text
  static List<Range> notShared(String printed) {
    List<Range> found = new ArrayList<>();
    boolean isPrinted = false;
    for (String line : printed.lines().toList()) {
      Matcher extent = EXTENT.matcher(line);
      if (extent.matches()) {
        isPrinted = true;
        if (!extent.group(3).contains("shared")) {
          found.add(
              new Range(
                  Long.parseLong(extent.group(1)) * BLOCK,
                  Long.parseLong(extent.group(2)) * BLOCK));
        }
      }
    }
    if (!isPrinted) {
      throw new Mismatch("expected extents of a file, got " + printed);
    }
    return found;
  }
}
