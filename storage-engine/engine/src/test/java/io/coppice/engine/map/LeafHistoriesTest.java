package io.coppice.engine.map;

import io.coppice.engine.testing.Histories;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/// A leaf that the committer writes in place while readers copy entries under its stamp: every copy
/// is what the leaf held at one moment.
public class LeafHistoriesTest {

  private static final int ENTRIES = 3;
  private static final LeafMemory MEMORY = new LeafMemory(); // 8 KiB of it for each history

  private final Leaf leaf = new Leaf(1, 1, MEMORY);

  @Operation(nonParallelGroup = "committer")
  public void write(@Param(gen = IntGen.class, conf = "1:9") int number) {
    leaf.beginWrite();
    for (int i = 0; i < ENTRIES; i++) {
      leaf.set(i, number, number, number);
    }
    leaf.endWrite();
  }

  @Operation
  public List<Long> read() {
    MapEntries target = new MapEntries().aim(0, ENTRIES);
    leaf.read(0, ENTRIES, target, 0);
    List<Long> found = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      found.add(target.address(i));
      found.add((long) target.crc(i));
    }
    return found;
  }

  /// One number at a time in all entries.
  public static final class OneAtATime {
    private long number;

    public void write(int written) {
      number = written;
    }

    public List<Long> read() {
      return Collections.nCopies(2 * ENTRIES, number);
    }
  }

  @Test
  void aReaderCopiesWhatTheLeafHeldAtOneMoment() {
    Histories.check(LeafHistoriesTest.class, OneAtATime.class);
  }
}
