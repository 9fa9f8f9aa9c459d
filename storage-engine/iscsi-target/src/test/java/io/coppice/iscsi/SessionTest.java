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
import io.coppice.iscsi.session.TargetNode;
import io.coppice.iscsi.testing.RamDisk;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What lives as long as a session: order of commands, pings, text, task management, its end.
class SessionTest {

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
  void pingIsAnsweredWithItsDataWhileCommandsWait() {
    initiator.login();
    disk.hold();
    initiator.command(0x30, 0xc1, 512, READ_10.formatted(1));

    initiator.ping(0x31, new byte[] {1, 2, 3, 4, 5});

    Received answer = initiator.receive();
    assertThat(answer.hex())
        .isEqualTo(
            "20800000000000050000000000000000"
                + "00000031ffffffff0000000100000002"
                + "00000080000000000000000000000000");
    assertThat(answer.data()).containsExactly(1, 2, 3, 4, 5);
  }

  @Test
  void silentInitiatorIsPingedAndThenDropped() {
    initiator.channel().freezeTime();
    initiator.login();
    int interval = node.limits().waits().nopMs();

    // What came with the login counts for the first interval.
    advance(interval);
    initiator.expectNothing();
    advance(interval);
    Received ping = initiator.receive();
    assertThat(ping.opcode()).isEqualTo(0x20);
    assertThat(ping.word(16)).isEqualTo(NO_TAG);
    assertThat(ping.word(20)).isNotEqualTo(NO_TAG);
    assertThat(ping.word(24)).as("StatSN is shown, not taken").isEqualTo(1);
    advance(interval);

    initiator.expectDropped();
    assertThat(node.counters().of(PeerFault.NOT_ALIVE)).isEqualTo(1);
  }

  @Test
  void initiatorThatAnswersThePingStays() {
    initiator.channel().freezeTime();
    initiator.login();
    int interval = node.limits().waits().nopMs();
    advance(interval);
    advance(interval);
    Received ping = initiator.receive();

    ByteBuffer answer = ScriptedInitiator.header(0x40, 0x80);
    initiator.send(answer.putInt(16, NO_TAG).putInt(20, ping.word(20)).putInt(24, 1));
    advance(interval);

    initiator.expectNothing();
    assertThat(initiator.channel().isOpen()).isTrue();
  }

  @Test
  void initiatorAtWorkIsAskedHowLongItTakesToAnswer() {
    initiator.channel().freezeTime();
    initiator.login();
    int interval = node.limits().waits().nopMs();
    initiator.command(0x40, 0xc1, 512, READ_10.formatted(1));
    initiator.receive();
    assertThat(node.sessions().list().getFirst().state().orElseThrow().roundTrip()).isEmpty();

    advance(interval);
    Received ping = initiator.receive();
    assertThat(ping.opcode()).isEqualTo(0x20);
    ByteBuffer answer = ScriptedInitiator.header(0x40, 0x80);
    initiator.send(answer.putInt(16, NO_TAG).putInt(20, ping.word(20)).putInt(24, initiator.cmdSn));

    assertThat(node.sessions().list().getFirst().state().orElseThrow().roundTrip()).isPresent();
    advance(interval);
    initiator.expectNothing();
  }

  @Test
  void commandsThatComeEarlyWaitForTheirTurn() {
    initiator.login();
    int first = initiator.cmdSn;

    for (int ahead : new int[] {2, 1}) {
      initiator.send(
          ScriptedInitiator.commandHeader(
              0x40 + ahead, 0xc1, 512, READ_10.formatted(1), first + ahead));
    }
    initiator.expectNothing();
    initiator.send(ScriptedInitiator.commandHeader(0x40, 0xc1, 512, READ_10.formatted(1), first));

    for (int tag = 0x40; tag <= 0x42; tag++) {
      assertThat(initiator.receive().word(16)).isEqualTo(tag);
    }
    assertThat(disk.executed.stream().map(it -> (int) it.tag())).containsExactly(0x40, 0x41, 0x42);
  }

  @Test
  void commandOutsideTheWindowIsIgnored() {
    initiator.login();
    int first = initiator.cmdSn;

    for (int cmdSn : new int[] {first - 1, first + 128}) {
      initiator.send(
          ScriptedInitiator.commandHeader(0x45, 0xa1, 512, WRITE_10.formatted(1), cmdSn),
          pattern(512, 1));
    }

    initiator.expectNothing();
    assertThat(disk.executed).isEmpty();
    assertThat(node.counters().of(PeerFault.CMD_SN_OUTSIDE_WINDOW)).isEqualTo(2);
    initiator.command(0x46, 0xc1, 512, READ_10.formatted(1));
    assertThat(initiator.receive().word(16)).isEqualTo(0x46);
  }

