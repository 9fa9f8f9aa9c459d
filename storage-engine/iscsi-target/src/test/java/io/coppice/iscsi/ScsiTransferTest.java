package io.coppice.iscsi;

import static io.coppice.iscsi.ScriptedInitiator.NO_TAG;
import static io.coppice.iscsi.ScriptedInitiator.READ_10;
import static io.coppice.iscsi.ScriptedInitiator.WRITE_10;
import static io.coppice.iscsi.ScriptedInitiator.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.ScriptedInitiator.Received;
import io.coppice.iscsi.session.TargetNode;
import io.coppice.iscsi.testing.RamDisk;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Data transfer of commands (RFC 7143 §11.3, §11.4, §11.7, §11.8).
class ScsiTransferTest {

  private final RamDisk disk = new RamDisk(ScriptedInitiator.TARGET, 4 << 20);
  private final TargetNode node = ScriptedInitiator.node(disk);
  private final ScriptedInitiator initiator = new ScriptedInitiator(node);

  @AfterEach
  void memoryIsGivenBack() {
    initiator.finish();
    assertThat(node.dataMemory().used()).as("data-out memory in use").isZero();
  }

  @Test
  void readEndsWithStatusInTheLastDataIn() {
    initiator.login();
    disk.content().put(0, pattern(512, 1));

    initiator.command(0x21, 0xc1, 512, READ_10.formatted(1));

    Received data = initiator.receive();
    // F and S, no residual; StatSN 1, ExpCmdSN 2, MaxCmdSN 129 as one command has ended.
    assertThat(data.hex())
        .isEqualTo(
            "25810000000002000000000000000000"
                + "00000021ffffffff0000000100000002"
                + "00000081000000000000000000000000");
    assertThat(data.data()).isEqualTo(pattern(512, 1));
    initiator.expectNothing();
  }

  @Test
  void readIsCutByTheInitiatorsSegmentLengthAndByMaxBurstLength() {
    initiator.login("MaxRecvDataSegmentLength=4096", "MaxBurstLength=6144");
    disk.content().put(0, pattern(16384, 2));

    initiator.command(0x22, 0xc1, 16384, READ_10.formatted(32));

    byte[] all = new byte[16384];
    int offset = 0;
    int dataSn = 0;
    // Lengths: 4096 and 2048 make a burst of 6144.
    int[] lengths = {4096, 2048, 4096, 2048, 4096};
    int[] flags = {0x00, 0x80, 0x00, 0x80, 0x81};
    for (int i = 0; i < lengths.length; i++) {
      Received piece = initiator.receive();
      assertThat(piece.data()).hasSize(lengths[i]);
      assertThat(piece.flags()).isEqualTo(flags[i]);
      assertThat(piece.word(36)).isEqualTo(dataSn++);
      assertThat(piece.word(40)).isEqualTo(offset);
      System.arraycopy(piece.data(), 0, all, offset, lengths[i]);
      offset += lengths[i];
    }
    assertThat(all).isEqualTo(pattern(16384, 2));
  }

  @Test
  void immediateDataIsWrittenWithoutAnR2t() {
    initiator.login("ImmediateData=Yes", "InitialR2T=Yes");
    byte[] data = pattern(1024, 3);

    initiator.command(0x23, 0xa1, 1024, WRITE_10.formatted(2), data);

    Received response = initiator.receive();
    assertThat(response.hex())
        .isEqualTo(
            "21800000000000000000000000000000"
                + "00000023000000000000000100000002"
                + "00000081000000000000000000000000");
    assertThat(written(1024)).isEqualTo(data);
  }

  @Test
  void writeIsAskedForInSequencesOfMaxBurstLength() {
    initiator.login("ImmediateData=No", "MaxBurstLength=4096");
    byte[] data = pattern(6144, 4);

    initiator.command(0x24, 0xa1, 6144, WRITE_10.formatted(12));

    Received first = initiator.receive();
    assertThat(first.opcode()).isEqualTo(0x31);
    assertThat(first.word(36)).as("R2TSN").isZero();
    assertThat(first.word(40)).as("offset").isZero();
    assertThat(first.word(44)).as("desired length").isEqualTo(4096);
    initiator.expectNothing();
    int ttt = first.word(20);
    initiator.dataOut(0x24, ttt, false, 0, 0, Arrays.copyOfRange(data, 0, 2048));
    initiator.dataOut(0x24, ttt, true, 1, 2048, Arrays.copyOfRange(data, 2048, 4096));
    Received second = initiator.receive();
    assertThat(second.word(36)).as("R2TSN").isEqualTo(1);
    assertThat(second.word(40)).as("offset").isEqualTo(4096);
    assertThat(second.word(44)).as("desired length").isEqualTo(2048);
    assertThat(second.word(20)).as("transfer tag").isNotEqualTo(ttt);
    initiator.dataOut(0x24, second.word(20), true, 0, 4096, Arrays.copyOfRange(data, 4096, 6144));
    Received response = initiator.receive();
    assertThat(response.opcode()).isEqualTo(0x21);
    assertThat(response.unsignedByte(3)).isZero();
    assertThat(response.word(36)).as("ExpDataSN counts the R2Ts").isEqualTo(2);
    assertThat(written(6144)).isEqualTo(data);
  }

