package io.coppice.iscsi;

import static io.coppice.iscsi.ScriptedInitiator.NAME;
import static io.coppice.iscsi.ScriptedInitiator.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.iscsi.ScriptedInitiator.Received;
import io.coppice.iscsi.session.TargetNode;
import io.coppice.scsi.ScsiTarget;
import io.coppice.scsi.setting.ScsiSettings;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Commands whose expected data transfer length is not what their CDB asks for (RFC 7143
/// §11.4.5.1), through the device server to a volume: the residual is told, and all that was sent
/// of what the CDB asks for has been written, whole blocks or not, and nothing beside it.
class ResidualsTest {

  private static final int BLOCK = 512;
  private static final int SPAN = 16 * BLOCK;
  private static final int OVERFLOW = 0x84;
  private static final int UNDERFLOW = 0x82;

  private final StorageEngine engine = new MemoryEngine();
  private final ScsiTarget target = ScsiTarget.open(engine, ScsiSettings.defaults());
  private final TargetNode node = ScriptedInitiator.node(target.plain());
  private final ScriptedInitiator initiator = new ScriptedInitiator(node);
  private final byte[] old = pattern(SPAN, 1);
  private final byte[] sent = pattern(SPAN, 2);
  private int tag = 0x100;

  @BeforeEach
  void export() {
    VolumeId volume = VolumeId.random();
    engine.create(OperationId.random(), VolumeSpec.thin(volume, 1 << 20));
    target.luns().export(OperationId.random(), volume, Optional.empty(), false, Set.of(NAME));
  }

  @AfterEach
  void close() {
    initiator.finish();
    assertThat(node.dataMemory().used()).as("memory in use").isZero();
    target.close();
    engine.close();
  }

  /// The cases of the tests Write10Residuals, Write12Residuals and Write16Residuals of libiscsi,
  /// and some more that end inside a block.
  @ParameterizedTest(name = "{0}: {1} blocks, {2} bytes expected")
  @CsvSource({
    "WRITE_6, 1, 200",
    "WRITE_6, 2, 700",
    "WRITE_10, 1, 0",
    "WRITE_10, 1, 1024",
    "WRITE_10, 2, 512",
    "WRITE_10, 1, 10000",
    "WRITE_10, 1, 200",
    "WRITE_10, 2, 700",
    "WRITE_10, 16, 8191",
    "WRITE_12, 1, 0",
    "WRITE_12, 1, 1024",
    "WRITE_12, 2, 512",
    "WRITE_12, 1, 10000",
    "WRITE_12, 1, 200",
    "WRITE_16, 1, 0",
    "WRITE_16, 1, 1024",
    "WRITE_16, 2, 512",
    "WRITE_16, 1, 10000",
    "WRITE_16, 1, 200",
    "WRITE_16, 3, 1025",
    "WRITE_AND_VERIFY_10, 1, 200",
    "WRITE_AND_VERIFY_10, 3, 1300",
    "WRITE_AND_VERIFY_10, 1, 10000",
    "WRITE_AND_VERIFY_16, 2, 513",
  })
  void whatWasSentIsWrittenAndTheRestIsTold(Operation operation, int blocks, int expected) {
    logIn();
    write(0, old);

    Received response =
        answerOf(0xa1, expected, operation.cdb(blocks), Arrays.copyOf(sent, expected));

    assertResidual(response, blocks * BLOCK, expected);
    assertSpan(Math.min(blocks * BLOCK, expected));
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 700, 1024, 4000})
  void dataThatIsAskedForIsWrittenLikewise(int expected) {
    logIn();
    write(0, old);

    initiator.command(++tag, 0xa1, expected, Operation.WRITE_10.cdb(3));
    Received r2t = initiator.receive();
    assertThat(r2t.word(44)).as("asked for").isEqualTo(expected);
    initiator.dataOut(tag, r2t.word(20), true, 0, 0, Arrays.copyOf(sent, expected));

    assertResidual(initiator.receive(), 3 * BLOCK, expected);
    assertSpan(Math.min(3 * BLOCK, expected));
  }

  /// Bits that were not sent are not set, and none is lost.
  @ParameterizedTest
  @ValueSource(ints = {200, 512, 1300})
  void orWriteSetsTheBitsThatWereSent(int expected) {
    logIn();
    write(0, old);

    Received response =
        answerOf(
            0xa1, expected, "8b 00 0000000000000000 00000003 00 00", Arrays.copyOf(sent, expected));

    assertResidual(response, 3 * BLOCK, expected);
    byte[] wanted = old.clone();
    for (int at = 0; at < expected; at++) {
      wanted[at] |= sent[at];
    }
    assertThat(read(0, SPAN)).isEqualTo(wanted);
  }

  /// What was sent is compared to its last byte, and what was not is not.
  @ParameterizedTest
  @CsvSource({"699, true", "700, false", "513, true", "199, true"})
  void verifyComparesAllThatWasSent(int differs, boolean found) {
    logIn();
    write(0, old);
    int expected = differs < BLOCK ? 200 : 700;
    byte[] data = old.clone();
    data[differs] ^= 1;

    Received response =
        answerOf(0xa1, expected, "2f 02 00000000 00 0002 00", Arrays.copyOf(data, expected));

    assertThat(response.unsignedByte(3)).as("status").isEqualTo(found ? 0x02 : 0x00);
    if (found) {
      assertThat(response.data()[4] & 0x0f).as("sense key MISCOMPARE").isEqualTo(0x0e);
    } else {
      assertResidual(response, 2 * BLOCK, expected);
    }
  }

  @ParameterizedTest(name = "{0}: {1} blocks, {2} bytes expected")
  @CsvSource({
    "READ_6, 1, 200",
    "READ_10, 1, 0",
    "READ_10, 1, 10000",
    "READ_10, 1, 200",
    "READ_10, 2, 512",
    "READ_12, 1, 0",
    "READ_12, 1, 10000",
    "READ_12, 1, 200",
    "READ_12, 2, 512",
    "READ_16, 1, 0",
    "READ_16, 1, 10000",
    "READ_16, 1, 200",
    "READ_16, 2, 512",
  })
  void readBringsWhatIsExpectedAndTellsTheRest(Operation operation, int blocks, int expected) {
    logIn();
    write(0, old);

    Received answer = answerOf(0xc1, expected, operation.cdb(blocks), new byte[0]);

    assertThat(answer.flags() & 0x86).isEqualTo(blocks * BLOCK > expected ? OVERFLOW : UNDERFLOW);
    assertThat(answer.word(44)).isEqualTo(Math.abs(blocks * BLOCK - expected));
    assertThat(answer.data()).isEqualTo(Arrays.copyOf(old, Math.min(blocks * BLOCK, expected)));
  }

  /// RFC 7143 §11.3.1: W for a command that sends data. Who does not say it has sent none, and may
  /// not be told that it was written.
  @ParameterizedTest(name = "flags {0}: {1}")
  @CsvSource({
    "0xc1, 2a 00 00000000 00 0001 00",
    "0xc1, aa 00 00000000 00000001 00 00",
    "0xc1, 8a 00 0000000000000000 00000001 00 00",
    "0xc1, 2e 00 00000000 00 0001 00",
    "0xc1, 8b 00 0000000000000000 00000001 00 00",
    "0xc1, 2f 02 00000000 00 0001 00",
    "0x81, 2a 00 00000000 00 0001 00",
  })
  void writeThatIsMarkedAsAReadIsRefused(String flags, String cdb) {
    logIn();
    write(0, old);

    Received response = answerOf(Integer.decode(flags), BLOCK, cdb, new byte[0]);

    assertThat(response.opcode()).isEqualTo(0x21);
    assertThat(response.unsignedByte(3)).as("status").isEqualTo(0x02);
    assertThat(response.data()[4]).as("ILLEGAL REQUEST").isEqualTo((byte) 0x05);
    assertThat(Arrays.copyOfRange(response.data(), 14, 16))
        .as("INVALID FIELD IN COMMAND INFORMATION UNIT")
        .containsExactly(0x0e, 0x03);
    assertThat(read(0, SPAN)).isEqualTo(old);
  }

  /// libiscsi's Read10Invalid wants GOOD of it; that nothing has come is told at least.
  @ParameterizedTest(name = "flags {0}: {1}")
  @CsvSource({
    "0xa1, 28 00 00000000 00 0001 00, 512",
    "0xa1, 88 00 0000000000000000 00000001 00 00, 512",
    "0xa1, 12 00 00 00ff 00, 96",
    "0x81, 28 00 00000000 00 0001 00, 512",
  })
  void readThatIsMarkedAsAWriteLacksAllOfItsData(String flags, String cdb, int length) {
    logIn();
    write(0, old);
    int bits = Integer.decode(flags);

    Received response =
        answerOf(bits, BLOCK, cdb, bits == 0xa1 ? Arrays.copyOf(sent, BLOCK) : new byte[0]);

    assertResidual(response, length, 0);
    assertThat(response.data()).isEmpty();
    assertThat(read(0, SPAN)).isEqualTo(old);
  }

  /// Where nothing is expected the direction says nothing.
  @ParameterizedTest
  @CsvSource({"0xc1", "0x81", "0xa1"})
  void whereNothingIsExpectedTheResidualTellsAll(String flags) {
    logIn();
    write(0, old);

    Received response = answerOf(Integer.decode(flags), 0, Operation.WRITE_10.cdb(1), new byte[0]);

    assertResidual(response, BLOCK, 0);
    assertThat(read(0, SPAN)).isEqualTo(old);
  }

  private enum Operation {
    READ_6("08 00 0000 %02x 00"),
    READ_10("28 00 00000000 00 %04x 00"),
    READ_12("a8 00 00000000 %08x 00 00"),
    READ_16("88 00 0000000000000000 %08x 00 00"),
    WRITE_6("0a 00 0000 %02x 00"),
    WRITE_10("2a 00 00000000 00 %04x 00"),
    WRITE_12("aa 00 00000000 %08x 00 00"),
    WRITE_16("8a 00 0000000000000000 %08x 00 00"),
    WRITE_AND_VERIFY_10("2e 02 00000000 00 %04x 00"),
    WRITE_AND_VERIFY_16("8e 02 0000000000000000 %08x 00 00");

    private final String form;

    Operation(String form) {
      this.form = form;
    }

    String cdb(int blocks) {
      return form.formatted(blocks);
    }
  }

  private void logIn() {
    initiator.sendLogin(0x87, 0, "InitiatorName=" + NAME, "TargetName=" + target.plain().name());
    assertThat(initiator.receive().status()).isZero();
    answerOf(0x81, 0, "00 00 00 00 00 00", new byte[0]); // takes the unit attention
  }

  private void assertResidual(Received response, int asked, int expected) {
    assertThat(response.opcode()).isEqualTo(0x21);
    assertThat(response.unsignedByte(3)).as("status").isZero();
    assertThat(response.flags()).isEqualTo(asked > expected ? OVERFLOW : UNDERFLOW);
    assertThat(response.word(44)).isEqualTo(Math.abs(asked - expected));
  }

  /// So many bytes are new, all others are old.
  private void assertSpan(int written) {
    byte[] wanted = old.clone();
    System.arraycopy(sent, 0, wanted, 0, written);
    assertThat(read(0, SPAN)).isEqualTo(wanted);
  }

  private void write(int lba, byte[] data) {
    Received response =
        answerOf(
            0xa1, data.length, "2a 00 %08x 00 %04x 00".formatted(lba, data.length / BLOCK), data);
    assertThat(response.unsignedByte(3)).as("status").isZero();
  }

  private byte[] read(int lba, int length) {
    return answerOf(
            0xc1, length, "28 00 %08x 00 %04x 00".formatted(lba, length / BLOCK), new byte[0])
        .data();
  }

  private Received answerOf(int flags, int expected, String cdb, byte[] data) {
    byte[] block = Arrays.copyOf(ScriptedInitiator.bytes(cdb), 16);
    initiator.command(++tag, flags, expected, HexFormat.of().formatHex(block), data);
    Received answer = initiator.receive();
    assertThat(answer.word(16)).isEqualTo(tag);
    return answer;
  }
}
