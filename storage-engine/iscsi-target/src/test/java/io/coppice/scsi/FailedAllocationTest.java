package io.coppice.scsi;

import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.ScarceBuffers;
import io.coppice.scsi.Initiator.Pending;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.ScsiStatus;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// One host's command needs memory that cannot be had, while another host's I/O goes on.
@Timeout(60)
class FailedAllocationTest {

  private static final String LUN_1 = "0001000000000000";
  private static final String WRITE = "2a 00 00000000 00 0008 00";
  private static final String READ = "28 00 00000000 00 0008 00";
  private static final String RAGGED = "2a 00 00000011 00 0001 00";
  private static final int ROUNDS = 100;

  private static byte[] bytes(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  @Test
  void commandEndsWithASenseAndTheOtherHostNeverWaits() {
    try (ScarceBuffers memory = new ScarceBuffers();
        StorageEngine engine = SmallPools.open();
        ScsiTarget target = ScsiTarget.open(engine, ScsiSettings.defaults())) {
      Fixture fixture = new Fixture(engine, target);
      fixture.exported(1 << 20);
      fixture.exported(1 << 20);
      Initiator host = fixture.plain();
      Initiator other = new Initiator(target.plain(), OTHER);
      other.settle(LUN_1);
      ByteBuffer fit = AlignedBuffers.allocate(4096).order(ByteOrder.BIG_ENDIAN);
      other.use(length -> fit.clear().limit(length)); // as the transport's memory is
      memory.refuse(0, Integer.MAX_VALUE);

      for (int i = 0; i < ROUNDS; i++) {
        Pending without = host.begin(LUN_0, RAGGED, bytes(512, 7));
        Pending write = other.begin(LUN_1, WRITE, bytes(4096, i + 1));
        assertThat(Initiator.await(write).status()).isEqualTo(ScsiStatus.GOOD);
        assertThat(Initiator.await(other.begin(LUN_1, READ)).data()).containsOnly(i + 1);
        assertThat(Initiator.await(without).code()).as("round %d", i).isEqualTo("4/44/00");
      }

      memory.relent();
      assertThat(host.send(LUN_0, RAGGED, bytes(512, 7)).status()).isEqualTo(ScsiStatus.GOOD);
      assertThat(host.send(LUN_0, "28 00 00000011 00 0001 00").data()).containsOnly(7);
    }
  }
}
