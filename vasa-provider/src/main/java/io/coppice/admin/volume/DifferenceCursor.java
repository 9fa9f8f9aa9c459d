package io.coppice.admin.volume;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.range.DifferencePart;
import io.coppice.vasa.volume.copy.Comparisons;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A place between two parts of a comparison, as REST writes it. It belongs to one comparison.
///
/// @param cells of a map; 0 for ranges
/// @param size over which the cells lie, in bytes; 0 for ranges
record DifferenceCursor(Comparisons.Pair pair, int cells, DifferencePart.Place place, long size) {

  private static final String ID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
  private static final Pattern TEXT =
      Pattern.compile(
          "(%s) (%s|-) (\\d{1,4}) (\\d{1,18}) (\\d{1,10}) (\\d{1,10}) (\\d{1,14})"
              .formatted(ID, ID));
  private static final int BLOCK = 4096;

  /// The largest volume, in bytes.
  private static final long LARGEST = 1L << 46;

  String text() {
    String text =
        "%s %s %d %d %d %d %d"
            .formatted(
                pair.of(),
                other(pair),
                cells,
                place.offset(),
                place.version(),
                place.baseVersion(),
                size);
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String other(Comparisons.Pair pair) {
    VolumeId since = pair.since();
    return since == null ? "-" : since.toString();
  }

  /// The place that a client names.
  ///
  /// @param cells of the map that it asks for; 0 for ranges
  /// @throws RequestRejectedException if the cursor is none, or belongs to another comparison
  static DifferenceCursor parse(String cursor, Comparisons.Pair pair, int cells) {
    Matcher parts = TEXT.matcher(decoded(cursor));
    if (!parts.matches()) {
      throw notACursor(cursor);
    }
    String wanted = "%s %s %d".formatted(pair.of(), other(pair), cells);
    String got = "%s %s %s".formatted(parts.group(1), parts.group(2), parts.group(3));
    if (!got.equals(wanted)) {
      throw RequestRejectedException.field(
          "cursor",
          "expected the 'next' of an earlier part of this comparison, got one of %s since %s, %s"
              .formatted(
                  parts.group(1),
                  parts.group(2),
                  parts.group(3).equals("0") ? "ranges" : parts.group(3) + " cells"));
    }
    long offset = Long.parseLong(parts.group(4));
    long version = Long.parseLong(parts.group(5));
    long baseVersion = Long.parseLong(parts.group(6));
    long size = Long.parseLong(parts.group(7));
    if (offset % BLOCK != 0
        || Math.max(version, baseVersion) > Integer.MAX_VALUE
        || size > LARGEST
        || (cells > 0 && size == 0)) {
      throw notACursor(cursor);
    }
    return new DifferenceCursor(
        pair, cells, new DifferencePart.Place(offset, (int) version, (int) baseVersion), size);
  }

  private static String decoded(String cursor) {
    try {
      return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
    } catch (IllegalArgumentException e) {
      throw notACursor(cursor);
    }
  }

  private static RequestRejectedException notACursor(String cursor) {
    return RequestRejectedException.field(
        "cursor", "expected the 'next' of an earlier part, got '%s'".formatted(cursor));
  }
}
