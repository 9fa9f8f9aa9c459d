package io.coppice.iscsi.session;

import io.coppice.iscsi.command.ScsiCommands;
import io.coppice.iscsi.command.ScsiTask;
import io.coppice.iscsi.connection.CommandWindow;
import io.coppice.iscsi.connection.Connection;
import io.coppice.iscsi.login.LoginPhase;
import io.coppice.iscsi.pdu.InitiatorPdu;
import io.coppice.scsi.transport.Nexus;
import io.coppice.scsi.transport.TargetDevice;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// The full feature phase of a normal session: commands and task management of one target.
final class NormalPhase extends FullFeaturePhase {

  private final ScsiCommands commands;
  private final TaskManagementRequests management;

  NormalPhase(
      Connection connection,
      TargetNode node,
      Session session,
      LoginPhase.Established login,
      CommandWindow window,
      TargetDevice target,
      Nexus nexus) {
    super(connection, node, session, login, window);
    this.commands =
        new ScsiCommands(
            connection,
            node.limits().commands(),
            node.counters(),
            window,
            login.parameters(),
            target,
            nexus,
            memory);
    this.management =
        new TaskManagementRequests(connection, node.sessions(), commands, window, target, nexus);
  }

  @Override
  @Nullable ByteBuf beginCommand(InitiatorPdu.ScsiCommand pdu, int dataLength) {
    return commands.begin(pdu, dataLength);
  }

  @Override
  @Nullable ByteBuf beginDataOut(InitiatorPdu.DataOut pdu, int dataLength) {
    return commands.beginDataOut(pdu, dataLength);
  }

  @Override
  void endDataOut(InitiatorPdu.DataOut pdu, int dataLength) {
    commands.endDataOut(pdu, dataLength);
  }

  @Override
  CommandWindow.@Nullable Early takeCommand(InitiatorPdu.ScsiCommand pdu) {
    // Dropped early, it gives nothing back: its memory belongs to the commands.
    ScsiTask task = commands.end(pdu);
    return task == null ? null : () -> commands.start(task);
  }

  @Override
  void manage(InitiatorPdu.TaskManagement pdu, ByteBuffer header) {
    management.perform(pdu);
  }

  @Override
  public void endCommands(IntConsumer done) {
    int expected = window.expCmdSn();
    commands.endAtDevice(() -> done.accept(expected));
  }

  @Override
  void dropCollecting() {
    commands.dropCollecting(task -> true);
  }

  @Override
  void endThoseWithoutData() {
    commands.endThoseWithoutData();
  }

  @Override
  void closeCommands() {
    commands.close();
  }
}
