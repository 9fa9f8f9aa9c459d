package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.StructureHeader;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.QuietEngine;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// The end of a log whose headers rotted: whatever one header that is lost leads to, what follows
/// it was acknowledged, and is never taken for nothing.
@Timeout(120)
@ExtendWith(QuietEngine.class)
class LogEndTest {

  private static final int BLOCK = 4096;
  private static final VolumeId VOLUME = new VolumeId(new UUID(0, 7));

  private final PoolFixture pool = PoolFixture.ofBytes(16 << 20);
  private final SimulatedBlockDevice device = pool.device();

  /// A batch where it stands.
  private record Stored(long offset, long seq, int blocks, int headerBlocks) {

    long zone() {
      return (offset - PoolLayout.SUPERBLOCK_AREA) / PoolFixture.ZONE;
    }
  }

  private RedirectOnWriteEngine create() {
    RedirectOnWriteEngine engine = pool.format().open();
    engine.create(OperationId.random(), VolumeSpec.thin(VOLUME, 8L << 20));
    return engine;
  }

  private static void write(StorageEngine engine, int block, int blocks) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(blocks * BLOCK);
    while (bytes.hasRemaining()) {
      bytes.putLong(block + 1L);
    }
    Await.io(done -> engine.open(VOLUME).write((long) block * BLOCK, bytes.flip(), done));
  }

  private List<Stored> batches() {
    List<Stored> batches = new ArrayList<>();
    for (long offset : device.structures(StructureHeader.BATCH)) {
      ByteBuffer header = ByteBuffer.allocate(BLOCK).order(ByteOrder.LITTLE_ENDIAN);
      device.read(offset, header);
      int headers = header.getInt(72);
      batches.add(new Stored(offset, header.getLong(48), headers + header.getInt(76), headers));
    }
    batches.sort(Comparator.comparingLong(Stored::seq));
    return batches;
  }

  /// A zone of two batches, a block of the first one and the header of the second one: neither then
  /// says that a batch in the next zone follows.
  @Test
  void aBatchWhoseBlockRottedIsNotTakenForTheLastOneIfTheHeaderBehindItRottedToo() {
    RedirectOnWriteEngine engine = create();
    long zone = batches().getLast().zone();
    while (batches().getLast().zone() == zone) {
      write(engine, 0, 1);
    }
    int blocks = PoolFixture.ZONE / BLOCK;
    Stored begun = batches().getLast();
    write(engine, 0, blocks - begun.blocks() - 1); // fills that zone
    write(engine, 100, 40);
    write(engine, 200, blocks - 42);
    write(engine, 300, 1);
    List<Stored> batches = batches();
    engine.abandon();
    Stored last = batches.get(batches.size() - 2);
    Stored before = batches.get(batches.size() - 3);
    assertThat(before.blocks() + last.blocks()).as("a zone of two batches").isEqualTo(blocks);
    assertThat(before.zone()).as("the zone of both").isEqualTo(last.zone());
    device.flipBit(last.offset() + 100, 3);
    device.flipBit(before.offset() + (long) before.headerBlocks() * BLOCK, 3);

    assertThatThrownBy(pool::open)
        .isInstanceOf(StorageException.Damaged.class)
        .hasMessageContaining("found it damaged although batch");
  }

  /// A batch as large as a zone would be the only one that names the zone behind it.
  @Test
  void noHeaderThatRotsIsTakenForTheEndOfALogOfBatchesAsLargeAsZones() {
    RedirectOnWriteEngine engine = create();
    for (int i = 0; i < 6; i++) {
      write(engine, i * 100, 100);
    }
    engine.abandon();
    List<Stored> batches = batches();
    assertThat(batches.stream().map(Stored::zone).distinct().count()).isGreaterThan(5);
    for (Stored lost : batches.subList(0, batches.size() - 1)) {
      device.flipBit(lost.offset() + 100, 3);

      assertThatThrownBy(() -> pool.open().abandon())
          .as("without the header of batch %d of %d", lost.seq(), batches.getLast().seq())
          .isInstanceOf(StorageException.Damaged.class);

      device.flipBit(lost.offset() + 100, 3);
    }
    pool.open().close();
  }
}
