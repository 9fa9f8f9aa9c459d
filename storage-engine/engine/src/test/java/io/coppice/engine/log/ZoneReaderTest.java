package io.coppice.engine.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.ForwardingDevice;
import io.coppice.engine.device.mirror.Mirror;
import io.coppice.engine.format.Checksum;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A zone is read of a device of a mirror that is left out before anybody looks at what was read.
class ZoneReaderTest {

  private static final UUID POOL = new UUID(7, 7);
  private static final int ZONE = 256 << 10;
  private static final int SEGMENT = 5;
  private static final int ORIGIN = 3;
  private static final int PIECE = 10;
  private static final int BLOCK = PoolLayout.BLOCK;
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.EPOCH);

  private final SimulatedBlockDevice first =
      new SimulatedBlockDevice(PoolLayout.zoneOffset(1, ZONE));
  private final SimulatedBlockDevice second =
      new SimulatedBlockDevice(PoolLayout.zoneOffset(1, ZONE));
  private final Mirror mirror = new Mirror(new LeftOutWhenRead(), second);

  /// The first device: when it has been read the mirror is synced, and that fails here.
  private final class LeftOutWhenRead extends ForwardingDevice {

    LeftOutWhenRead() {
      super(first);
    }

    @Override
    public void read(long offset, ByteBuffer into) {
      super.read(offset, into);
      first.failSyncs(1);
      mirror.sync();
    }
  }

  @BeforeEach
  void storeTwoPieces() {
    mirror.keptBy((_, _) -> {});
    SurvivorWriter writer = new SurvivorWriter(mirror, POOL, ZONE, CLOCK);
    writer.write(new SurvivorRoom(SEGMENT, 0, 0), blocks(0));
    writer.write(new SurvivorRoom(SEGMENT, 0, 1 + PIECE), blocks(PIECE));
  }

  @AfterEach
  void close() {
    mirror.close();
  }

  private static List<ZoneBlock> blocks(int from) {
    List<ZoneBlock> blocks = new ArrayList<>();
    for (int block = from; block < from + PIECE; block++) {
      ByteBuffer content = content(block);
      int crc = new Checksum().of(content, 0, BLOCK);
      blocks.add(new ZoneBlock(ORIGIN, block, -1, crc, true, content));
    }
    return blocks;
  }

  private static ByteBuffer content(int block) {
    ByteBuffer content = AlignedBuffers.allocate(BLOCK);
    SplittableRandom random = new SplittableRandom(block);
    while (content.hasRemaining()) {
      content.putLong(random.nextLong());
    }
    return content.flip();
  }

  @Test
  void aBlockThatIsDamagedThereIsTakenFromTheOneThatIsLeft() {
    damage(1 + 4);

    assertAllIsRead();
  }

  @Test
  void aHeaderThatIsDamagedThereIsTakenFromTheOneThatIsLeft() {
    damage(1 + PIECE);

    assertAllIsRead();
  }

  @Test
  void whatTheOneThatIsLeftHasDamagedTooIsSaidToBe() {
    damage(1 + 4);
    second.flipBit(PoolLayout.zoneOffset(0, ZONE) + (1 + 4) * BLOCK + 700, 2);

    List<ZoneBlock> read = read();
    assertThat(read).hasSize(2 * PIECE);
    assertThat(read).filteredOn(block -> !block.intact()).hasSize(1);
    assertThat(read.get(4).intact()).isFalse();
  }

  /// A block of the zone, on the first device.
  private void damage(int block) {
    first.flipBit(PoolLayout.zoneOffset(0, ZONE) + (long) block * BLOCK + 100, 3);
  }

  private List<ZoneBlock> read() {
    List<ZoneBlock> read = new ZoneReader(mirror, POOL, ZONE, (_, _) -> {}).read(0, SEGMENT);
    assertThat(mirror.copies()).as("the first one was left out").hasSize(1);
    return read;
  }

  private void assertAllIsRead() {
    List<ZoneBlock> read = read();
    assertThat(read).hasSize(2 * PIECE);
    for (int block = 0; block < read.size(); block++) {
      ZoneBlock found = read.get(block);
      assertThat(found.block()).isEqualTo(block);
      assertThat(found.intact()).as("block %d", block).isTrue();
      assertThat(found.content()).isEqualTo(content(block));
    }
  }
}
