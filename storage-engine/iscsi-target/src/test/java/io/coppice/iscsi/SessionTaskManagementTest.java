package io.coppice.iscsi;

import static io.coppice.iscsi.ScriptedInitiator.NO_TAG;
import static io.coppice.iscsi.ScriptedInitiator.READ_10;
import static io.coppice.iscsi.ScriptedInitiator.TARGET;
import static io.coppice.iscsi.ScriptedInitiator.WRITE_10;
import static io.coppice.iscsi.ScriptedInitiator.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.ScriptedInitiator.Received;
import io.coppice.iscsi.connection.PeerFault;
import io.coppice.iscsi.session.TargetNode;
import io.coppice.iscsi.testing.RamDisk;
import io.coppice.scsi.transport.TaskManagement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Task management as a session sees it: aborts, resets, and what they answer.
class SessionTaskManagementTest {

  private final RamDisk disk = new RamDisk(TARGET, 1 << 20);
  private final TargetNode node = ScriptedInitiator.node(disk);
  private final ScriptedInitiator initiator = new ScriptedInitiator(node);

  @AfterEach
  void memoryIsGivenBack() {
    disk.release();
    initiator.finish();
    assertThat(node.dataMemory().used()).as("memory in use").isZero();
  }

  @Test
  void abortedCommandIsNotAnswered() {
    initiator.login();
    disk.hold();
    initiator.command(0x60, 0xc1, 512, READ_10.formatted(1));

    initiator.manage(0x61, 1, 0x60, 1);

    Received response = initiator.receive();
    assertThat(response.opcode()).isEqualTo(0x22);
    assertThat(response.unsignedByte(2)).as("function complete").isZero();
    initiator.expectNothing();
    assertThat(disk.managed).hasSize(1).first().isInstanceOf(TaskManagement.AbortTask.class);
  }

  @Test
  void abortAtAnotherUnitLeavesTheCommandAlone() {
    initiator.login();
    disk.hold();
    initiator.command(0x60, 0xc1, 512, READ_10.formatted(1));

    initiator.manageAt(0x0001L << 48, 0x61, 1, 0x60, 1);

    Received response = initiator.receive();
    assertThat(response.opcode()).isEqualTo(0x22);
    assertThat(response.unsignedByte(2)).as("task does not exist").isEqualTo(1);
    assertThat(disk.managed).isEmpty();
    disk.release();
    assertThat(initiator.receive().word(16)).isEqualTo(0x60);
  }

  @Test
  void abortNamesTheUnitInAnyForm() {
    initiator.login();
    disk.hold();
    initiator.command(0x60, 0xc1, 512, READ_10.formatted(1));

    initiator.manageAt(0x4000L << 48, 0x61, 1, 0x60, 1);

    assertThat(initiator.receive().unsignedByte(2)).as("function complete").isZero();
    assertThat(disk.managed).hasSize(1);
    initiator.expectNothing();
  }

  @Test
  void resetNamesTheUnitOfWhatItEndsInAnyForm() {
    initiator.login("ImmediateData=No");
    initiator.command(0x67, 0xa1, 512, WRITE_10.formatted(1));
    int tag = initiator.receive().word(20);

    initiator.manageAt(0x4000L << 48, 0x68, 5, NO_TAG, 0);
    assertThat(initiator.receive().opcode()).isEqualTo(0x22);
    initiator.dataOut(0x67, tag, true, 0, 0, pattern(512, 1));

    assertThat(disk.executed).as("a write after the reset").isEmpty();
  }

  @Test
  void abortedCommandThatCompletesAllTheSameIsNotAnswered() {
    initiator.login();
    disk.hold();
    disk.finishInsteadOfTakingOut();
    initiator.command(0x60, 0xc1, 512, READ_10.formatted(1));

    initiator.manage(0x61, 1, 0x60, 1);

    assertThat(initiator.receive().opcode()).isEqualTo(0x22);
    initiator.expectNothing();
  }

  @Test
  void abortThatCrossesTheAnswerFindsNoTask() {
    initiator.login();
    initiator.command(0x62, 0xc1, 512, READ_10.formatted(1));
    int answered = initiator.receive().word(24);

    initiator.manage(0x63, 1, 0x62, 1, answered);

    assertThat(initiator.receive().unsignedByte(2)).as("task does not exist").isEqualTo(1);
  }

