package io.coppice.iscsi;

import static io.coppice.iscsi.ScriptedInitiator.NAME;
import static io.coppice.iscsi.ScriptedInitiator.READ_10;
import static io.coppice.iscsi.ScriptedInitiator.TARGET;
import static io.coppice.iscsi.ScriptedInitiator.WRITE_10;
import static io.coppice.iscsi.ScriptedInitiator.pattern;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.ScriptedInitiator.Received;
import io.coppice.iscsi.session.Session;
import io.coppice.iscsi.session.SessionState;
import io.coppice.iscsi.session.TargetNode;
import io.coppice.iscsi.testing.RamDisk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A login with the TSIH and the CID of a connection that is there takes its place in the session
/// (RFC 7143 §6.3.4).
class ConnectionReinstatementTest {

  private static final String WHO = "InitiatorName=" + NAME;
  private static final String WHERE = "TargetName=" + TARGET;

  private final RamDisk disk = new RamDisk(TARGET, 1 << 20);
  private final TargetNode node = ScriptedInitiator.node(disk);
  private final ScriptedInitiator older = new ScriptedInitiator(node);
  private final ScriptedInitiator newer = new ScriptedInitiator(node);

  @AfterEach
  void memoryIsGivenBack() {
    disk.release();
    older.finish();
    newer.finish();
    assertThat(node.dataMemory().used()).as("memory in use").isZero();
  }

  @Test
  void sessionGoesOnOverTheNewConnection() {
    int tsih = logIn(older);
    newer.cmdSn = older.cmdSn;

    newer.sendLogin(0x87, tsih, WHO, WHERE);
    older.expectDropped();

    Received response = newer.receive();
    assertThat(response.status()).isZero();
    assertThat(response.header().getShort(14)).as("TSIH").isEqualTo((short) tsih);
    assertThat(disk.attached).as("nexuses").hasSize(1);
    assertThat(disk.detached).as("nexuses that ended").isEmpty();
    assertThat(node.sessions().list()).hasSize(1);
    newer.command(0x21, 0xc1, 512, READ_10.formatted(1));
    assertThat(newer.receive().data()).hasSize(512);
    assertThat(disk.executed.getLast().nexus()).isSameAs(disk.attached.getFirst());
  }

  @Test
  void stateOfTheSessionIsThatOfItsLastLogin() {
    int tsih = logIn(older);
    Session session = node.sessions().list().getFirst();
    SessionState first = session.state().orElseThrow();
    newer.cmdSn = older.cmdSn;

    newer.sendLogin(0x87, tsih, WHO, WHERE, "HeaderDigest=CRC32C");
    older.expectDropped();
    newer.receive();

    assertThat(first.initiator().name()).isEqualTo(NAME);
    assertThat(first.target()).contains(TARGET);
    assertThat(first.headerDigest()).isFalse();
    SessionState now = session.state().orElseThrow();
    assertThat(now.headerDigest()).isTrue();
    assertThat(now.dataDigest()).isFalse();
    newer.finish();
    assertThat(session.state()).as("after the session").isEmpty();
  }

  @Test
  void whatRanOverTheOldConnectionHasEndedBefore() {
    int tsih = logIn(older);
    disk.finishInsteadOfTakingOut();
    disk.hold();
    older.command(0x22, 0xa1, 512, WRITE_10.formatted(1), pattern(512, 1));
    newer.cmdSn = older.cmdSn;

    newer.sendLogin(0x87, tsih, WHO, WHERE);
    newer.expectNothing();
    older.expectDropped();

    assertThat(disk.managed).as("ended at the device").hasSize(1);
    assertThat(newer.receive().status()).isZero();
    older.expectNothing();
  }

  @Test
  void numbersGoOnAfterThoseThatCame() {
    older.cmdSn = 10;
    int tsih = logIn(older);
    older.command(0x23, 0xc1, 512, READ_10.formatted(1));
    older.receive();
    newer.cmdSn = 10; // as if the answer had been lost: that number has been taken

    newer.sendLogin(0x87, tsih, WHO, WHERE);
    older.expectDropped();

    assertThat(newer.receive().word(28)).as("ExpCmdSN").isEqualTo(11);
    newer.command(0x24, 0xa1, 512, WRITE_10.formatted(1), pattern(512, 1));
    newer.expectNothing();
    newer.command(0x25, 0xa1, 512, WRITE_10.formatted(1), pattern(512, 1));
    assertThat(newer.receive().word(16)).isEqualTo(0x25);
  }

