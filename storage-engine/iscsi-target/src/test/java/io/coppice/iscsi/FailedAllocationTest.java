package io.coppice.iscsi;

import static io.coppice.iscsi.ScriptedInitiator.NAME;
import static io.coppice.iscsi.ScriptedInitiator.READ_10;
import static io.coppice.iscsi.ScriptedInitiator.TARGET;
import static io.coppice.iscsi.ScriptedInitiator.WRITE_10;
import static io.coppice.iscsi.ScriptedInitiator.pattern;
import static io.coppice.iscsi.ScriptedInitiator.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.ScriptedInitiator.Received;
import io.coppice.iscsi.connection.PeerFault;
import io.coppice.iscsi.session.TargetNode;
import io.coppice.iscsi.testing.RamDisk;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each buffer that the target asks for during a session is refused once, while another host's I/O
/// goes on: nothing leaks, and commands are answered or the connection ends.
class FailedAllocationTest {

  private static final int LAST_COMMAND = 4;
  private static final int TEXT_REQUEST = 0x04;
  private static final int LOGOUT_RESPONSE = 0x26;

  private final List<Received> answers = new ArrayList<>();
  private int ended;
  private int served;

  @ParameterizedTest
  @CsvSource({"None, false", "None, true", "CRC32C, false", "CRC32C, true"})
  void eachBufferThatIsRefusedEndsACommandOrTheConnection(String digests, boolean logsOut) {
    int number = 1;
    while (failsAt(number, digests, logsOut)) {
      number++;
    }
    assertThat(number).as("allocations of a session").isGreaterThan(20);
    assertThat(served).as("sessions that went on").isPositive();
    assertThat(ended).as("sessions that ended").isPositive();
  }

  /// @return whether that many buffers were asked for
  private boolean failsAt(int number, String digests, boolean logsOut) {
    RamDisk disk = new RamDisk(TARGET, 1 << 20);
    TargetNode node = ScriptedInitiator.node(PeerAndBystander.LIMITS, _ -> Optional.empty(), disk);
    ScriptedInitiator bystander = new ScriptedInitiator(node);
    bystander.name += ".bystander";
    bystander.login();
    ScriptedInitiator peer = new ScriptedInitiator(node);
    peer.failAllocation(number);
    answers.clear();

    converse(peer, digests, logsOut);

    boolean failed = peer.hasFailedAllocation();
    if (peer.channel().isOpen() || lastAnswer() == LOGOUT_RESPONSE) {
      expectAllAnswered(number);
      served += failed ? 1 : 0;
    } else if (failed) {
      ended++;
    }
    bystander.command(1, 0xa1, 512, WRITE_10.formatted(1), pattern(512, number));
    assertThat(bystander.receive().unsignedByte(3)).as("the bystander's write").isZero();
    bystander.command(2, 0xc1, 512, READ_10.formatted(1));
    assertThat(bystander.receive().data()).isEqualTo(pattern(512, number));
    peer.finish();
    bystander.finish();
    assertThat(node.dataMemory().used()).as("claims left, allocation %d", number).isZero();
    assertThat(node.sessions().list()).as("sessions left, allocation %d", number).isEmpty();
    assertThat(node.counters().of(PeerFault.INTERNAL)).as("allocation %d", number).isZero();
    if (failed) {
      assertThat(node.counters().of(PeerFault.OUT_OF_MEMORY)).as("%d", number).isEqualTo(1);
    }
    return failed;
  }

  private int lastAnswer() {
    return answers.isEmpty() ? 0 : answers.getLast().opcode();
  }

  private void converse(ScriptedInitiator peer, String digests, boolean logsOut) {
    peer.sendLogin(
        0x87,
        0,
        "InitiatorName=" + NAME,
        "TargetName=" + TARGET,
        "HeaderDigest=" + digests,
        "DataDigest=" + digests);
    collect(peer);
    boolean on = digests.equals("CRC32C");
    peer.useDigests(on, on);
    ByteBuffer text = ScriptedInitiator.header(TEXT_REQUEST, 0x80).putInt(16, 0x71).putInt(20, -1);
    List<Runnable> steps =
        List.of(
            () -> peer.command(1, 0xa1, 10_000, WRITE_10.formatted(19), pattern(4096, 1)),
            () -> answerR2ts(peer),
            () -> peer.command(2, 0xc1, 20_477, READ_10.formatted(40)),
            () -> peer.command(3, 0xc1, 512, "28 00 00ffffff 00 0001 00"),
            () -> peer.ping(0x70, pattern(99, 2)),
            () -> peer.send(text.putInt(24, peer.cmdSn++), text("SendTargets=All")),
            () -> peer.send(ScriptedInitiator.header(0x10, 0x80).putInt(16, 0x72)), // a SNACK
            () -> peer.command(LAST_COMMAND, 0xc1, 96, "12 00 00 0060 00"));
    steps.forEach(it -> ifOpen(peer, it));
    if (logsOut) {
      ifOpen(peer, () -> peer.logout(0x73, 0));
    }
    collect(peer);
  }

  private static void ifOpen(ScriptedInitiator peer, Runnable step) {
    if (peer.channel().isOpen()) {
      step.run();
    }
  }

  private void answerR2ts(ScriptedInitiator peer) {
    collect(peer);
    int next = 0;
    while (next < answers.size()) {
      Received r2t = answers.get(next++);
      if (r2t.opcode() == 0x31) {
        int length = r2t.word(44);
        ifOpen(
            peer, () -> peer.dataOut(1, r2t.word(20), true, 0, r2t.word(40), pattern(length, 3)));
        collect(peer);
      }
    }
  }

  private void collect(ScriptedInitiator peer) {
    Optional<Received> next = peer.poll();
    while (next.isPresent()) {
      answers.add(next.get());
      next = peer.poll();
    }
  }

  private void expectAllAnswered(int number) {
    for (int tag = 1; tag <= LAST_COMMAND; tag++) {
      int wanted = tag;
      assertThat(answers)
          .as("answers, allocation %d", number)
          .filteredOn(it -> it.word(16) == wanted && endsACommand(it))
          .hasSize(1);
    }
  }

  private static boolean endsACommand(Received pdu) {
    return pdu.opcode() == 0x21 || pdu.opcode() == 0x25 && (pdu.flags() & 1) != 0;
  }
}
