package io.coppice.iscsi;

import io.coppice.iscsi.pdu.InitiatorPdu;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/// What a connection does with PDUs: logging in, or everything after that.
sealed interface Phase permits LoginConversation, FullFeaturePhase {

  /// See [io.coppice.iscsi.pdu.PduReader.Sink#begin].
  @Nullable ByteBuf begin(InitiatorPdu pdu, int dataLength);

  /// See [io.coppice.iscsi.pdu.PduReader.Sink#end].
  void end(InitiatorPdu pdu, int dataLength);

  /// The connection is gone: nothing can be sent any more.
  void closed();
}