  @Test
  void severalR2tsAreInFlightIfNegotiated() {
    initiator.login("ImmediateData=No", "MaxBurstLength=512", "MaxOutstandingR2T=3");

    initiator.command(0x25, 0xa1, 2560, WRITE_10.formatted(5));

    int[] tags = new int[5];
    for (int i = 0; i < 3; i++) {
      Received r2t = initiator.receive();
      assertThat(r2t.word(40)).isEqualTo(i * 512);
      tags[i] = r2t.word(20);
    }
    initiator.expectNothing();
    for (int i = 0; i < 5; i++) {
      initiator.dataOut(0x25, tags[i], true, 0, i * 512, pattern(512, i));
      if (i + 3 < 5) {
        tags[i + 3] = initiator.receive().word(20);
      }
    }
    assertThat(initiator.receive().opcode()).isEqualTo(0x21);
  }

  @Test
  void unsolicitedDataFollowsTheCommandAndTheRestIsAskedFor() {
    initiator.login("InitialR2T=No", "ImmediateData=Yes", "FirstBurstLength=1024");
    byte[] data = pattern(2048, 6);

    initiator.command(0x26, 0x21, 2048, WRITE_10.formatted(4), Arrays.copyOf(data, 512));
    initiator.expectNothing();
    initiator.dataOut(0x26, NO_TAG, true, 0, 512, Arrays.copyOfRange(data, 512, 1024));

    Received r2t = initiator.receive();
    assertThat(r2t.word(40)).isEqualTo(1024);
    assertThat(r2t.word(44)).isEqualTo(1024);
    initiator.dataOut(0x26, r2t.word(20), true, 0, 1024, Arrays.copyOfRange(data, 1024, 2048));
    assertThat(initiator.receive().opcode()).isEqualTo(0x21);
    assertThat(written(2048)).isEqualTo(data);
  }

  @Test
  void lessThanExpectedIsAnUnderflow() {
    initiator.login();

    initiator.command(0x27, 0xc1, 1024, READ_10.formatted(1));

    Received data = initiator.receive();
    assertThat(data.flags()).as("F, U, S").isEqualTo(0x83);
    assertThat(data.word(44)).isEqualTo(512);
  }

  @Test
  void moreThanExpectedIsAnOverflowAndIsCut() {
    initiator.login();

    initiator.command(0x28, 0xc1, 512, READ_10.formatted(4));

    Received data = initiator.receive();
    assertThat(data.data()).hasSize(512);
    assertThat(data.flags()).as("F, O, S").isEqualTo(0x85);
    assertThat(data.word(44)).isEqualTo(1536);
  }

  @Test
  void writeOfExpectedLengthHasNoResidual() {
    initiator.login();

    initiator.command(0x29, 0xa1, 512, WRITE_10.formatted(1), new byte[512]);

    Received response = initiator.receive();
    assertThat(response.flags()).isEqualTo(0x80);
    assertThat(response.word(44)).isZero();
  }

  @Test
  void checkConditionCarriesSenseWithItsLength() {
    initiator.login();

    initiator.command(0x2a, 0x81, 0, "ff 00 00 00 00 00");

    Received response = initiator.receive();
    assertThat(response.unsignedByte(3)).isEqualTo(0x02);
    assertThat(response.flags()).isEqualTo(0x80);
    assertThat(response.data()).hasSize(20);
    assertThat(Arrays.copyOf(response.data(), 5)).containsExactly(0, 18, 0x70, 0, 5);
    assertThat(response.data()[14]).isEqualTo((byte) 0x20);
  }

  @Test
  void extendedCdbReachesTheDeviceWhole() {
    initiator.login();
    byte[] cdb = pattern(32, 7);
    cdb[0] = 0x7f;
    var header =
        ScriptedInitiator.commandHeader(0x2b, 0x81, 0, "00", initiator.cmdSn++)
            .put(4, (byte) 5)
            .put(32, cdb, 0, 16);
    byte[] segment = new byte[20];
    segment[1] = 17;
    segment[2] = 1;
    System.arraycopy(cdb, 16, segment, 4, 16);

    initiator.sendRaw(header.array());
    initiator.sendRaw(segment);

    assertThat(initiator.receive().opcode()).isEqualTo(0x21);
    byte[] seen = new byte[32];
    disk.executed.getLast().cdb().get(0, seen);
    assertThat(seen).isEqualTo(cdb);
  }

  @Test
  void digestsCoverHeadersAndData() {
    initiator.login("HeaderDigest=CRC32C,None", "DataDigest=CRC32C,None");
    initiator.useDigests(true, true);
    byte[] data = pattern(512, 8);

    initiator.command(0x2c, 0xa1, 512, WRITE_10.formatted(1), data);
    assertThat(initiator.receive().opcode()).isEqualTo(0x21);
    initiator.command(0x2d, 0xc1, 512, READ_10.formatted(1));

    assertThat(initiator.receive().data()).isEqualTo(data);
  }

  @Test
  void pduMayArriveByteByByte() {
    initiator.login("HeaderDigest=CRC32C", "DataDigest=CRC32C");
    initiator.useDigests(true, true);
    byte[] data = pattern(512, 9);
    byte[] pdu =
        initiator.encode(
            ScriptedInitiator.commandHeader(
                0x2e, 0xa1, 512, WRITE_10.formatted(1), initiator.cmdSn++),
            data);

    for (byte piece : pdu) {
      initiator.sendRaw(new byte[] {piece});
    }

    assertThat(initiator.receive().opcode()).isEqualTo(0x21);
    assertThat(written(512)).isEqualTo(data);
  }

  private byte[] written(int length) {
    byte[] bytes = new byte[length];
    disk.content().get(0, bytes);
    return bytes;
  }
}
