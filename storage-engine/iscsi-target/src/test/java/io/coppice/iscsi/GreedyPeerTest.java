package io.coppice.iscsi;

import static io.coppice.iscsi.ScriptedInitiator.NAME;
import static io.coppice.iscsi.ScriptedInitiator.NO_TAG;
import static io.coppice.iscsi.ScriptedInitiator.READ_10;
import static io.coppice.iscsi.ScriptedInitiator.TARGET;
import static io.coppice.iscsi.ScriptedInitiator.WRITE_10;
import static io.coppice.iscsi.ScriptedInitiator.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.ScriptedInitiator.Received;
import io.coppice.iscsi.connection.OutputWatch;
import io.coppice.iscsi.connection.PeerFault;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Peers that take more than their share, of commands, memory or sessions. Each is named after what
/// the peer does.
class GreedyPeerTest extends PeerAndBystander {

  @Test
  void floodsWithImmediateCommands() {
    peer.login();
    disk.hold();
    for (int i = 0; i < 100; i++) {
      ByteBuffer header =
          ScriptedInitiator.commandHeader(0x100 + i, 0xc1, 512, READ_10.formatted(1), peer.cmdSn);
      peer.send(header.put(0, (byte) 0x41));
    }

    assertThat(disk.executed).hasSize(32);
    expectRejected(0x06);
  }

  @Test
  void asksForMoreThanOneCommandMayMove() {
    peer.login();

    peer.command(1, 0xa1, 0x7fffffff, WRITE_10.formatted(1));
    peer.command(2, 0xa1, 0xffffffff, WRITE_10.formatted(1));

    for (int tag = 1; tag <= 2; tag++) {
      Received response = peer.receive();
      assertThat(response.word(16)).isEqualTo(tag);
      assertThat(response.unsignedByte(3)).as("check condition").isEqualTo(2);
      assertThat(response.data()[14]).isEqualTo((byte) 0x24);
    }
    assertThat(disk.executed).isEmpty();
  }

  @Test
  void fillsItsDataMemoryWithWritesItNeverFinishes() {
    peer.login("ImmediateData=No");

    for (int i = 0; i < 2; i++) {
      peer.command(i, 0xa1, 1 << 16, WRITE_10.formatted(128));
    }

    bystander.command(1, 0xa1, 512, WRITE_10.formatted(1), pattern(512, 1));
    assertThat(bystander.receive().unsignedByte(3)).as("the bystander's write").isZero();
    assertThat(peer.receive().opcode()).isEqualTo(0x31);
    Received full = peer.receive();
    assertThat(full.opcode()).isEqualTo(0x21);
    assertThat(full.unsignedByte(3)).as("task set full").isEqualTo(0x28);
  }

  @Test
  void readsWhenAllDataMemoryIsTaken() {
    peer.login();
    node.dataMemory().take(1 << 17);

    peer.command(1, 0xc1, 512, READ_10.formatted(1));

    expectTaskSetFull(1);
    node.dataMemory().giveBack(1 << 17);
    peer.command(2, 0xc1, 512, READ_10.formatted(1));
    assertThat(peer.receive().opcode()).isEqualTo(0x25);
  }

  @Test
  void asksForDataBeyondTheMemoryOfTheProcess() {
    peer.login("ImmediateData=No");
    peer.limitMemory(4096);

    peer.command(1, 0xc1, 8192, READ_10.formatted(16));
    expectTaskSetFull(1);
    peer.command(2, 0xa1, 8192, WRITE_10.formatted(16));
    expectTaskSetFull(2);

    assertThat(node.counters().of(PeerFault.OUT_OF_MEMORY)).isEqualTo(2);
    assertThat(node.dataMemory().used()).isZero();
    peer.command(3, 0xc1, 512, READ_10.formatted(1));
    assertThat(peer.receive().opcode()).isEqualTo(0x25);
  }

  private void expectTaskSetFull(int tag) {
    Received response = peer.receive();
    assertThat(response.opcode()).isEqualTo(0x21);
    assertThat(response.word(16)).isEqualTo(tag);
    assertThat(response.unsignedByte(3)).as("task set full").isEqualTo(0x28);
  }

  @Test
  void floodsWithTaskManagement() {
    peer.login();
    for (int i = 0; i < 1000; i++) {
      peer.manage(i, 5, NO_TAG, 0);
      assertThat(peer.receive().opcode()).isEqualTo(0x22);
    }
  }

  @Test
  void opensTooManySessions() {
    ScriptedInitiator[] more = new ScriptedInitiator[4];
    for (int i = 0; i < more.length; i++) {
      more[i] = new ScriptedInitiator(node);
      more[i].isid = 0x40_0000_00_0000L + i;
      more[i].sendLogin(0x87, 0, "InitiatorName=" + NAME, "TargetName=" + TARGET);
      assertThat(more[i].receive().status()).isEqualTo(i < 3 ? 0 : 0x0302);
    }
    for (ScriptedInitiator it : more) {
      it.finish();
    }
  }

  @Test
  void comesBackWhenThereAreNoMoreSessions() {
    ScriptedInitiator[] more = new ScriptedInitiator[3];
    for (int i = 0; i < more.length; i++) {
      more[i] = new ScriptedInitiator(node);
      more[i].isid = 0x40_0000_00_0000L + i;
      more[i].login();
    }

    peer.isid = more[0].isid;
    peer.sendLogin(0x87, 0, "InitiatorName=" + NAME, "TargetName=" + TARGET);

    more[0].expectDropped();
    assertThat(peer.receive().status()).isZero();
    for (ScriptedInitiator it : more) {
      it.finish();
    }
  }

