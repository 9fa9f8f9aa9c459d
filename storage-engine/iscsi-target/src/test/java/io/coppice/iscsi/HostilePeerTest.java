package io.coppice.iscsi;

import static io.coppice.iscsi.ScriptedInitiator.NAME;
import static io.coppice.iscsi.ScriptedInitiator.NO_TAG;
import static io.coppice.iscsi.ScriptedInitiator.READ_10;
import static io.coppice.iscsi.ScriptedInitiator.TARGET;
import static io.coppice.iscsi.ScriptedInitiator.WRITE_10;
import static io.coppice.iscsi.ScriptedInitiator.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.ScriptedInitiator.Received;
import io.coppice.iscsi.connection.PeerFault;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Peers that break the protocol, by mistake or on purpose. Each is named after what the peer does;
/// every time a second session, a bystander, must go on as if nothing had happened.
class HostilePeerTest extends PeerAndBystander {

  @Test
  void connectsAndSaysNothing() {
    peer.channel().freezeTime();

    afterLoginTimeout();

    expectDroppedFor(PeerFault.LOGIN_TIMEOUT);
  }

  @Test
  void logsInHalfWay() {
    peer.channel().freezeTime();
    peer.sendLogin(0x04, 0, "InitiatorName=" + NAME, "TargetName=" + TARGET);
    peer.receive();

    afterLoginTimeout();

    expectDroppedFor(PeerFault.LOGIN_TIMEOUT);
  }

  @Test
  void sendsItsLoginByteByByte() {
    peer.channel().freezeTime();
    byte[] pdu = peer.encode(ScriptedInitiator.header(0x43, 0x87), new byte[100]);
    for (int i = 0; i < 60 && peer.channel().isOpen(); i++) {
      peer.sendRaw(new byte[] {pdu[i]});
      peer.channel().advanceTimeBy(100, TimeUnit.MILLISECONDS);
      peer.channel().runScheduledPendingTasks();
    }

    expectDroppedFor(PeerFault.LOGIN_TIMEOUT);
  }

  @Test
  void logsInForever() {
    peer.sendLogin(0x04, 0, "InitiatorName=" + NAME, "TargetName=" + TARGET);
    int answers = 0;
    while (peer.channel().isOpen() && answers < 1000) {
      answers++;
      peer.receive();
      peer.sendLogin(0x04, 0);
    }

    assertThat(answers).isLessThan(100);
    peer.expectDropped();
  }

  @Test
  void sendsEndlessLoginText() {
    byte[] piece = new byte[8000];
    for (int i = 0; i < 10 && peer.channel().isOpen(); i++) {
      peer.sendLoginText(0x44, 0, piece);
    }

    peer.expectDropped();
    assertThat(node.counters().of(PeerFault.LOGIN_REFUSED)).isEqualTo(1);
  }

  @Test
  void sendsTextThatIsNone() {
    peer.sendLoginText(0x87, 0, pattern(500, 1));

    assertThat(peer.receive().unsignedByte(36)).isEqualTo(2);
    peer.expectDropped();
  }

  @Test
  void sendsACommandBeforeItsLogin() {
    peer.command(1, 0xc1, 512, READ_10.formatted(1));

    expectDroppedFor(PeerFault.NOT_LOGGED_IN);
    assertThat(disk.executed).isEmpty();
  }

  @Test
  void sendsALoginSegmentThatIsTooLong() {
    peer.sendRaw(ScriptedInitiator.header(0x43, 0x87).putInt(4, 0xffffff).array());

    expectDroppedFor(PeerFault.SEGMENT_TOO_LONG);
  }

  @Test
  void sendsADataSegmentThatIsTooLong() {
    peer.login();

    peer.sendRaw(
        ScriptedInitiator.commandHeader(1, 0xa1, 8196, WRITE_10.formatted(16), peer.cmdSn)
            .putInt(4, 8196)
            .array());

    expectDroppedFor(PeerFault.SEGMENT_TOO_LONG);
  }

