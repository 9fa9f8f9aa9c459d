package io.coppice.iscsi;

import static io.coppice.iscsi.ScriptedInitiator.NAME;
import static io.coppice.iscsi.ScriptedInitiator.READ_10;
import static io.coppice.iscsi.ScriptedInitiator.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.ScriptedInitiator.Received;
import io.coppice.iscsi.connection.PeerFault;
import io.coppice.iscsi.connection.Portal;
import io.coppice.iscsi.session.Portals;
import io.coppice.iscsi.session.TargetNode;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.iscsi.testing.RamDisk;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// An administrator empties a portal: sessions are asked to leave (RFC 7143 §11.9.1), logins are
/// sent to another portal (§11.13.5).
class DrainTest {

  private static final String WHO = "InitiatorName=" + NAME;
  private static final String WHERE = "TargetName=" + TARGET;
  private static final int ASYNC_MESSAGE = 0x32;

  private final RamDisk disk = new RamDisk(TARGET, 1 << 20);
  private Optional<String> secret = Optional.empty();
  private final TargetNode node = nodeWith("192.0.2.7:3260", "192.0.2.8:3260");
  private final List<ScriptedInitiator> initiators = new ArrayList<>();

  private TargetNode nodeWith(String... portals) {
    TargetNode base = ScriptedInitiator.node(IscsiLimits.defaults(), _ -> secret, disk);
    Portals told = new Portals(List.of(portals), IscsiLimits.defaults().sessions().connections());
    for (int i = 0; i < portals.length; i++) {
      told.add(new InetSocketAddress("127.0.0.1", 3260 + i));
    }
    return new TargetNode(
        base.settings(),
        base.targets(),
        base.secrets(),
        told,
        base.sessions(),
        base.dataMemory(),
        base.counters(),
        base.failures());
  }

  private ScriptedInitiator at(TargetNode where, int number) {
    ScriptedInitiator initiator =
        new ScriptedInitiator(where, where.portals().find(number).orElseThrow());
    initiator.isid = 0x80_0000_00_0000L + initiators.size();
    initiator.channel().freezeTime();
    initiators.add(initiator);
    return initiator;
  }

  private ScriptedInitiator at(int number) {
    return at(node, number);
  }

  private void drain(int number) {
    node.drain(node.portals().find(number).orElseThrow());
  }

  private void undrain(int number) {
    node.undrain(node.portals().find(number).orElseThrow());
  }

  /// Time stands still until it passes.
  private static void pass(ScriptedInitiator initiator, int milliseconds) {
    initiator.channel().advanceTimeBy(milliseconds, TimeUnit.MILLISECONDS);
    initiator.channel().runScheduledPendingTasks();
  }

  @AfterEach
  void memoryIsGivenBack() {
    initiators.forEach(ScriptedInitiator::finish);
    assertThat(node.counters().of(PeerFault.INTERNAL)).as("mistakes of ours").isZero();
    assertThat(node.sessions().list()).isEmpty();
  }

  @Test
  void initiatorIsAskedToLogOutAndDroppedIfItDoesNot() {
    ScriptedInitiator initiator = at(1);
    initiator.login();

    drain(1);

    Received asked = initiator.receive();
    assertThat(asked.opcode()).isEqualTo(ASYNC_MESSAGE);
    assertThat(asked.unsignedByte(36)).as("event").isEqualTo(1);
    assertThat(asked.word(40)).as("parameters 2 and 3: seconds").isEqualTo(5);
    pass(initiator, IscsiLimits.defaults().waits().logoutMs() - 1);
    initiator.expectNothing();
    assertThat(initiator.channel().isOpen()).isTrue();
    pass(initiator, 1);
    Received gone = initiator.receive();
    assertThat(gone.unsignedByte(36)).as("event").isEqualTo(3);
    initiator.expectDropped();
  }

  @Test
  void initiatorThatLogsOutIsAnsweredAndNotDropped() {
    ScriptedInitiator initiator = at(1);
    initiator.login();
    drain(1);
    initiator.receive();

    initiator.command(1, 0xc1, 512, READ_10.formatted(1));
    assertThat(initiator.receive().opcode()).as("commands go on").isEqualTo(0x25);
    initiator.logout(2, 0);

    assertThat(initiator.receive().opcode()).as("logout response").isEqualTo(0x26);
    initiator.expectNothing();
  }

