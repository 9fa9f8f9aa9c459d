package io.coppice.iscsi.connection;

import io.coppice.iscsi.pdu.InitiatorPdu;
import io.netty.buffer.ByteBuf;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// A phase of a connection, login or later, which decides what happens to PDUs.
public interface Phase {

  /// See [io.coppice.iscsi.pdu.PduReader.Sink#begin].
  @Nullable ByteBuf begin(InitiatorPdu pdu, int dataLength);

  /// See [io.coppice.iscsi.pdu.PduReader.Sink#end].
  void end(InitiatorPdu pdu, int dataLength);

  /// The connection is gone: nothing can be sent any more.
  void closed();

  /// Asks the initiator to log out; nothing happens before its login has ended.
  default void askForLogout() {}

  /// Tells the initiator that the session is dropped, if there is one.
  default void announceEnd() {}

  /// Ends what runs at the device for a connection that has given its session up. A connection
  /// without a session has none to give up: nothing is called.
  ///
  /// @param done called on any thread, with the number of the command that was expected next, when
  ///   nothing of that can touch a volume any more
  default void endCommands(IntConsumer done) {}
}
