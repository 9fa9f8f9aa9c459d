package io.coppice.scsi;

import static io.coppice.scsi.Fixture.LUN_0;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.StorageEngine;
import io.coppice.scsi.Initiator.Reply;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.ScsiStatus;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// An UNMAP of as many descriptors as there may be: counted in batches of the log.
@Timeout(60)
class UnmapCostTest {

  private static final int DESCRIPTORS = 256;

  private static byte[] list(int stride, int blocks) {
    StringBuilder list = new StringBuilder();
    list.append("%04x%04x00000000".formatted(16 * DESCRIPTORS + 6, 16 * DESCRIPTORS));
    for (int i = 0; i < DESCRIPTORS; i++) {
      list.append("%016x%08x00000000".formatted((long) i * stride, blocks));
    }
    return HexFormat.of().parseHex(list);
  }

  private static void unmap(Initiator host, byte[] list) {
    Reply reply = host.send(LUN_0, "42 00 00000000 00 %04x 00".formatted(list.length), list);
    assertThat(reply.status()).isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void descriptorsOfOneCommandAreOneBatchAndThoseThatAdjoinOneRecord() {
    try (StorageEngine engine = SmallPools.open();
        ScsiTarget target = ScsiTarget.open(engine, ScsiSettings.defaults())) {
      Fixture fixture = new Fixture(engine, target);
      fixture.exported(1 << 30);
      Initiator host = fixture.plain();
      long batches = engine.counters().batches();

      unmap(host, list(64, 8));

      assertThat(engine.counters().batches() - batches).isEqualTo(1);
      long records = engine.counters().records();

      unmap(host, list(8, 8));

      assertThat(engine.counters().records() - records).isEqualTo(1);
    }
  }
}
