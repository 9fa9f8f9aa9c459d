package io.coppice.scsi;

import static io.coppice.scsi.Fixture.LUN_0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.Await;
import io.coppice.scsi.Initiator.Reply;
import io.coppice.scsi.setting.ScsiSettings;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// A pool of the real engine that locked snapshots of one volume fill: writes that need space are
/// refused as in any full pool, reads go on, and nothing that is locked goes. What is not locked
/// gives its space to writes again.
class FullOfLocksTest {

  private static final String LUN_1 = "0001000000000000";
  private static final int LAP = 4 << 20;
  private static final int STEP = 128 << 10;
  private static final int BLOCKS = STEP / 512;

  private final Fixture fixture = new Fixture(SmallPools.open(), ScsiSettings.defaults());
  private final VolumeId volume = fixture.exported(LAP);
  private final VolumeId other = fixture.exported(LAP);
  private final Initiator host = fixture.plain();
  private final List<VolumeId> locked = new ArrayList<>();
  private long steps;

  @Test
  void writesAreRefusedReadsGoOnAndNothingLockedGoes() {
    host.settle(LUN_1);
    assertThat(write(LUN_1, 0, content(1_000_000)).code()).isEmpty();

    int ofLap = fill();

    assertThat(locked).hasSizeGreaterThan(3);
    requireKept();
    assertThat(read(LUN_0, 0)).as("the volume itself").isEqualTo(content(newest(0, ofLap)));
    for (VolumeId snapshot : locked) {
      assertThatThrownBy(() -> fixture.engine.delete(Fixture.op(), snapshot))
          .isInstanceOf(StorageException.Locked.class);
    }
    unmap(LUN_1);
    assertThat(writeInTime(LUN_1, content(7))).as("what was not locked made room").isTrue();
    assertThat(read(LUN_1, 0)).isEqualTo(content(7));
    requireKept();
    fixture.engine.delete(Fixture.op(), unlocked());
    requireKept();
    fixture.close();
  }

  /// Writes laps with a locked snapshot after each until a write is refused.
  ///
  /// @return how many steps of the last lap were written
  private int fill() {
    while (true) {
      for (int step = 0; step < LAP / STEP; step++) {
        Reply reply = write(LUN_0, (long) step * BLOCKS, content(steps));
        if (!reply.code().isEmpty()) {
          assertThat(reply.code()).isEqualTo("7/27/07");
          return step;
        }
        steps++;
      }
      locked.add(snapshot(true));
    }
  }

  /// The number of the content that a step of the volume has.
  private long newest(int step, int ofLap) {
    long lap = step < ofLap ? steps - ofLap : steps - ofLap - LAP / STEP;
    return lap + step;
  }

  private VolumeId snapshot(boolean lock) {
    VolumeId snapshot = VolumeId.random();
    fixture.engine.snapshot(
        Fixture.op(),
        List.of(new SnapshotSpec(volume, snapshot, Map.of())),
        Duration.ofSeconds(10));
    if (lock) {
      fixture
          .engine
          .locks()
          .lock(Fixture.op(), snapshot, fixture.engine.locks().now().plus(Duration.ofDays(7)));
    }
    return snapshot;
  }

  private VolumeId unlocked() {
    return snapshot(false);
  }

  private void requireKept() {
    for (int lap = 0; lap < locked.size(); lap++) {
      for (int step = 0; step < LAP / STEP; step++) {
        ByteBuffer came = ByteBuffer.allocateDirect(STEP);
        long at = (long) step * STEP;
        VolumeId snapshot = locked.get(lap);
        Await.io(done -> fixture.engine.open(snapshot).read(at, came, done));
        byte[] bytes = new byte[STEP];
        came.get(0, bytes);
        assertThat(bytes).as("lap %d", lap).isEqualTo(content((long) lap * LAP / STEP + step));
      }
    }
  }

  private static byte[] content(long seed) {
    byte[] bytes = new byte[STEP];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private Reply write(String lun, long lba, byte[] data) {
    Reply reply = host.send(lun, "8a 00 %016x %08x 00 00".formatted(lba, BLOCKS), data);
    return reply.code().startsWith("6/") ? write(lun, lba, data) : reply; // a unit attention
  }

  /// Space of an UNMAP comes back when it has been reclaimed.
  private boolean writeInTime(String lun, byte[] data) {
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    String code = "7/27/07";
    while (code.equals("7/27/07") && System.nanoTime() < end) {
      code = write(lun, 0, data).code();
    }
    return code.isEmpty();
  }

  private byte[] read(String lun, long lba) {
    host.settle(lun);
    return Tokens.read(host, lun, lba, BLOCKS);
  }

  private void unmap(String lun) {
    host.settle(lun);
    String cdb = "93 08 0000000000000000 %08x 00 00".formatted(BLOCKS); // WRITE SAME (16)
    assertThat(host.send(lun, cdb, new byte[512]).code()).isEmpty();
    assertThat(fixture.engine.find(other)).isPresent();
    assertThat(Arrays.equals(read(lun, 0), new byte[STEP])).isTrue();
  }
}