  @Test
  void numbersThatNeverCameAreNotWaitedFor() {
    int tsih = logIn(older);
    newer.cmdSn = older.cmdSn + 5;

    newer.sendLogin(0x87, tsih, WHO, WHERE);
    older.expectDropped();

    assertThat(newer.receive().word(28)).as("ExpCmdSN").isEqualTo(newer.cmdSn);
    newer.command(0x26, 0xc1, 512, READ_10.formatted(1));
    assertThat(newer.receive().word(16)).isEqualTo(0x26);
  }

  /// Keys of the session are said at its first login only; those of the connection are agreed anew.
  @Test
  void keysOfTheSessionStayAndThoseOfTheConnectionAreNew() {
    older.sendLogin(0x87, 0, WHO, WHERE, "MaxBurstLength=4096", "MaxRecvDataSegmentLength=2048");
    int tsih = older.receive().header().getShort(14);

    newer.sendLogin(
        0x87, tsih, WHO, WHERE, "MaxBurstLength=65536", "MaxRecvDataSegmentLength=3072");
    older.expectDropped();

    assertThat(newer.receive().text()).contains("MaxBurstLength=Reject");
    newer.command(0x27, 0xc1, 8192, READ_10.formatted(16));
    int[] lengths = {3072, 1024, 3072, 1024};
    for (int length : lengths) {
      assertThat(newer.receive().data()).hasSize(length);
    }
  }

  @Test
  void sessionEndsWithTheNewConnection() {
    int tsih = logIn(older);
    newer.sendLogin(0x87, tsih, WHO, WHERE);
    older.expectDropped();
    newer.receive();

    newer.channel().close();
    newer.channel().runPendingTasks();

    assertThat(disk.detached).hasSize(1);
    assertThat(node.sessions().list()).isEmpty();
  }

  @Test
  void anotherCidIsASecondConnection() {
    int tsih = logIn(older);
    newer.cid = 1;

    newer.sendLogin(0x87, tsih, WHO, WHERE);

    assertThat(newer.receive().status()).isEqualTo(0x0206);
    older.ping(0x28, new byte[0]);
    assertThat(older.receive().opcode()).isEqualTo(0x20);
  }

  @Test
  void anotherInitiatorOrIsidHasNoSuchSession() {
    int tsih = logIn(older);
    newer.isid = older.isid + 1;

    newer.sendLogin(0x87, tsih, WHO, WHERE);

    assertThat(newer.receive().status()).isEqualTo(0x020a);
    ScriptedInitiator stranger = new ScriptedInitiator(node);
    stranger.sendLogin(0x87, tsih, "InitiatorName=iqn.2026-11.example:other", WHERE);
    assertThat(stranger.receive().status()).isEqualTo(0x020a);
    stranger.finish();
    older.ping(0x29, new byte[0]);
    assertThat(older.receive().opcode()).isEqualTo(0x20);
  }

  /// A second one that comes while the first one waits for the device takes nothing over.
  @Test
  void connectionThatIsJustTakenOverIsNotTakenOverAgain() {
    int tsih = logIn(older);
    newer.sendLogin(0x87, tsih, WHO, WHERE); // the older one's thread has not run yet
    ScriptedInitiator third = new ScriptedInitiator(node);

    third.sendLogin(0x87, tsih, WHO, WHERE);

    assertThat(third.receive().status()).isEqualTo(0x020a);
    older.expectDropped();
    assertThat(newer.receive().status()).isZero();
    third.finish();
  }

  @Test
  void sessionThatLogsOutIsNotTakenOver() {
    int tsih = logIn(older);
    disk.holdDetaches();
    older.logout(0x2a, 0);

    newer.sendLogin(0x87, tsih, WHO, WHERE);

    assertThat(newer.receive().status()).isEqualTo(0x020a);
    disk.releaseDetaches();
    assertThat(older.receive().opcode()).isEqualTo(0x26);
  }

  private static int logIn(ScriptedInitiator initiator) {
    return initiator.login().header().getShort(14);
  }
}
