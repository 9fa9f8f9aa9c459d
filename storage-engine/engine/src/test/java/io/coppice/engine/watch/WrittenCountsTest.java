package io.coppice.engine.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.status.WrittenCounts;
import io.coppice.engine.testing.Await;
import io.coppice.engine.testing.PoolFixture;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/// Counts of the writes to the volumes of a pool.
class WrittenCountsTest {

  private static final int BLOCK = 4096;
  private static final long SIZE = 16L << 20;

  @AutoClose private final PoolFixture pool = PoolFixture.ofBytes(64 << 20).zones(1 << 20);
  private RedirectOnWriteEngine engine = pool.format().open();
  private final VolumeId id = VolumeId.random();
  private Volume volume = made(id);
  private final Random random = new Random(1);

  private Volume made(VolumeId of) {
    engine.create(OperationId.random(), new VolumeSpec(of, SIZE, false, Map.of()));
    return engine.open(of);
  }

  private WrittenCounts counts() {
    return engine.written().getOrDefault(id, WrittenCounts.NONE);
  }

  private void write(long block, int blocks, boolean noise) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(blocks * BLOCK);
    byte[] content = new byte[blocks * BLOCK];
    if (noise) {
      random.nextBytes(content);
    } else {
      Arrays.fill(content, (byte) 'a');
    }
    volume.write(block * BLOCK, bytes.put(content).flip());
  }

  @Test
  void aVolumeThatNobodyWritesToIsLeftOut() {
    assertThat(engine.written()).isEmpty();
  }

  @Test
  void blocksThatHadContentAreOverwritten() {
    write(0, 10, true);
    assertThat(counts().written()).isEqualTo(10);
    assertThat(counts().overwritten()).isZero();

    write(5, 10, true);

    assertThat(counts().written()).isEqualTo(20);
    assertThat(counts().overwritten()).isEqualTo(5);
  }

  @Test
  void blocksOfASnapshotAreOverwrittenInTheVolume() {
    write(0, 8, true);
    engine.snapshot(
        OperationId.random(),
        List.of(new SnapshotSpec(id, VolumeId.random(), Map.of())),
        Duration.ofSeconds(10));

    write(0, 8, true);

    assertThat(counts().overwritten()).isEqualTo(8);
    assertThat(engine.written()).containsOnlyKeys(id);
  }

  @Test
  void zerosAndUnmapsTakeContentAway() {
    write(0, 64, true);

    volume.write(0, ByteBuffer.allocateDirect(4 * BLOCK));
    Await.io(end -> volume.unmap(32L * BLOCK, 64L * BLOCK, end));
    Await.io(end -> volume.unmap(1L << 20, 1L << 20, end));

    assertThat(counts().written()).isEqualTo(64);
    assertThat(counts().unmapped()).isEqualTo(4 + 32);
  }

  @Test
  void partsOfABlockCountAsTheBlock() {
    write(0, 1, true);

    volume.write(512, ByteBuffer.allocateDirect(1024).put(0, (byte) 1));

    assertThat(counts().written()).isEqualTo(2);
    assertThat(counts().overwritten()).isEqualTo(1);
  }

  @Test
  void oneOfSixteenBlocksIsASample() {
    for (int i = 0; i < 3200; i++) {
      write(i % 1000, 1, true);
    }

    assertThat(counts().samples()).isBetween(160L, 240L);
    assertThat(counts().entropy() / counts().samples()).isBetween(7500L, 7650L);
  }

  @Test
  void aLongWriteIsSampledOnce() {
    for (int i = 0; i < 50; i++) {
      write(0, 200, false);
    }

    assertThat(counts().samples()).isEqualTo(50);
    assertThat(counts().entropy()).isZero();
  }

  @Test
  void volumesAreCountedApart() {
    VolumeId other = VolumeId.random();
    Volume second = made(other);
    write(0, 3, true);
    second.write(0, ByteBuffer.allocateDirect(BLOCK).put(0, (byte) 1));

    assertThat(engine.written().get(other)).extracting(WrittenCounts::written).isEqualTo(1L);
    assertThat(counts().written()).isEqualTo(3);
  }

  @Test
  void anOpenBeginsAtZero() {
    write(0, 3, true);

    engine = pool.reopen();
    volume = engine.open(id);

    assertThat(engine.written()).isEmpty();
  }
}
