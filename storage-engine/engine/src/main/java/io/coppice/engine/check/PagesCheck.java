package io.coppice.engine.check;

import io.coppice.engine.check.finding.Findings;
import io.coppice.engine.check.finding.Structure;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.PageImage;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.table.PageRow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The check of the last table, of the segments of the log. Both copies of a page must be intact. A
/// row's numbers must be those of its page and its changes, the zones of its steps those of its
/// moved blocks. Living blocks are noted, for the comparison with the maps.
final class PagesCheck {

  private static final int AT_HOME = -1;

  private final PoolReader reader;
  private final Findings findings;
  private final SegmentMap segments;
  private final Map<Integer, Integer> guests = new HashMap<>(); // by zone
  private final Set<Integer> seen = new HashSet<>();

  PagesCheck(PoolReader reader, Findings findings, SegmentMap segments) {
    this.reader = reader;
    this.findings = findings;
    this.segments = segments;
  }

  /// Runs after the segments and before the maps.
  void run(Tables tables) {
    for (PageRow row : tables.pages()) {
      int segment = row.counts().segment();
      PageImage content = contentOf(row);
      if (!seen.add(segment) || segments.isMeta(segment)) {
        damage(row, "expected one row for a segment of the log, found another");
      } else if (content != null) {
        BitSet alive = alive(row, content);
        if (!alive.isEmpty()) {
          tables.alive().put(segment, alive);
        }
      }
    }
    for (PageRow row : tables.pages()) {
      int expected = row.counts().guests();
      int found = guests.getOrDefault(segments.zoneOf(row.counts().segment()), 0);
      if (found != expected) {
        damage(row, "expected %d guests, found %d".formatted(expected, found));
      }
    }
  }

  private @Nullable PageImage contentOf(PageRow row) {
    return switch (row) {
      case PageRow.Here here -> here.content();
      case PageRow.Stored stored -> page(stored);
    };
  }

  /// The living blocks of a row.
  private BitSet alive(PageRow row, PageImage content) {
    PageRow.Counts counts = row.counts();
    BitSet alive = BitSet.valueOf(content.alive());
    if (row instanceof PageRow.Stored stored) {
      alive.xor(BitSet.valueOf(stored.changes()));
    }
    BitSet moved = BitSet.valueOf(content.moved());
    int n = 0;
    int movedAlive = 0;
    for (int block = moved.nextSetBit(0); block >= 0; block = moved.nextSetBit(block + 1)) {
      long place = content.places()[n++];
      if (alive.get(block)) {
        movedAlive++;
        int zone = (int) (place / reader.blocksPerZone());
        guests.merge(zone, 1, Integer::sum);
        segments.loadMoved(counts.segment(), block, place, segments.whereOf(counts.segment()));
      }
    }
    if (alive.cardinality() != counts.live() || movedAlive != counts.moved()) {
      damage(
          row,
          "expected %d living blocks, %d of them moved, found %d and %d"
              .formatted(counts.live(), counts.moved(), alive.cardinality(), movedAlive));
    }
    if (row instanceof PageRow.Stored stored) {
      steps(stored, content, alive, moved);
    }
    return alive;
  }

  /// Checks that every living block lies in the zone of its step.
  private void steps(PageRow.Stored row, PageImage content, BitSet alive, BitSet moved) {
    int n = 0;
    for (int block = 0; block < reader.blocksPerZone(); block++) {
      int zone =
          moved.get(block) ? (int) (content.places()[n++] / reader.blocksPerZone()) : AT_HOME;
      if (alive.get(block) && zone != step(row.steps(), block)) {
        damage(
            row,
            "expected block %d in zone %d by its step, found it in zone %d"
                .formatted(block, step(row.steps(), block), zone));
        return;
      }
    }
  }

  private static int step(int[] steps, int block) {
    int zone = AT_HOME;
    for (int i = 0; i < steps.length && steps[i] <= block; i += 2) {
      zone = steps[i + 1];
    }
    return zone;
  }

  private @Nullable PageImage page(PageRow.Stored row) {
    long address = row.page().address();
    String refusal = segments.refusal(address, true);
    if (refusal == null && !segments.placeNode(address)) {
      refusal = "expected blocks that nothing else uses, found them in use";
    }
    if (refusal != null) {
      damage(row, refusal);
      return null;
    }
    List<String> problems = new ArrayList<>();
    PageImage page = copy(row, segments.offsetOf(address), problems);
    long twin = segments.twinOffsetOf(address);
    if (twin >= 0) {
      PageImage second = copy(row, twin, problems);
      page = page == null ? second : page;
    }
    for (String problem : problems) {
      if (page == null) {
        damage(row, problem);
      } else {
        findings.warning(
            Structure.SEGMENT, segments.where(address), "one of two copies: " + problem);
      }
    }
    return page;
  }

  private @Nullable PageImage copy(PageRow.Stored row, long offset, List<String> problems) {
    long address = row.page().address();
    try {
      ByteBuffer bytes = reader.read(offset, BlockAddress.blocks(address) * PoolLayout.BLOCK);
      return PageImage.decode(
          bytes,
          reader.pool(),
          address,
          row.page().crc(),
          row.counts().segment(),
          reader.blocksPerZone());
    } catch (FormatException | DeviceException e) {
      problems.add("%s (read at offset %d)".formatted(e.getMessage(), offset));
      return null;
    }
  }

  private void damage(PageRow row, String sentence) {
    int segment = row.counts().segment();
    findings.damage(
        Structure.SEGMENT,
        segments.whereOf(segment),
        "segment %d: %s".formatted(segment, sentence));
  }
}