  @Test
  void sendsAWrongHeaderDigest() {
    peer.login("HeaderDigest=CRC32C");
    peer.useDigests(true, false);
    byte[] pdu =
        peer.encode(
            ScriptedInitiator.commandHeader(1, 0xc1, 512, READ_10.formatted(1), peer.cmdSn),
            new byte[0]);
    pdu[50] ^= 1;

    peer.sendRaw(pdu);

    expectDroppedFor(PeerFault.HEADER_DIGEST);
    assertThat(disk.executed).isEmpty();
  }

  @Test
  void sendsAWrongDataDigest() {
    peer.login("DataDigest=CRC32C");
    peer.useDigests(false, true);
    byte[] pdu =
        peer.encode(
            ScriptedInitiator.commandHeader(1, 0xa1, 512, WRITE_10.formatted(1), peer.cmdSn),
            pattern(512, 2));
    pdu[100] ^= 1;

    peer.sendRaw(pdu);

    expectDroppedFor(PeerFault.DATA_DIGEST);
    assertThat(disk.executed).isEmpty();
  }

  @Test
  void repeatsADataSn() {
    int tag = writeAskedFor(1024);

    peer.dataOut(1, tag, false, 0, 0, pattern(512, 1));
    peer.dataOut(1, tag, true, 0, 512, pattern(512, 1));

    expectBrokenOff();
    assertThat(disk.executed).isEmpty();
  }

  @Test
  void leavesADataSnOut() {
    int tag = writeAskedFor(1024);

    peer.dataOut(1, tag, false, 27, 0, pattern(512, 1));

    expectBrokenOff();
  }

  @ParameterizedTest
  @ValueSource(ints = {512, -512, 0x7fffffff, 1})
  void sendsDataAtAnotherOffset(int offset) {
    int tag = writeAskedFor(1024);

    peer.dataOut(1, tag, false, 0, offset, pattern(512, 1));

    expectBrokenOff();
  }

  @Test
  void sendsMoreThanTheR2tAskedFor() {
    int tag = writeAskedFor(1024);

    peer.dataOut(1, tag, true, 0, 0, pattern(1028, 1));

    expectBrokenOff();
  }

  @Test
  void endsASequenceTooEarly() {
    int tag = writeAskedFor(1024);

    peer.dataOut(1, tag, true, 0, 0, pattern(512, 1));

    expectBrokenOff();
  }

  @Test
  void answersAnR2tThatWasNeverSent() {
    int tag = writeAskedFor(1024);

    peer.dataOut(1, tag + 1, true, 0, 0, pattern(1024, 1));

    expectBrokenOff();
  }

  @Test
  void sendsUnsolicitedDataThatWasNotAgreed() {
    writeAskedFor(1024);

    peer.dataOut(1, NO_TAG, true, 0, 0, pattern(1024, 1));

    expectBrokenOff();
  }

  @Test
  void sendsMoreUnsolicitedDataThanFirstBurstLength() {
    peer.login("InitialR2T=No", "FirstBurstLength=1024");
    peer.command(1, 0x21, 4096, WRITE_10.formatted(8), pattern(512, 1));

    peer.dataOut(1, NO_TAG, true, 0, 512, pattern(1024, 1));

    expectBrokenOff();
  }

  @Test
  void sendsEmptyDataForever() {
    int tag = writeAskedFor(1024);

    peer.dataOut(1, tag, false, 0, 0, new byte[0]);

    expectBrokenOff();
  }

  @Test
  void sendsImmediateDataThatWasNotAgreed() {
    peer.login("ImmediateData=No");

    peer.command(1, 0xa1, 512, WRITE_10.formatted(1), pattern(512, 1));

    expectRejected(0x04);
    assertThat(disk.executed).isEmpty();
  }

  @Test
  void sendsMoreImmediateDataThanItExpects() {
    peer.login();

    peer.command(1, 0xa1, 512, WRITE_10.formatted(1), pattern(1024, 1));

    expectRejected(0x04);
  }

  @Test
  void sendsDataWithARead() {
    peer.login();

    peer.command(1, 0xc1, 512, READ_10.formatted(1), pattern(512, 1));

    expectRejected(0x04);
  }

  @Test
  void reusesATaskTagThatIsInUse() {
    peer.login();
    disk.hold();
    peer.command(1, 0xc1, 512, READ_10.formatted(1));

    peer.command(1, 0xc1, 512, READ_10.formatted(1));

    expectRejected(0x07);
    assertThat(disk.executed).hasSize(1);
  }

