package io.coppice.engine.scrub;

import io.coppice.engine.VolumeId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The progress of scrubbing. The pool keeps it over restarts in the record [#KEY].
///
/// | Component | Meaning |
/// |---|---|
/// | `started` | start of the last pass, milliseconds since 1970; 0: there was none |
/// | `ended` | end of the last pass that came to its end; 0: none did |
/// | `zone` | next zone of the pass that is under way; -1: none is |
/// | `bytes` | bytes that the last pass has verified so far |
/// | `bad` | blocks that were damaged, to be looked at again after a restart; at most 200 |
record ScrubProgress(long started, long ended, int zone, long bytes, List<BadBlock> bad) {

  /// The record: numbers and blocks, separated by spaces, a block as `volume/number`.
  static final String KEY = "engine.scrub";

  static final ScrubProgress NONE = new ScrubProgress(0, 0, -1, 0, List.of());

  private static final int MAX_BAD = 200;

  /// A block of a volume.
  record BadBlock(VolumeId volume, long block) {}

  boolean isUnderWay() {
    return zone >= 0;
  }

  /// [#NONE] if the text is not one of [#text].
  static ScrubProgress parse(String text) {
    try {
      String[] words = text.split(" ");
      List<BadBlock> bad = new ArrayList<>();
      for (int i = 4; i < words.length; i++) {
        String[] parts = words[i].split("/");
        bad.add(new BadBlock(VolumeId.parse(parts[0]), Long.parseUnsignedLong(parts[1])));
      }
      return new ScrubProgress(
          Long.parseLong(words[0]),
          Long.parseLong(words[1]),
          Integer.parseInt(words[2]),
          Long.parseLong(words[3]),
          bad);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return NONE;
    }
  }

  String text() {
    String numbers = "%d %d %d %d".formatted(started, ended, zone, bytes);
    return bad.isEmpty()
        ? numbers
        : bad.stream()
            .limit(MAX_BAD)
            .map(b -> b.volume + "/" + b.block)
            .collect(Collectors.joining(" ", numbers + " ", ""));
  }
}
