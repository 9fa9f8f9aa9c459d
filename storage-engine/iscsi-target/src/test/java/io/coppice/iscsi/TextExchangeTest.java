package io.coppice.iscsi;

import static io.coppice.iscsi.ScriptedInitiator.NO_TAG;
import static io.coppice.iscsi.ScriptedInitiator.READ_10;
import static io.coppice.iscsi.ScriptedInitiator.TARGET;
import static io.coppice.iscsi.ScriptedInitiator.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.ScriptedInitiator.Received;
import io.coppice.iscsi.session.TargetNode;
import io.coppice.iscsi.testing.RamDisk;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Text requests of the full feature phase: their keys, and how they and their answers are cut (RFC
/// 7143 §11.10, §11.11, §13).
class TextExchangeTest {

  private static final int WHOLE = 0x80;
  private static final int MORE_REQUESTS = 0x00;
  private static final int MORE_TEXT = 0x40;

  private final RamDisk disk = new RamDisk(TARGET, 1 << 20);
  private final TargetNode node = ScriptedInitiator.node(disk);
  private final ScriptedInitiator initiator = new ScriptedInitiator(node);

  @AfterEach
  void memoryIsGivenBack() {
    initiator.finish();
    assertThat(node.dataMemory().used()).as("memory in use").isZero();
  }

  /// Known keys that may not be said now are not keys of the future.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "HeaderDigest=CRC32C",
        "DataDigest=None",
        "MaxBurstLength=65536",
        "FirstBurstLength=65536",
        "InitialR2T=No",
        "ImmediateData=Yes",
        "MaxConnections=1",
        "MaxOutstandingR2T=1",
        "DefaultTime2Wait=2",
        "DefaultTime2Retain=0",
        "DataPDUInOrder=Yes",
        "DataSequenceInOrder=Yes",
        "ErrorRecoveryLevel=0",
        "TaskReporting=RFC3720",
        "iSCSIProtocolLevel=1",
        "InitiatorName=iqn.2026-11.example:other",
        "TargetName=iqn.2026-11.example:other",
        "TargetAlias=x",
        "TargetAddress=192.0.2.1",
        "TargetPortalGroupTag=1",
        "SessionType=Normal",
        "AuthMethod=None",
        "CHAP_A=5",
        "IFMarker=No",
        "MaxRecvDataSegmentLength=511",
        "MaxRecvDataSegmentLength=16777216",
        "MaxRecvDataSegmentLength=many",
      })
  void knownKeyThatMayNotBeSaidNowIsRejected(String offered) {
    initiator.login();

    send(WHOLE, NO_TAG, ScriptedInitiator.text(offered));

    Received answer = answer();
    assertThat(answer.flags()).isEqualTo(0x80);
    assertThat(answer.text()).containsExactly(offered.replaceAll("=.*", "=Reject"));
  }

  @ParameterizedTest
  @CsvSource({"X-com.example.key=1", "Nonsense=2", "TargetRecvDataSegmentLength=512"})
  void keyOfTheFutureIsNotUnderstood(String offered) {
    initiator.login();

    send(WHOLE, NO_TAG, ScriptedInitiator.text(offered));

    assertThat(answer().text()).containsExactly(offered.replaceAll("=.*", "=NotUnderstood"));
  }

  @Test
  void declarationNeedsNoAnswer() {
    initiator.login();

    send(
        WHOLE,
        NO_TAG,
        ScriptedInitiator.text("InitiatorAlias=esx1", "MaxRecvDataSegmentLength=4096"));

    Received answer = answer();
    assertThat(answer.flags()).isEqualTo(0x80);
    assertThat(answer.word(20)).as("no transfer tag with the F bit").isEqualTo(NO_TAG);
    assertThat(answer.data()).isEmpty();
  }

  @Test
  void newSegmentLengthHoldsFromTheAnswerOn() {
    initiator.login("MaxRecvDataSegmentLength=4096");
    disk.content().put(0, pattern(8192, 1));
    read(4096, 4096);

    send(WHOLE, NO_TAG, ScriptedInitiator.text("MaxRecvDataSegmentLength=1024"));
    assertThat(answer().flags()).isEqualTo(0x80);
    read(1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024);
    initiator.ping(0x91, pattern(2000, 2));
    assertThat(initiator.receive().data()).hasSize(1024);

    send(WHOLE, NO_TAG, ScriptedInitiator.text("MaxRecvDataSegmentLength=16384"));
    assertThat(answer().flags()).isEqualTo(0x80);
    read(8192);
  }

  /// What is declared holds with the end of the sequence, and not at all without one.
  @Test
  void segmentLengthOfASequenceThatIsGivenUpDoesNotHold() {
    initiator.login("MaxRecvDataSegmentLength=4096");

    send(MORE_REQUESTS, NO_TAG, ScriptedInitiator.text("MaxRecvDataSegmentLength=1024"));
    Received open = answer();
    assertThat(open.flags()).as("neither F nor C").isZero();
    assertThat(open.word(20)).isNotEqualTo(NO_TAG);
    read(4096, 4096);
    send(WHOLE, NO_TAG, new byte[0]);
    assertThat(answer().flags()).isEqualTo(0x80);

    read(4096, 4096);
  }

  @Test
  void sequenceOfRequestsEndsWithTheLastOne() {
    initiator.login();

    send(MORE_REQUESTS, NO_TAG, ScriptedInitiator.text("SendTargets="));
    Received first = answer();
    assertThat(first.flags()).as("neither F nor C").isZero();
    assertThat(first.text()).contains("TargetName=" + TARGET);
    send(MORE_REQUESTS, first.word(20), ScriptedInitiator.text("X-more=1"));
    Received second = answer();
    assertThat(second.flags()).isZero();
    assertThat(second.text()).containsExactly("X-more=NotUnderstood");
    send(WHOLE, second.word(20), new byte[0]);

    Received last = answer();
    assertThat(last.flags()).isEqualTo(0x80);
    assertThat(last.word(20)).isEqualTo(NO_TAG);
    assertThat(last.data()).isEmpty();
  }

  /// Text may be cut anywhere; until all of it is there the answers are empty.
  @Test
  void textMayComeInSeveralRequests() {
    initiator.login();
    byte[] text = ScriptedInitiator.text("SendTargets=", "X-more=1");

    send(MORE_TEXT, NO_TAG, Arrays.copyOf(text, 5));
    Received first = answer();
    assertThat(first.flags()).isZero();
    assertThat(first.data()).isEmpty();
    send(MORE_TEXT, first.word(20), Arrays.copyOfRange(text, 5, 16));
    Received second = answer();
    assertThat(second.flags()).isZero();
    assertThat(second.data()).isEmpty();
    send(WHOLE, second.word(20), Arrays.copyOfRange(text, 16, text.length));

    Received last = answer();
    assertThat(last.flags()).isEqualTo(0x80);
    assertThat(last.text())
        .containsExactly(
            "TargetName=" + TARGET, "TargetAddress=192.0.2.7:3260,1", "X-more=NotUnderstood");
  }

  /// C with F, another one's transfer tag, a tag that has been answered, and text without an end.
  @Test
  void requestsThatDoNotFollowAreRejected() {
    initiator.login();
    send(WHOLE | MORE_TEXT, NO_TAG, ScriptedInitiator.text("SendTargets="));
    expectReject();
    send(MORE_TEXT, NO_TAG, new byte[] {'S'});
    int tag = answer().word(20);

    send(WHOLE, tag + 1, new byte[0]);
    expectReject();
    send(WHOLE, tag, new byte[0]);
    expectReject();

    send(MORE_TEXT, NO_TAG, new byte[60000]);
    send(MORE_TEXT, answer().word(20), new byte[60000]);
    expectReject();
    send(WHOLE, NO_TAG, ScriptedInitiator.text("SendTargets="));
    assertThat(answer().text()).contains("TargetName=" + TARGET);
  }

  private void read(int... pieces) {
    int length = Arrays.stream(pieces).sum();
    initiator.command(0x90, 0xc1, length, READ_10.formatted(length / 512));
    for (int piece : pieces) {
      assertThat(initiator.receive().data()).hasSize(piece);
    }
  }

  private void send(int flags, int transferTag, byte[] text) {
    ByteBuffer header = ScriptedInitiator.header(0x04, flags).putInt(16, 0x80);
    initiator.send(header.putInt(20, transferTag).putInt(24, initiator.cmdSn++), text);
  }

  private Received answer() {
    Received answer = initiator.receive();
    assertThat(answer.opcode()).as(answer.hex()).isEqualTo(0x24);
    return answer;
  }

  private void expectReject() {
    Received reject = initiator.receive();
    assertThat(reject.opcode()).isEqualTo(0x3f);
    assertThat(reject.unsignedByte(2)).isEqualTo(0x09);
  }
}