  @Test
  void windowClosesWithTheCommandsThatWait() {
    initiator.login();
    disk.hold();
    for (int i = 0; i < 128; i++) {
      initiator.command(0x1000 + i, 0xc1, 512, READ_10.formatted(1));
    }
    initiator.command(0x2000, 0xc1, 512, READ_10.formatted(1));
    assertThat(node.counters().of(PeerFault.CMD_SN_OUTSIDE_WINDOW)).isEqualTo(1);

    disk.release();

    Received first = initiator.receive();
    assertThat(first.word(28)).as("ExpCmdSN").isEqualTo(129);
    assertThat(first.word(32)).as("MaxCmdSN").isEqualTo(129);
  }

  @Test
  void numbersGoRoundAtTheirEnd() {
    initiator.cmdSn = 0xffff_fffe;
    initiator.login();

    for (int i = 0; i < 300; i++) {
      initiator.command(0x50 + i, 0xc1, 512, READ_10.formatted(1));
      assertThat(initiator.receive().word(16)).isEqualTo(0x50 + i);
    }
  }

  @Test
  void refusedRequestThatCameEarlyIsReturnedWithItsOwnHeader() {
    initiator.discover();
    int first = initiator.cmdSn;
    byte[] noText = {'x', 0};
    ByteBuffer early = ScriptedInitiator.header(0x04, 0x80).putInt(16, 0x81);
    initiator.send(early.putInt(20, NO_TAG).putInt(24, first + 1), noText);

    initiator.pingInTurn(0x82, first, new byte[0]);

    assertThat(initiator.receive().word(16)).as("the ping").isEqualTo(0x82);
    Received reject = initiator.receive();
    assertThat(reject.opcode()).isEqualTo(0x3f);
    assertThat(ByteBuffer.wrap(reject.data()).getInt(16)).as("refused tag").isEqualTo(0x81);
  }

  @Test
  void discoverySessionEndsAfterItsTime() {
    initiator.channel().freezeTime();
    initiator.discover();

    for (int passed = 0; passed < node.limits().waits().discoveryMs(); passed += 5000) {
      initiator.ping(0x90, new byte[0]);
      advance(5000);
    }

    initiator.expectDropped();
    assertThat(node.sessions().list()).isEmpty();
  }

  @Test
  void logoutIsAnsweredWhenNoCommandRunsAnyMore() {
    initiator.login();
    disk.hold();
    disk.holdDetaches();
    initiator.command(0x70, 0xc1, 512, READ_10.formatted(1));

    initiator.logout(0x71, 0);
    initiator.expectNothing();
    disk.releaseDetaches();

    Received response = initiator.receive();
    assertThat(response.opcode()).isEqualTo(0x26);
    assertThat(response.unsignedByte(2)).isZero();
    initiator.expectDropped();
    assertThat(disk.detached).hasSize(1);
    assertThat(node.sessions().list()).isEmpty();
  }

  @Test
  void logoutForRecoveryIsNotSupported() {
    initiator.login();

    initiator.logout(0x72, 2);

    assertThat(initiator.receive().unsignedByte(2)).isEqualTo(2);
    assertThat(initiator.channel().isOpen()).isTrue();
  }

  @Test
  void newLoginOfTheSamePortEndsTheOldSessionFirst() {
    initiator.login();
    disk.hold();
    disk.holdDetaches();
    initiator.command(0x73, 0xc1, 512, READ_10.formatted(1));
    ScriptedInitiator again = new ScriptedInitiator(node);

    again.sendLogin(0x87, 0, "InitiatorName=" + NAME, "TargetName=" + TARGET);
    initiator.expectDropped();
    again.expectNothing();
    assertThat(disk.attached).as("not attached while the old nexus lives").hasSize(1);
    disk.releaseDetaches();

    assertThat(again.receive().status()).isZero();
    assertThat(disk.attached).hasSize(2);
    assertThat(node.sessions().list()).hasSize(1);
    again.finish();
  }

  @Test
  void thirdLoginSupersedesTheSecondThatStillWaits() {
    initiator.login();
    disk.holdDetaches();
    ScriptedInitiator second = new ScriptedInitiator(node);
    ScriptedInitiator third = new ScriptedInitiator(node);
    second.sendLogin(0x87, 0, "InitiatorName=" + NAME, "TargetName=" + TARGET);
    initiator.expectDropped();

    third.sendLogin(0x87, 0, "InitiatorName=" + NAME, "TargetName=" + TARGET);
    second.expectDropped();
    disk.releaseDetaches();

    assertThat(third.receive().status()).isZero();
    assertThat(disk.attached).hasSize(2);
    assertThat(node.sessions().list()).hasSize(1);
    second.finish();
    third.finish();
  }

