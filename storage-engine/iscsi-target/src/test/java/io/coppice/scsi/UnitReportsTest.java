package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.ScsiStatus;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UnitReportsTest {

  private final Fixture fixture = new Fixture();
  private Initiator initiator;

  @BeforeEach
  void export() {
    fixture.exported(1 << 20);
    initiator = fixture.plain();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  /// SPC-5 §6.10, §7.3.10.
  @Test
  void logSenseCountsWhatTheUnitReadAndWrote() {
    initiator.send(LUN_0, "2a 00 00000000 00 0002 00", new byte[1024]);
    initiator.send(LUN_0, "2e 02 00000000 00 0003 00", new byte[1536]);
    initiator.send(LUN_0, "8b 00 0000000000000000 00000001 00 00", new byte[512]);
    initiator.send(LUN_0, "9c 00 0000000000000008 0000 0008 00 00", new byte[4096]);
    initiator.send(LUN_0, "28 00 00000000 00 0007 00");
    initiator.send(LUN_0, "28 00 00000800 00 0001 00"); // out of range

    ByteBuffer page = ByteBuffer.wrap(initiator.send(LUN_0, "4d 00 59 00 00 0000 0100 00").data());

    assertThat(page.getLong(8)).as("reads").isEqualTo(1);
    assertThat(page.getLong(16)).as("writes").isEqualTo(4);
    assertThat(page.getLong(24)).as("blocks received").isEqualTo(2 + 3 + 1 + 8);
    assertThat(page.getLong(32)).as("blocks sent").isEqualTo(7);
  }

  /// SBC-4 §6.4.4, in units of the THRESHOLD EXPONENT of VPD page B2h.
  @Test
  void logSenseTellsWhatThePoolHasLeft() {
    ByteBuffer page = ByteBuffer.wrap(initiator.send(LUN_0, "4d 00 4c 00 00 0000 0100 00").data());

    assertThat(Integer.toUnsignedLong(page.getInt(8)))
        .isEqualTo(Math.min(fixture.engine.space().free() >> 20, 0xffff_ffffL));
    assertThat(initiator.send(LUN_0, "12 01 b2 0040 00").hex(4, 5)).isEqualTo("0b");
  }

  @Test
  void logSenseRefusesOtherPagesAndParameters() {
    assertThat(initiator.send(LUN_0, "4d 00 42 00 00 0000 0100 00").code()).isEqualTo("5/24/00");
    assertThat(initiator.send(LUN_0, "4d 00 4c 01 00 0000 0100 00").code()).isEqualTo("5/24/00");
    assertThat(initiator.send(LUN_0, "4d 00 4c 00 00 0003 0100 00").code()).isEqualTo("5/24/00");
    assertThat(initiator.send(LUN_0, "4d 00 59 00 00 0000 0004 00").hex()).isEqualTo("9900005c");
  }

  /// SPC-5 §6.22.7, §6.49.10: READ BUFFER returns what WRITE BUFFER last wrote.
  @Test
  void echoBufferReturnsWhatWasWritten() {
    byte[] data = new byte[4096];
    new Random(1).nextBytes(data);
    assertThat(initiator.send(LUN_0, "3c 0b 00 000000 000004 00").hex()).isEqualTo("01001000");

    assertThat(initiator.send(LUN_0, "3b 0a 00 000000 001000 00", data).status())
        .isEqualTo(ScsiStatus.GOOD);

    assertThat(initiator.send(LUN_0, "3c 0a 00 000000 001000 00").data()).isEqualTo(data);
    assertThat(initiator.send(LUN_0, "3c 0a 00 000000 000010 00").hex())
        .isEqualTo(HexFormat.of().formatHex(data, 0, 16));
  }

  /// SPC-5 §6.22.7: COMMAND SEQUENCE ERROR before anything was written; EBOS = 1: what another
  /// nexus writes does not show.
  @Test
  void echoBufferBelongsToOneNexus() {
    Initiator other = new Initiator(fixture.target.plain(), OTHER);
    other.settle(LUN_0);
    other.send(LUN_0, "3b 0a 00 000000 000004 00", (byte) 1, (byte) 2, (byte) 3, (byte) 4);

    assertThat(initiator.send(LUN_0, "3c 0a 00 000000 001000 00").code()).isEqualTo("5/2c/00");
    assertThat(other.send(LUN_0, "3c 0a 00 000000 001000 00").hex()).isEqualTo("01020304");
  }

  @Test
  void echoBufferRefusesMoreThanItHoldsAndLessThanItWasTold() {
    assertThat(initiator.send(LUN_0, "3b 0a 00 000000 001001 00", new byte[4097]).code())
        .isEqualTo("5/24/00");
    assertThat(initiator.send(LUN_0, "3b 0a 00 000000 000010 00", new byte[15]).code())
        .isEqualTo("5/1a/00");
    assertThat(initiator.send(LUN_0, "3c 0a 00 000000 001000 00").code()).isEqualTo("5/2c/00");
  }

  /// What it reads of the map may not be in memory, and others share the thread that asks.
  @Test
  void lbaStatusIsAskedForOnAWorker() {
    HeldEngine held = new HeldEngine();
    try (Fixture slow = new Fixture(held.engine(), ScsiSettings.defaults())) {
      slow.exported(1 << 20);

      assertThat(slow.plain().send(LUN_0, "9e 12 0000000000000000 00000018 00 00").status())
          .isEqualTo(ScsiStatus.GOOD);

      assertThat(held.askedForStatus()).isNotNull().isNotEqualTo(Thread.currentThread());
    }
  }

  @Test
  void endpointsHaveNeither() {
    fixture.bound(fixture.volume(1 << 20));
    Initiator endpoint = new Initiator(fixture.target.endpoints(), ESX);
    endpoint.settle("0001000000000000");

    assertThat(endpoint.send("0001000000000000", "4d 00 40 00 00 0000 0100 00").code())
        .isEqualTo("5/20/00");
    assertThat(endpoint.send("0001000000000000", "3c 0b 00 000000 000004 00").code())
        .isEqualTo("5/20/00");
  }
}
