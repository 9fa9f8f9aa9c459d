package io.coppice.iscsi.session;

import io.coppice.iscsi.connection.CommandWindow;
import io.coppice.iscsi.connection.Connection;
import io.coppice.iscsi.login.LoginPhase;
import io.coppice.iscsi.pdu.InitiatorPdu;
import io.coppice.iscsi.pdu.TargetPdu.Reject;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// The full feature phase of a discovery session (RFC 7143 §4.3): it asks for targets, for a
/// limited time, and has no commands.
final class DiscoveryPhase extends FullFeaturePhase {

  private final ScheduledFuture<?> lifetime;

  DiscoveryPhase(
      Connection connection,
      TargetNode node,
      Session session,
      LoginPhase.Established login,
      CommandWindow window) {
    super(connection, node, session, login, window);
    this.lifetime =
        connection
            .executor()
            .schedule(
                connection::shutDown, node.limits().waits().discoveryMs(), TimeUnit.MILLISECONDS);
  }

  @Override
  @Nullable ByteBuf beginCommand(InitiatorPdu.ScsiCommand pdu, int dataLength) {
    return null;
  }

  @Override
  @Nullable ByteBuf beginDataOut(InitiatorPdu.DataOut pdu, int dataLength) {
    return null;
  }

  @Override
  void endDataOut(InitiatorPdu.DataOut pdu, int dataLength) {
    connection.reject(Reject.PROTOCOL_ERROR);
  }

  @Override
  CommandWindow.@Nullable Early takeCommand(InitiatorPdu.ScsiCommand pdu) {
    connection.reject(Reject.PROTOCOL_ERROR);
    return null;
  }

  @Override
  void manage(InitiatorPdu.TaskManagement pdu, ByteBuffer header) {
    connection.reject(Reject.PROTOCOL_ERROR, header);
  }

  /// Ends at once: the initiator can connect again at any time, and nothing would be lost.
  @Override
  public void askForLogout() {
    if (isAskedForLogout()) {
      return;
    }
    connection.shutDown();
  }

  @Override
  public void endCommands(IntConsumer done) {
    done.accept(window.expCmdSn());
  }

  @Override
  void dropCollecting() {}

  @Override
  void endThoseWithoutData() {}

  @Override
  void closeCommands() {
    lifetime.cancel(false);
  }
}