  @Test
  void drainingAgainAsksNobodyTwice() {
    ScriptedInitiator initiator = at(1);
    initiator.login();

    drain(1);
    drain(1);

    initiator.receive();
    initiator.expectNothing();
  }

  @Test
  void loginAtADrainedPortalIsSentToTheOther() {
    drain(1);
    ScriptedInitiator initiator = at(1);

    initiator.sendLogin(0x87, 0, WHO, WHERE);

    Received answer = initiator.receive();
    assertThat(answer.status()).isEqualTo(0x0101);
    assertThat(answer.text())
        .as("without a portal group tag, RFC 7143 §13.8")
        .contains("TargetAddress=192.0.2.8:3260");
    initiator.expectDropped();
    assertThat(node.counters().redirects()).isEqualTo(1);
    assertThat(node.counters().of(PeerFault.LOGIN_REFUSED)).as("it is no fault").isZero();
    at(2).login();
  }

  @Test
  void onlyWhoHasProvenItselfIsToldWhere() {
    secret = Optional.of("correct horse");
    drain(1);
    ScriptedInitiator initiator = at(1);

    initiator.sendLogin(0x87, 0, WHO, WHERE);

    Received answer = initiator.receive();
    assertThat(answer.status()).isEqualTo(0x0201);
    assertThat(answer.data()).isEmpty();
    initiator.expectDropped();
  }

  @Test
  void whereNoPortalIsLeftTheServiceIsUnavailable() {
    drain(1);
    drain(2);
    ScriptedInitiator initiator = at(1);

    initiator.sendLogin(0x87, 0, WHO, WHERE);

    assertThat(initiator.receive().status()).isEqualTo(0x0301);
    initiator.expectDropped();
  }

  @Test
  void sessionsOfOtherPortalsAreNotAsked() {
    ScriptedInitiator here = at(1);
    ScriptedInitiator there = at(2);
    here.login();
    there.login();

    drain(1);
    pass(there, IscsiLimits.defaults().waits().logoutMs() + 1);

    there.expectNothing();
    assertThat(there.channel().isOpen()).isTrue();
  }

  @Test
  void sessionElsewhereOutlivesALoginThatIsSentAway() {
    ScriptedInitiator there = at(2);
    there.login();
    drain(1);
    ScriptedInitiator here = at(1);
    here.isid = there.isid;

    here.sendLogin(0x87, 0, WHO, WHERE);

    assertThat(here.receive().status()).isEqualTo(0x0101);
    there.command(1, 0xc1, 512, READ_10.formatted(1));
    assertThat(there.receive().opcode()).as("not reinstated").isEqualTo(0x25);
  }

  @Test
  void discoveryTellsThePortalsThatAreLeft() {
    drain(1);
    ScriptedInitiator initiator = at(1);
    initiator.discover();

    initiator.send(
        ScriptedInitiator.header(0x04, 0x80).putInt(16, 1).putInt(20, -1).putInt(24, 1),
        ScriptedInitiator.text("SendTargets=All"));

    assertThat(initiator.receive().text())
        .containsExactly("TargetName=" + TARGET, "TargetAddress=192.0.2.8:3260,1");
  }

  @Test
  void whoIsStillThereMayStayWhenTheDrainEnds() {
    ScriptedInitiator initiator = at(1);
    initiator.login();
    drain(1);
    initiator.receive();

    undrain(1);
    pass(initiator, IscsiLimits.defaults().waits().logoutMs() + 1);

    initiator.expectNothing();
    assertThat(initiator.channel().isOpen()).isTrue();
    at(1).login();
  }

  /// A session that came in at portal 1, which is drained, and is at portal 2 now.
  private ScriptedInitiator sentAway() {
    ScriptedInitiator first = at(1);
    first.login();
    drain(1);
    first.receive();
    first.logout(9, 0);
    first.receive();
    expectSent(loginAgain(first, 1), "192.0.2.8:3260");
    ScriptedInitiator moved = loginAgain(first, 2);
    assertThat(moved.receive().status()).isZero();
    return moved;
  }