  @Test
  void otherIsidIsAnotherSession() {
    initiator.login();
    ScriptedInitiator other = new ScriptedInitiator(node);
    other.isid = 0x80_0000_01_0001L;

    other.login();

    initiator.ping(0x74, new byte[0]);
    assertThat(initiator.receive().opcode()).isEqualTo(0x20);
    assertThat(node.sessions().list()).hasSize(2);
    other.finish();
  }

  @Test
  void lostConnectionEndsTheSessionAndGivesMemoryBackWhenCommandsComplete() {
    initiator.login();
    disk.hold();
    initiator.command(0x75, 0xa1, 512, WRITE_10.formatted(1), pattern(512, 1));
    disk.holdDetaches();

    initiator.channel().close();
    initiator.channel().runPendingTasks();
    assertThat(node.sessions().list()).hasSize(1);
    disk.releaseDetaches();

    assertThat(disk.detached).hasSize(1);
    assertThat(node.sessions().list()).isEmpty();
  }

  @Test
  void discoveryTellsWhatTheInitiatorMayReach() {
    RamDisk hidden =
        new RamDisk("iqn.2026-11.io.coppice:x", 512, Set.of("iqn.2026-11.a:b"), Runnable::run);
    TargetNode both = ScriptedInitiator.node(disk, hidden);
    ScriptedInitiator looking = new ScriptedInitiator(both);
    looking.sendLogin(0x87, 0, "InitiatorName=" + NAME, "SessionType=Discovery");
    looking.receive();

    sendText(looking, "SendTargets=All");

    Received answer = looking.receive();
    assertThat(answer.opcode()).isEqualTo(0x24);
    assertThat(answer.flags()).isEqualTo(0x80);
    assertThat(answer.text())
        .containsExactly("TargetName=" + TARGET, "TargetAddress=192.0.2.7:3260,1");
    looking.finish();
  }

  @Test
  void longTextComesInPieces() {
    RamDisk[] disks = new RamDisk[20];
    for (int i = 0; i < disks.length; i++) {
      disks[i] = new RamDisk("iqn.2026-11.io.coppice:disk-" + i, 512);
    }
    ScriptedInitiator looking = new ScriptedInitiator(ScriptedInitiator.node(disks));
    looking.sendLogin(
        0x87, 0, "InitiatorName=" + NAME, "SessionType=Discovery", "MaxRecvDataSegmentLength=512");
    looking.receive();

    sendText(looking, "SendTargets=All");
    StringBuilder all = new StringBuilder();
    Received piece = looking.receive();
    while ((piece.flags() & 0x40) != 0) {
      assertThat(piece.data()).hasSize(512);
      all.append(new String(piece.data(), StandardCharsets.UTF_8));
      ByteBuffer more = ScriptedInitiator.header(0x44, 0x80).putInt(16, 0x80);
      looking.send(more.putInt(20, piece.word(20)).putInt(24, looking.cmdSn));
      piece = looking.receive();
    }
    all.append(new String(piece.data(), StandardCharsets.UTF_8));

    assertThat(piece.flags()).isEqualTo(0x80);
    assertThat(all.toString().split("\0")).hasSize(40).contains("TargetName=" + disks[19].name());
    looking.finish();
  }

  @Test
  void emptySendTargetsInANormalSessionIsItsOwnTarget() {
    initiator.login();

    sendText(initiator, "SendTargets=");

    assertThat(initiator.receive().text())
        .containsExactly("TargetName=" + TARGET, "TargetAddress=192.0.2.7:3260,1");
  }

  @Test
  void commandInADiscoverySessionIsRejected() {
    initiator.sendLogin(0x87, 0, "InitiatorName=" + NAME, "SessionType=Discovery");
    initiator.receive();

    initiator.command(0x76, 0xc1, 512, READ_10.formatted(1));

    Received reject = initiator.receive();
    assertThat(reject.opcode()).isEqualTo(0x3f);
    assertThat(reject.unsignedByte(2)).isEqualTo(4);
    assertThat(reject.data()).hasSize(48);
  }

  private static void sendText(ScriptedInitiator from, String pair) {
    ByteBuffer header = ScriptedInitiator.header(0x04, 0x80).putInt(16, 0x80);
    from.send(header.putInt(20, NO_TAG).putInt(24, from.cmdSn++), ScriptedInitiator.text(pair));
  }

  private void advance(int ms) {
    initiator.channel().advanceTimeBy(ms, TimeUnit.MILLISECONDS);
    initiator.channel().runScheduledPendingTasks();
  }
}