  @Test
  void usesTheReservedTaskTag() {
    peer.login();

    peer.command(NO_TAG, 0xc1, 512, READ_10.formatted(1));

    expectRejected(0x09);
  }

  @ParameterizedTest
  @ValueSource(ints = {0x07, 0x1c, 0x20, 0x25, 0x31, 0x3f})
  void sendsAnOpcodeThatIsNone(int opcode) {
    peer.login();

    peer.send(ScriptedInitiator.header(0x40 | opcode, 0x80));

    expectRejected(0x05);
  }

  @Test
  void sendsASnackAtRecoveryLevelZero() {
    peer.login();

    peer.send(ScriptedInitiator.header(0x10, 0x80));

    expectRejected(0x03);
  }

  @Test
  void logsInAgainInTheSameConnection() {
    peer.login();

    peer.sendLogin(0x87, 0, "InitiatorName=" + NAME, "TargetName=" + TARGET);

    expectRejected(0x04);
  }

  @Test
  void sendsGarbage() {
    for (int seed = 0; seed < 200; seed++) {
      ScriptedInitiator garbler = new ScriptedInitiator(node);
      garbler.sendRaw(pattern(2000, seed));
      garbler.finish();
    }
  }

  @Test
  void sendsGarbageAfterItsLogin() {
    for (int seed = 0; seed < 500; seed++) {
      Random random = new Random(seed);
      ScriptedInitiator garbler = new ScriptedInitiator(node);
      garbler.isid = 0x40_0000_00_0000L + seed;
      garbler.login("InitialR2T=No", "MaxOutstandingR2T=4");
      for (int i = 0; i < 20 && garbler.channel().isOpen(); i++) {
        ByteBuffer header = ByteBuffer.wrap(pattern(48, random.nextInt()));
        // Mostly what could be right: known opcodes, small tags, numbers in the window.
        header.put(0, (byte) (random.nextInt(8) | (random.nextBoolean() ? 0x40 : 0)));
        header.put(4, (byte) 0).putInt(16, random.nextInt(4)).putInt(24, 1 + random.nextInt(8));
        header.putInt(20, random.nextBoolean() ? NO_TAG : random.nextInt(5000));
        header.putInt(36, random.nextInt(2)).putInt(40, random.nextInt(3) * 512);
        garbler.send(header, pattern(random.nextInt(4) * 300, seed));
      }
      disk.release();
      garbler.finish();
      assertThat(node.counters().of(PeerFault.INTERNAL)).as("seed %d", seed).isZero();
      assertThat(node.sessions().list()).as("seed %d", seed).hasSize(1);
      assertThat(node.dataMemory().used()).as("seed %d", seed).isZero();
    }
  }

  /// A write of `length` bytes whose R2T has come.
  ///
  /// @return its transfer tag
  private int writeAskedFor(int length) {
    peer.login("ImmediateData=No");
    peer.command(1, 0xa1, length, WRITE_10.formatted(length / 512));
    return peer.receive().word(20);
  }

  private void afterLoginTimeout() {
    peer.channel().advanceTimeBy(LIMITS.waits().loginMs() + 1, TimeUnit.MILLISECONDS);
    peer.channel().runScheduledPendingTasks();
  }

  /// The command ends with ABORTED COMMAND, its later data is swallowed, the session goes on.
  private void expectBrokenOff() {
    Received response = peer.receive();
    assertThat(response.opcode()).isEqualTo(0x21);
    assertThat(response.unsignedByte(3)).as("check condition").isEqualTo(2);
    assertThat(response.data()[4]).isEqualTo((byte) 0x0b);
    assertThat(response.data()[14]).isEqualTo((byte) 0x47);
    assertThat(node.counters().of(PeerFault.DATA_OUT_SEQUENCE)).isEqualTo(1);
    peer.dataOut(1, NO_TAG, true, 0, 0, pattern(512, 1));
    peer.expectNothing();
    assertThat(disk.executed).isEmpty();
    assertThat(peer.channel().isOpen()).isTrue();
  }

  private void expectDroppedFor(PeerFault fault) {
    peer.expectDropped();
    assertThat(node.counters().of(fault)).as(fault.name()).isEqualTo(1);
  }
}
