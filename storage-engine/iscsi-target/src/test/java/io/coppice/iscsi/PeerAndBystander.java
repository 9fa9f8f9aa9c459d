package io.coppice.iscsi;

import static io.coppice.iscsi.ScriptedInitiator.READ_10;
import static io.coppice.iscsi.ScriptedInitiator.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.iscsi.ScriptedInitiator.Received;
import io.coppice.iscsi.connection.PeerFault;
import io.coppice.iscsi.session.TargetNode;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.iscsi.setting.IscsiTimeouts;
import io.coppice.iscsi.testing.RamDisk;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// A peer that breaks the protocol or takes too much, and a bystander with a session of its own
/// that must go on as if nothing had happened.
abstract class PeerAndBystander {

  static final IscsiLimits LIMITS =
      new IscsiLimits(
          new IscsiLimits.SessionLimits(8, 4, 2),
          new IscsiLimits.LoginLimits(8192, 4096, 4096, 4, 8192),
          new IscsiLimits.CommandLimits(16, 1 << 16, 1 << 17),
          new IscsiTimeouts(5_000, 9_000, 15_000, 8_000, 10_000, 1_000),
          1_000);

  final RamDisk disk = new RamDisk(TARGET, 1 << 20);
  final TargetNode node = ScriptedInitiator.node(LIMITS, _ -> Optional.empty(), disk);
  final ScriptedInitiator bystander = new ScriptedInitiator(node);
  final ScriptedInitiator peer = new ScriptedInitiator(node);

  @BeforeEach
  void bystanderLogsIn() {
    bystander.name += ".bystander";
    bystander.isid = 0x80_0000_09_0000L;
    bystander.login();
  }

  @AfterEach
  void bystanderIsNotTouchedAndMemoryIsGivenBack() {
    disk.release();
    bystander.command(0x7777, 0xc1, 512, READ_10.formatted(1));
    assertThat(bystander.receive().word(16)).isEqualTo(0x7777);
    peer.finish();
    bystander.finish();
    assertThat(node.dataMemory().used()).as("memory in use").isZero();
    assertThat(node.counters().of(PeerFault.INTERNAL)).as("mistakes of ours").isZero();
  }

  final void expectRejected(int reason) {
    Received reject = peer.receive();
    assertThat(reject.opcode()).isEqualTo(0x3f);
    assertThat(reject.unsignedByte(2)).isEqualTo(reason);
    assertThat(reject.data()).hasSize(48);
    assertThat(node.counters().of(PeerFault.REJECTED)).isPositive();
    assertThat(peer.channel().isOpen()).isTrue();
  }
}
