package io.coppice.scsi;

import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Tokens.fill;
import static io.coppice.scsi.Tokens.make;
import static io.coppice.scsi.Tokens.range;
import static io.coppice.scsi.Tokens.read;
import static io.coppice.scsi.Tokens.receive;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.scsi.Initiator.Reply;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.ScsiStatus;
import java.time.InstantSource;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// WRITE USING TOKEN when the pool has no more space, in the middle of its ranges. Ranges that are
/// not in step with the engine's blocks of 4 KiB need space, others none.
class FullPoolTokenTest {

  private static final String LUN_1 = "0001000000000000";
  private static final String LUN_2 = "0002000000000000";
  private static final int SOURCE = 0x11;
  private static final int FILLER = 0x22;

  @Test
  void whatWasCopiedBeforeIsToldAndNothingElseIsChanged() {
    try (Fixture fixture = fixture(new MemoryEngine(1 << 20, InstantSource.system()))) {
      Initiator host = host(fixture);
      fill(host, LUN_0, 0, 24, SOURCE);
      String token = make(host, LUN_0, 1, range(0, 24));
      fillThePool(host);

      Reply reply = use(host, 2, token, range(8, 8) + range(33, 8) + range(64, 8));

      assertThat(reply.code()).isEqualTo("7/27/07");
      Reply told = receive(host, LUN_1, 2);
      assertThat(told.hex(4, 6)).as("WRITE USING TOKEN failed").isEqualTo("1102");
      assertThat(told.hex(12, 13)).as("CHECK CONDITION").isEqualTo("02");
      assertThat(told.hex(16, 24)).as("blocks written").isEqualTo("%016x".formatted(8));
      assertThat(told.hex(34, 35) + told.hex(44, 46)).as("sense").isEqualTo("07" + "2707");
      assertThat(read(host, LUN_1, 0, 8)).containsOnly(0);
      assertThat(read(host, LUN_1, 8, 8)).containsOnly(SOURCE);
      assertThat(read(host, LUN_1, 16, 112)).containsOnly(0);
      assertThat(read(host, LUN_0, 0, 24)).containsOnly(SOURCE);

      unmap(host, LUN_2);
      assertThat(use(host, 3, token, range(8, 8) + range(33, 8) + range(64, 8)).code())
          .as("the token is as good as before")
          .isEmpty();
      assertThat(read(host, LUN_1, 33, 8)).containsOnly(SOURCE);
      assertThat(read(host, LUN_1, 64, 8)).containsOnly(SOURCE);
    }
  }

  /// Where the engine runs out of space is its own affair: what is told is what was written.
  @Test
  void theEngineItselfWritesWhatIsToldAndNothingElse() {
    try (Fixture fixture = fixture(SmallPools.open())) {
      Initiator host = host(fixture);
      fill(host, LUN_0, 0, 1024, SOURCE);
      String token = make(host, LUN_0, 1, range(0, 1024));
      fillThePool(host);
      StringBuilder ranges = new StringBuilder();
      for (int i = 0; i < 60; i++) {
        ranges.append(range(16 * i + i % 8, 8));
      }

      Reply reply = use(host, 2, token, ranges.toString());

      assertThat(reply.code()).isEqualTo("7/27/07");
      long told = Long.parseLong(receive(host, LUN_1, 2).hex(16, 24), 16);
      byte[] expected = new byte[1024 * 512];
      for (int i = 0; i < told / 8; i++) {
        int at = (16 * i + i % 8) * 512;
        Arrays.fill(expected, at, at + 8 * 512, (byte) SOURCE);
      }
      assertThat(told).isBetween(0L, 59L * 8);
      assertThat(read(host, LUN_1, 0, 1024)).isEqualTo(expected);
      assertThat(read(host, LUN_0, 0, 1024)).containsOnly(SOURCE);
    }
  }

  private static Fixture fixture(StorageEngine engine) {
    Fixture fixture = new Fixture(engine, ScsiSettings.defaults());
    fixture.exported(1 << 20);
    fixture.exported(1 << 20);
    fixture.exported(64 << 20);
    return fixture;
  }

  private static Initiator host(Fixture fixture) {
    Initiator host = fixture.plain();
    host.settle(LUN_1);
    host.settle(LUN_2);
    return host;
  }

  /// Writes other blocks until not one more is taken.
  private static void fillThePool(Initiator host) {
    long lba = 0;
    for (int blocks : new int[] {256, 8}) {
      while (write(host, lba, blocks)) {
        lba += blocks;
      }
    }
    host.settle(LUN_0);
    host.settle(LUN_1);
  }

  private static boolean write(Initiator host, long lba, int blocks) {
    byte[] data = new byte[blocks * 512];
    Arrays.fill(data, (byte) FILLER);
    Reply reply = host.send(LUN_2, "8a 00 %016x %08x 00 00".formatted(lba, blocks), data);
    if (reply.status() != ScsiStatus.GOOD && reply.code().startsWith("6/")) {
      return write(host, lba, blocks); // a unit attention, such as that of the soft threshold
    }
    assertThat(reply.code()).isIn("", "7/27/07");
    return reply.status() == ScsiStatus.GOOD;
  }

  private static Reply use(Initiator host, int list, String token, String ranges) {
    host.settle(LUN_1);
    return Tokens.write(host, LUN_1, list, token, ranges);
  }

  private static void unmap(Initiator host, String lun) {
    host.settle(lun);
    String cdb = "93 08 0000000000000000 00008000 00 00"; // WRITE SAME (16) with UNMAP, 16 MiB
    assertThat(host.send(lun, cdb, new byte[512]).code()).isEmpty();
  }
}