  @Test
  void abortOfATagThatAnAnsweredPingHadDoesNotMeetItsStatus() {
    initiator.login();
    for (int i = 0; i < 256; i++) {
      initiator.command(0x100 + i, 0xc1, 512, READ_10.formatted(1));
      initiator.receive();
    }
    int seen = 0;
    for (int i = 0; i < 256; i++) {
      initiator.ping(0x500 + i, new byte[0]);
      seen = Math.max(seen, initiator.receive().word(24));
    }

    // The statuses that this initiator has not acknowledged are those of pings, not of 101h.
    initiator.manage(0x63, 1, 0x101, 2, seen - 255);

    assertThat(initiator.receive().unsignedByte(2)).as("function complete").isZero();
  }

  @Test
  void abortOfALostNumberLetsThoseAfterItGoOn() {
    initiator.login();
    int lost = initiator.cmdSn++;
    initiator.command(0x64, 0xc1, 512, READ_10.formatted(1));
    initiator.expectNothing();

    initiator.manage(0x65, 1, 0x99, lost);

    assertThat(initiator.receive().unsignedByte(2)).as("function complete").isZero();
    assertThat(initiator.receive().word(16)).isEqualTo(0x64);
  }

  @Test
  void abortOfAnAnsweredCommandIsComplete() {
    initiator.login();
    initiator.command(0x62, 0xc1, 512, READ_10.formatted(1));
    initiator.receive();

    initiator.manage(0x63, 1, 0x62, 1);

    assertThat(initiator.receive().unsignedByte(2)).isZero();
    assertThat(disk.managed).isEmpty();
  }

  @Test
  void abortOfACommandNeverSentDoesNotExist() {
    initiator.login();

    initiator.manage(0x64, 1, 0x99, 100);

    assertThat(initiator.receive().unsignedByte(2)).isEqualTo(1);
  }

  @Test
  void abortedWriteDropsItsDataAndStaleDataIsSwallowed() {
    initiator.login("ImmediateData=No");
    initiator.command(0x65, 0xa1, 512, WRITE_10.formatted(1));
    int stale = initiator.receive().word(20);
    initiator.manage(0x66, 1, 0x65, 1);
    assertThat(initiator.receive().unsignedByte(2)).isZero();

    initiator.dataOut(0x65, stale, true, 0, 0, pattern(512, 1));

    initiator.expectNothing();
    assertThat(node.counters().of(PeerFault.DATA_OUT_UNKNOWN)).isEqualTo(1);
    assertThat(disk.executed).isEmpty();
    initiator.command(0x65, 0xa1, 512, WRITE_10.formatted(1));
    assertThat(initiator.receive().word(20)).as("tag of the next command").isNotEqualTo(stale);
  }

  @Test
  void logicalUnitResetEndsCommandsThatCollectData() {
    initiator.login("ImmediateData=No");
    initiator.command(0x67, 0xa1, 512, WRITE_10.formatted(1));
    initiator.receive();

    initiator.manage(0x68, 5, NO_TAG, 0);

    assertThat(initiator.receive().opcode()).isEqualTo(0x22);
    assertThat(disk.managed).first().isInstanceOf(TaskManagement.LogicalUnitReset.class);
    assertThat(node.dataMemory().used()).isZero();
  }

  @Test
  void coldResetEndsTheSessionsOfTheAskerOnly() {
    initiator.login();
    ScriptedInitiator other = new ScriptedInitiator(node);
    other.isid = 0x80_0000_01_0001L;
    other.login();
    ScriptedInitiator stranger = new ScriptedInitiator(node);
    stranger.sendLogin(
        0x87, 0, "InitiatorName=iqn.2026-11.example:stranger", "TargetName=" + TARGET);
    stranger.receive();

    initiator.manage(0x68, 7, NO_TAG, 0);

    assertThat(initiator.receive().unsignedByte(2)).isZero();
    initiator.expectDropped();
    other.expectDropped();
    stranger.ping(0x69, new byte[0]);
    assertThat(stranger.receive().opcode()).as("the stranger's ping").isEqualTo(0x20);
    assertThat(node.sessions().list()).hasSize(1);
    other.finish();
    stranger.finish();
  }

  @Test
  void reassignmentAndUnknownFunctionsAreNotSupported() {
    initiator.login();

    initiator.manage(0x69, 8, 1, 0);
    assertThat(initiator.receive().unsignedByte(2)).isEqualTo(4);
    initiator.manage(0x6a, 100, 1, 0);
    assertThat(initiator.receive().unsignedByte(2)).isEqualTo(5);
  }
}
