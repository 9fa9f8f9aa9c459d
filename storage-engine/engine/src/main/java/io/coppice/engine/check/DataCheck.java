package io.coppice.engine.check;

import io.coppice.engine.check.finding.FindingLocation;
import io.coppice.engine.check.finding.Findings;
import io.coppice.engine.check.finding.Structure;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.Checksum;
import io.coppice.engine.format.NodeImage;
import io.coppice.engine.format.PoolLayout;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The check of blocks of data against the CRCs in the entries that name them, read in runs.
final class DataCheck {

  private static final int MAX_RUN = PoolReader.WINDOW / PoolLayout.BLOCK;

  private final PoolReader reader;
  private final Findings findings;
  private final SegmentMap segments;
  private final boolean fast;
  private final Checksum checksum = new Checksum();
  private long blocks;

  /// @param fast looks at nothing
  DataCheck(PoolReader reader, Findings findings, SegmentMap segments, boolean fast) {
    this.reader = reader;
    this.findings = findings;
    this.segments = segments;
    this.fast = fast;
  }

  /// Blocks read.
  long blocks() {
    return blocks;
  }

  /// Checks the chosen entries of a leaf whose address is one of the pool.
  void check(NodeImage leaf, boolean[] chosen, @Nullable UUID volume) {
    int i = 0;
    while (!fast && i < chosen.length) {
      long offset = chosen[i] ? segments.offsetOf(leaf.addresses()[i]) : -1;
      if (offset < 0 || BlockAddress.blocks(leaf.addresses()[i]) != 1) {
        i++;
        continue;
      }
      int run = 1;
      while (i + run < chosen.length
          && run < MAX_RUN
          && chosen[i + run]
          && BlockAddress.blocks(leaf.addresses()[i + run]) == 1
          && segments.offsetOf(leaf.addresses()[i + run])
              == offset + (long) run * PoolLayout.BLOCK) {
        run++;
      }
      checkRun(leaf, i, run, offset, volume);
      i += run;
    }
  }

  private void checkRun(NodeImage leaf, int from, int run, long offset, @Nullable UUID volume) {
    FindingLocation start = where(offset, volume, leaf.firstBlock() + leaf.indexes()[from]);
    ByteBuffer bytes = run > 1 ? reader.tryRead(offset, run * PoolLayout.BLOCK) : null;
    if (bytes == null && run > 1) {
      for (int i = 0; i < run; i++) {
        checkRun(leaf, from + i, 1, offset + (long) i * PoolLayout.BLOCK, volume);
      }
      return;
    }
    if (bytes == null) {
      bytes = reader.read(offset, PoolLayout.BLOCK, Structure.BLOCK, start);
    }
    if (bytes == null) {
      return;
    }
    blocks += run;
    for (int i = 0; i < run; i++) {
      int found = checksum.of(bytes, i * PoolLayout.BLOCK, PoolLayout.BLOCK);
      int expected = leaf.crcs()[from + i];
      if (found != expected) {
        findings.damage(
            Structure.BLOCK,
            where(
                offset + (long) i * PoolLayout.BLOCK,
                volume,
                leaf.firstBlock() + leaf.indexes()[from + i]),
            "expected data with CRC %08x, found %08x".formatted(expected, found));
      }
    }
  }

  private FindingLocation where(long offset, @Nullable UUID volume, long block) {
    return new FindingLocation(reader.zoneOf(offset), offset, volume, 8 * block);
  }
}
