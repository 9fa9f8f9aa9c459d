package io.coppice.iscsi;

import static io.coppice.iscsi.ScriptedInitiator.NO_TAG;
import static io.coppice.iscsi.ScriptedInitiator.READ_10;
import static io.coppice.iscsi.ScriptedInitiator.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.ScriptedInitiator.Received;
import io.coppice.iscsi.connection.PeerFault;
import io.coppice.iscsi.session.TargetNode;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.iscsi.testing.RamDisk;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Commands that wait at their unit for its limit leave the command window to those of other units.
class DeferredCommandsTest {

  private static final int WINDOW = IscsiLimits.defaults().commands().window();

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
  void windowStaysOpenAndTheInitiatorIsTold() {
    int window = windowOf(initiator.login());
    disk.defer();

    // An initiator that keeps to the window it knows of.
    int pings = 0;
    int sent = 0;
    while (sent < 4 * WINDOW) {
      for (; window > 0 && sent < 4 * WINDOW; window--) {
        initiator.command(0x1000 + sent++, 0xc1, 512, READ_10.formatted(1));
      }
      for (Optional<Received> pdu = initiator.poll(); pdu.isPresent(); pdu = initiator.poll()) {
        assertThat(pdu.get().opcode()).as("NOP-In").isEqualTo(0x20);
        assertThat(pdu.get().word(16)).isEqualTo(NO_TAG);
        assertThat(pdu.get().word(20)).as("no answer wanted").isEqualTo(NO_TAG);
        window = windowOf(pdu.get());
        pings++;
      }
      assertThat(window).as("after %d commands", sent).isPositive();
    }

    assertThat(disk.executed).hasSize(4 * WINDOW);
    assertThat(pings).as("one for many commands").isLessThan(4 * WINDOW / 8);
  }

  @Test
  void placesAreNotFreedTwice() {
    initiator.login();
    disk.defer();
    for (int i = 0; i < WINDOW; i++) {
      initiator.command(0x1000 + i, 0xc1, 512, READ_10.formatted(1));
    }

    disk.release();

    List<Received> answers = answers();
    assertThat(answers).hasSize(WINDOW);
    assertThat(windowOf(answers.getLast())).isEqualTo(WINDOW);
  }

  @Test
  void abortOfADeferredCommandFreesNoSecondPlace() {
    initiator.login();
    disk.defer();
    initiator.command(0x60, 0xc1, 512, READ_10.formatted(1));

    initiator.manage(0x61, 1, 0x60, 1);

    assertThat(windowOf(initiator.receive())).isEqualTo(WINDOW);
  }

  @Test
  void deferredCommandsAreBounded() {
    initiator.login();
    disk.defer();
    for (int i = 0; i < 20 * WINDOW; i++) {
      initiator.command(0x1000 + i, 0xc1, 512, READ_10.formatted(1));
    }

    assertThat(disk.executed).hasSize(9 * WINDOW);
    assertThat(node.counters().of(PeerFault.CMD_SN_OUTSIDE_WINDOW)).isEqualTo(11L * WINDOW);
  }

  private List<Received> answers() {
    List<Received> answers = new ArrayList<>();
    for (Optional<Received> pdu = initiator.poll(); pdu.isPresent(); pdu = initiator.poll()) {
      if (pdu.get().opcode() != 0x20) {
        answers.add(pdu.get());
      }
    }
    return answers;
  }

  private static int windowOf(Received pdu) {
    return pdu.word(32) - pdu.word(28) + 1;
  }
}
