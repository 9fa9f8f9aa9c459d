package io.coppice.driver.iscsi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.driver.scsi.Cdbs;
import io.coppice.driver.scsi.Lun;
import io.coppice.driver.scsi.ScsiRequest;
import io.coppice.driver.scsi.ScsiResult;
import io.coppice.driver.scsi.Sense;
import io.coppice.driver.scsi.TransportException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/// The initiator against a target that does what a good one would not do, or seldom does.
class InitiatorAgainstScriptTest {
  private static final LoginSettings SETTINGS = LoginSettings.of("iqn.2026-01.test:host", 3);
  private static final ScsiRequest READ =
      ScsiRequest.reading(Lun.simple(1), Cdbs.read16(0, 1), 512);

  @Test
  void theCommandPduHasItsFieldsWhereTheStandardPutsThem() throws Exception {
    Lun lun = Lun.subsidiary(Lun.simple(1), "0xd2000005");
    try (ScriptedTarget target =
        new ScriptedTarget(
            wire -> {
              ScriptedTarget.Came command = wire.read();
              assertThat(HexFormat.of().formatHex(command.header().array()))
                  .isEqualTo(
                      "01a10000000002000001d20000050000"
                          + "%08x".formatted(command.tag())
                          + "000002000000000100000066"
                          + "8a0000000000000000070000 00010000".replace(" ", ""));
              wire.write(wire.header(0x21, 0x80, command.tag()));
            })) {
      try (IscsiSession session = login(target)) {
        ScsiRequest write = ScsiRequest.writing(lun, Cdbs.write16(7, 1), ByteBuffer.allocate(512));

        assertThat(session.execute(write).good()).isTrue();
      }
      target.awaitEnd();
    }
  }

  @Test
  void dataAndStatusInOnePduEndACommand() throws Exception {
    ScsiResult result =
        executeAgainst(
            (wire, tag) -> {
              ByteBuffer data = wire.header(0x25, 0x81, tag);
              wire.write(data, new byte[512]);
            });

    assertThat(result.good()).isTrue();
    assertThat(result.dataIn().remaining()).isEqualTo(512);
  }

  @Test
  void senseDataArrives() throws Exception {
    ScsiResult result =
        executeAgainst(
            (wire, tag) -> {
              ByteBuffer response = wire.header(0x21, 0x80, tag);
              response.put(3, (byte) 0x02);
              wire.write(
                  response, HexFormat.of().parseHex("0012700005000000000a00000000680100000000"));
            });

    assertThat(result.status()).isEqualTo(ScsiResult.CHECK_CONDITION);
    assertThat(result.sense()).isEqualTo(new Sense(5, 0x68, 1, false, 0));
  }

  @Test
  void aFalseUnderflowEndsTheConnection() {
    assertBroken(
        "512 bytes or an underflow",
        (wire, tag) -> {
          ByteBuffer data = wire.header(0x25, 0x81, tag);
          wire.write(data, new byte[256]);
        });
  }

  @Test
  void aSkippedStatSnEndsTheConnection() {
    assertBroken(
        "expected StatSN 102, got 103",
        (wire, tag) -> {
          wire.statSn++;
          wire.write(wire.header(0x21, 0x80, tag));
        });
  }

  @Test
  void dataBeyondTheCommandEndsTheConnection() {
    assertBroken(
        "Data-In at 0 of 512 bytes",
        (wire, tag) -> {
          ByteBuffer data = wire.header(0x25, 0x81, tag);
          wire.write(data, new byte[1024]);
        });
  }

  @Test
  void anUnknownTagEndsTheConnection() {
    assertBroken(
        "expected the tag of a command under way",
        (wire, tag) -> wire.write(wire.header(0x21, 0x80, tag + 77)));
  }

  @Test
  void anR2tBeyondTheDataEndsTheConnection() {
    assertBroken(
        "expected an R2T within 0 bytes",
        (wire, tag) -> {
          ByteBuffer r2t = wire.header(0x31, 0x80, tag);
          r2t.putInt(20, 5).putInt(36, 0).putInt(40, 0).putInt(44, 512);
          wire.write(r2t);
        });
  }

  @Test
  void aPingOfTheTargetIsAnsweredWithItsTagAndData() throws Exception {
    ScsiResult result =
        executeAgainst(
            (wire, tag) -> {
              ByteBuffer nop = wire.header(0x20, 0x80, 0xFFFF_FFFF);
              nop.putInt(20, 0x1234);
              wire.write(nop, new byte[] {1, 2, 3});
              ScriptedTarget.Came echo = wire.read();
              assertThat(echo.opcode()).isZero();
              assertThat(echo.tag()).isEqualTo(0xFFFF_FFFF);
              assertThat(echo.header().getInt(20)).isEqualTo(0x1234);
              assertThat(echo.data()).containsExactly(1, 2, 3);
              wire.write(wire.header(0x25, 0x81, tag), new byte[512]);
            });

    assertThat(result.good()).isTrue();
  }

  @Test
  void anR2tIsAnsweredInSegmentsOfTheTargetsLength() throws Exception {
    ByteBuffer data = ByteBuffer.allocate(20_000);
    try (ScriptedTarget target =
        new ScriptedTarget(
            wire -> {
              int tag = wire.read().tag();
              ByteBuffer r2t = wire.header(0x31, 0x80, tag);
              r2t.putInt(20, 5).putInt(36, 0).putInt(40, 8192).putInt(44, 11_808);
              wire.write(r2t);
              ScriptedTarget.Came first = wire.read();
              ScriptedTarget.Came second = wire.read();
              assertThat(first.data()).hasSize(8192);
              assertThat(first.header().get(1) & 0x80).isZero();
              assertThat(second.data()).hasSize(3616);
              assertThat(second.header().get(1) & 0x80).isEqualTo(0x80);
              assertThat(second.header().getInt(36)).isEqualTo(1);
              assertThat(second.header().getInt(40)).isEqualTo(16_384);
              wire.write(wire.header(0x21, 0x80, tag));
            })) {
      try (IscsiSession session = login(target)) {
        ScsiRequest write = ScsiRequest.writing(Lun.ZERO, Cdbs.write16(0, 40), data);

        assertThat(session.execute(write).good()).isTrue();
      }
      target.awaitEnd();
    }
  }

  private interface Answer {
    void play(ScriptedTarget.Wire wire, int tag) throws IOException;
  }

  private static ScsiResult executeAgainst(Answer answer) throws Exception {
    try (ScriptedTarget target = new ScriptedTarget(wire -> answer.play(wire, wire.read().tag()));
        IscsiSession session = login(target)) {
      ScsiResult result = session.execute(READ);
      target.awaitEnd();
      return result;
    }
  }

  private static void assertBroken(String message, Answer answer) {
    assertThatThrownBy(() -> executeAgainst(answer))
        .isInstanceOf(TransportException.class)
        .hasMessageContaining(message);
  }

  private static IscsiSession login(ScriptedTarget target) {
    return IscsiSession.login(target.portal(), ScriptedTarget.TARGET, SETTINGS, new WireCounters());
  }
}