  @Test
  void comesBackAgainAndAgainWhileItsFirstCommandRuns() {
    peer.login();
    disk.holdDetaches();
    ScriptedInitiator[] more = new ScriptedInitiator[8];
    for (int i = 0; i < more.length; i++) {
      more[i] = new ScriptedInitiator(node);
      more[i].sendLogin(0x87, 0, "InitiatorName=" + NAME, "TargetName=" + TARGET);
    }

    assertThat(more[7].receive().status()).isEqualTo(0x0302);
    disk.releaseDetaches();
    for (ScriptedInitiator it : more) {
      it.finish();
    }
  }

  @Test
  void opensDiscoverySessionsOnly() {
    ScriptedInitiator[] looking = new ScriptedInitiator[6];
    for (int i = 0; i < looking.length; i++) {
      looking[i] = new ScriptedInitiator(node);
      looking[i].sendLogin(0x87, 0, "InitiatorName=" + NAME, "SessionType=Discovery");
      if (i >= 2) {
        looking[i - 2].expectDropped();
      }
      assertThat(looking[i].poll().orElseThrow().status()).as("login %d", i).isZero();
    }

    peer.login();

    for (ScriptedInitiator it : looking) {
      it.finish();
    }
  }

  @Test
  void pingsAheadOfItsTurnUntilItsMemoryIsFull() {
    peer.login();
    for (int i = 0; i < 12; i++) {
      peer.pingInTurn(0x100 + i, peer.cmdSn + 1 + i, pattern(8192, i));
    }

    assertThat(node.dataMemory().used()).isEqualTo(1 << 16);
    expectRejected(0x0a);
    assertThat(node.counters().of(PeerFault.REJECTED)).isEqualTo(4);
  }

  @Test
  void rejectedImmediateCommandsDoNotWidenTheWindow() {
    peer.login();
    int before = node.limits().commands().window() + peer.cmdSn - 1;
    for (int i = 0; i < 20; i++) {
      ByteBuffer header =
          ScriptedInitiator.commandHeader(NO_TAG, 0xc1, 512, READ_10.formatted(1), peer.cmdSn);
      peer.send(header.put(0, (byte) 0x41));
      assertThat(peer.receive().word(32)).as("MaxCmdSN").isEqualTo(before);
    }
  }

  /// Time passes for the peer only, in the steps of the looks at what it owes.
  private void waitForWhatIsOwed() {
    int step = LIMITS.waits().dataOutMs() / OutputWatch.LOOKS;
    for (int i = 0; i <= OutputWatch.LOOKS; i++) {
      peer.channel().advanceTimeBy(step, TimeUnit.MILLISECONDS);
      peer.channel().runScheduledPendingTasks();
    }
  }

  @Test
  void beginsAWriteAndGoesNoFurther() {
    peer.login("ImmediateData=No");
    peer.command(1, 0xa1, 1 << 16, WRITE_10.formatted(128));
    assertThat(peer.receive().opcode()).as("R2T").isEqualTo(0x31);

    waitForWhatIsOwed();

    Received response = peer.receive();
    assertThat(response.opcode()).isEqualTo(0x21);
    assertThat(response.unsignedByte(3)).as("check condition").isEqualTo(2);
    assertThat(response.data()[4] & 0xf).as("aborted command").isEqualTo(0x0b);
    assertThat(response.data()[14]).isEqualTo((byte) 0x0c);
    assertThat(node.counters().of(PeerFault.DATA_OUT_TIMEOUT)).isEqualTo(1);
    assertThat(node.dataMemory().used()).isZero();
    peer.command(2, 0xc1, 512, READ_10.formatted(1));
    assertThat(peer.receive().opcode()).as("the session goes on").isEqualTo(0x25);
  }

  @Test
  void stopsInTheMiddleOfADataOut() {
    peer.login("ImmediateData=No");
    peer.command(1, 0xa1, 4096, WRITE_10.formatted(8));
    int tag = peer.receive().word(20);
    byte[] whole =
        peer.encode(
            ScriptedInitiator.header(0x05, 0x80).putInt(16, 1).putInt(20, tag), pattern(4096, 1));
    peer.sendRaw(Arrays.copyOf(whole, 1000));

    waitForWhatIsOwed();

    assertThat(peer.receive().unsignedByte(3)).as("check condition").isEqualTo(2);
    assertThat(node.dataMemory().used()).isZero();
    peer.sendRaw(Arrays.copyOfRange(whole, 1000, whole.length));
    peer.command(2, 0xc1, 512, READ_10.formatted(1));
    assertThat(peer.receive().opcode()).as("the session goes on").isEqualTo(0x25);
    assertThat(disk.content().getLong(0)).as("nothing of it is written").isZero();
  }

  @Test
  void leavesACommandNumberOut() {
    peer.login();
    peer.cmdSn++;
    peer.command(1, 0xa1, 512, WRITE_10.formatted(1), pattern(512, 1));

    waitForWhatIsOwed();

    peer.expectDropped();
    assertThat(node.counters().of(PeerFault.COMMAND_TIMEOUT)).isEqualTo(1);
    assertThat(node.dataMemory().used()).isZero();
  }
}
