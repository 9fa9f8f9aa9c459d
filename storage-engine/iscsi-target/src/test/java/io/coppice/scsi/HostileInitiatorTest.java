package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.unit.OffloadLedger.MOST_SENSES;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.cdb.OperationCode;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Whatever an initiator sends, it gets exactly one answer, and never INTERNAL TARGET FAILURE.
class HostileInitiatorTest {

  private static final String[] LUNS = {
    LUN_0, "0001000000000000", "0001d20000010000", "c101000000000000", "0001d20000630000"
  };

  @Test
  void randomCommandsAreAnswered() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    try (Fixture fixture = new Fixture()) {
      VolumeId volume = fixture.exported(1 << 20);
      fixture.bound(fixture.volume(1 << 20));
      Initiator plain = new Initiator(fixture.target.plain(), ESX);
      Initiator endpoints = new Initiator(fixture.target.endpoints(), ESX);
      for (int i = 0; i < 20_000; i++) {
        String lun = random.nextInt(8) == 0 ? hex(random, 8) : LUNS[random.nextInt(LUNS.length)];
        String cdb = cdb(random);
        byte[] data = new byte[random.nextInt(5) == 0 ? random.nextInt(2000) : 512];
        random.nextBytes(data);
        Initiator initiator = random.nextBoolean() ? plain : endpoints;

        Initiator.Reply reply = initiator.send(lun, cdb, data);

        assertThat(reply.code())
            .as("seed %d, command %d: %s to LUN %s", seed, i, cdb, lun)
            .doesNotEndWith("44/00");
      }
      assertThat(fixture.target.offloads().get(volume).of(ESX).orElseThrow().values())
          .as("reasons of fall-backs, seed %d", seed)
          .allSatisfy(kind -> assertThat(kind.reasons()).hasSizeLessThanOrEqualTo(MOST_SENSES));
    }
  }

  /// A known operation with random fields, small numbers more often than not; or only noise.
  private static String cdb(Random random) {
    if (random.nextInt(5) == 0) {
      return hex(random, 1 + random.nextInt(20));
    }
    OperationCode operation = OperationCode.values()[random.nextInt(OperationCode.values().length)];
    byte[] block = new byte[Math.max(16, operation.cdbLength())];
    random.nextBytes(block);
    for (int i = 1; i < block.length; i++) {
      if (random.nextInt(4) != 0) {
        block[i] = 0;
      }
    }
    block[0] = (byte) operation.opcode();
    if (operation.hasServiceAction()) {
      block[1] = (byte) operation.serviceAction();
    }
    return HexFormat.of().formatHex(block);
  }

  private static String hex(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