  /// The same initiator port logs in at a portal.
  private ScriptedInitiator loginAgain(ScriptedInitiator before, int number) {
    ScriptedInitiator again = at(number);
    again.isid = before.isid;
    again.sendLogin(0x87, 0, WHO, WHERE);
    return again;
  }

  private static void expectSent(ScriptedInitiator initiator, String address) {
    Received answer = initiator.receive();
    assertThat(answer.status()).isEqualTo(0x0101);
    assertThat(answer.text()).contains("TargetAddress=" + address);
    initiator.expectDropped();
  }

  @Test
  void whoWasSentAwayIsAskedToComeBackWhenTheDrainEnds() {
    ScriptedInitiator otherPath = at(2);
    otherPath.login();
    ScriptedInitiator moved = sentAway();
    Portal first = node.portals().find(1).orElseThrow();
    assertThat(node.sessions().list()).filteredOn(it -> it.isAwayFrom(first)).hasSize(1);

    undrain(1);

    Received asked = moved.receive();
    assertThat(asked.opcode()).isEqualTo(ASYNC_MESSAGE);
    assertThat(asked.unsignedByte(36)).as("event").isEqualTo(1);
    otherPath.expectNothing();
    moved.logout(9, 0);
    assertThat(moved.receive().opcode()).as("logout response").isEqualTo(0x26);
    ScriptedInitiator back = loginAgain(moved, 1);
    assertThat(back.receive().status()).isZero();
    back.expectNothing();
    assertThat(node.sessions().list()).filteredOn(it -> it.isAwayFrom(first)).isEmpty();
  }

  @Test
  void whoDoesNotComeBackMayStayWhereItIs() {
    ScriptedInitiator moved = sentAway();

    undrain(1);
    moved.receive();
    pass(moved, IscsiLimits.defaults().waits().logoutMs() + 1);

    moved.command(1, 0xc1, 512, READ_10.formatted(1));
    assertThat(moved.receive().opcode()).isEqualTo(0x25);
  }

  @Test
  void whoComesBackToTheWrongPortalIsToldOnceWhereItBelongs() {
    ScriptedInitiator moved = sentAway();
    undrain(1);
    moved.receive();
    moved.logout(9, 0);
    moved.receive();

    expectSent(loginAgain(moved, 2), "192.0.2.7:3260");

    ScriptedInitiator insists = loginAgain(moved, 2);
    assertThat(insists.receive().status()).isZero();
    insists.expectNothing();
  }

  @Test
  void whoIsOnItsWayWhenTheDrainEndsIsSentBack() {
    drain(1);
    ScriptedInitiator first = loginAgain(at(2), 1);
    expectSent(first, "192.0.2.8:3260");
    undrain(1);

    expectSent(loginAgain(first, 2), "192.0.2.7:3260");
    assertThat(loginAgain(first, 1).receive().status()).isZero();
  }

  @Test
  void loginThatWaitedWhenTheDrainEndedIsAskedToComeBack() {
    ScriptedInitiator moved = sentAway();
    disk.holdDetaches();
    ScriptedInitiator replaces = loginAgain(moved, 2);
    moved.expectDropped();
    replaces.expectNothing();

    undrain(1);
    disk.releaseDetaches();

    assertThat(replaces.receive().status()).isZero();
    assertThat(replaces.receive().unsignedByte(36)).as("event").isEqualTo(1);
  }

  @Test
  void loginThatWaitedWhenTheDrainBeganIsAskedAtOnce() {
    ScriptedInitiator first = at(1);
    first.login();
    disk.holdDetaches();
    ScriptedInitiator second = at(1);
    second.isid = first.isid;
    second.sendLogin(0x87, 0, WHO, WHERE);
    first.expectDropped();
    second.expectNothing();

    drain(1);
    disk.releaseDetaches();

    assertThat(second.receive().status()).isZero();
    assertThat(second.receive().unsignedByte(36)).as("event").isEqualTo(1);
  }
}
