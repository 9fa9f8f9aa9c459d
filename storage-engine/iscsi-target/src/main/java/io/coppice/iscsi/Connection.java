package io.coppice.iscsi;

import io.coppice.iscsi.pdu.Bhs;
import io.coppice.iscsi.pdu.InitiatorPdu;
import io.coppice.iscsi.pdu.PduReader;
import io.coppice.iscsi.pdu.TargetPdu;
import io.coppice.scsi.SessionOrigin;
import io.coppice.scsi.TargetDevice;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// One TCP connection: bytes to PDUs, PDUs to the [Phase] it is in, completions back to its event
/// loop. Everything but [#drop] and [#complete] belongs to that loop.
///
/// It flushes once per batch of reads or completions. While the peer does not take what it asked
/// for, nothing more is read from it.
final class Connection extends ChannelInboundHandlerAdapter implements PduReader.Sink {

  private final TargetNode node;
  private final Portal portal;
  private final PduReader reader;

  // Set when the handler is added, before anything else is called.
  private @Nullable ChannelHandlerContext context;
  private @Nullable PduWriter writer;
  private @Nullable Completions completions;
  private @Nullable Phase phase;
  private @Nullable LoopMates mates;
  private boolean reading;
  private boolean closed;
  private boolean heard;

  Connection(TargetNode node, Portal portal) {
    this.node = node;
    this.portal = portal;
    this.reader = new PduReader(this, node.limits().maxRecvDataSegmentLength());
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    writer = new PduWriter(added);
    completions =
        new Completions(added.executor(), this::drainAndFlush, _ -> fail(PeerFault.INTERNAL));
    phase = new LoginConversation(this, node);
    mates = LoopMates.of(added.channel());
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    reading = true;
    heard = true;
    try {
      reader.read(bytes);
    } finally {
      bytes.release();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    reading = false;
    drainAndFlush();
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    ctx.channel().config().setAutoRead(ctx.channel().isWritable());
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    close();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    fail(cause instanceof IOException ? PeerFault.CONNECTION_LOST : PeerFault.INTERNAL);
  }

  @Override
  public @Nullable ByteBuf begin(InitiatorPdu pdu, int dataLength) {
    return phase().begin(pdu, dataLength);
  }

  @Override
  public void end(InitiatorPdu pdu, int dataLength) {
    phase().end(pdu, dataLength);
  }

  @Override
  public void broken(PduReader.Breach breach) {
    fail(
        switch (breach) {
          case HEADER_DIGEST -> PeerFault.HEADER_DIGEST;
          case DATA_DIGEST -> PeerFault.DATA_DIGEST;
          case SEGMENT_TOO_LONG -> PeerFault.SEGMENT_TOO_LONG;
        });
  }

  /// Goes on in the full feature phase.
  void enter(FullFeaturePhase next) {
    phase = next;
  }

  /// Who shares the event loop.
  LoopMates mates() {
    return present(mates);
  }

  PduReader reader() {
    return reader;
  }

  PduWriter writer() {
    return present(writer);
  }

  EventExecutor executor() {
    return present(context).executor();
  }

  ByteBufAllocator alloc() {
    return present(context).alloc();
  }

  SocketAddress localAddress() {
    return present(context).channel().localAddress();
  }

  /// Where it came in and from where, for people.
  SessionOrigin origin() {
    SocketAddress peer = present(context).channel().remoteAddress();
    return new SessionOrigin(
        portal.told(localAddress()), peer instanceof InetSocketAddress a ? Portal.textOf(a) : "");
  }

  /// Where it came in.
  Portal portal() {
    return portal;
  }

  void flush() {
    writer().flush();
  }

  /// Whether anything came since the last call.
  boolean heardAnything() {
    boolean result = heard;
    heard = false;
    return result;
  }

  boolean isClosed() {
    return closed;
  }

  /// Has a node finished on the event loop. Any thread.
  void complete(Completions.Node ended) {
    boolean drainFollows = reading && executor().inEventLoop();
    present(completions).add(ended, drainFollows);
  }

  /// Drops the connection. Any thread.
  void drop() {
    executor().execute(this::close);
  }

  /// Asks the initiator to log out; if it does not in time, the connection is dropped as by
  /// [#shutDown]. Any thread.
  void askForLogout() {
    executor()
        .execute(
            () -> {
              if (!closed && phase instanceof FullFeaturePhase running) {
                running.askForLogout();
              }
            });
  }

  /// Tells the initiator that its session goes, then drops the connection. Any thread.
  void shutDown() {
    executor()
        .execute(
            () -> {
              if (!closed && phase instanceof FullFeaturePhase running) {
                running.announceEnd();
              }
              closeAfterFlush();
            });
  }

  /// Drops the connections of an initiator's sessions at a target.
  void dropSessionsOf(String initiatorName, TargetDevice target) {
    for (Session session : node.sessions().list()) {
      if (session.port().name().equals(initiatorName)
          && session.target().filter(target::equals).isPresent()) {
        session.connection().drop();
      }
    }
  }

  /// Refuses the PDU that came last.
  void reject(int reason) {
    reject(reason, reader.lastHeader());
  }

  /// Refuses a PDU (RFC 7143 §11.17).
  ///
  /// @param header its 48 bytes
  void reject(int reason, ByteBuffer header) {
    node.counters().count(PeerFault.REJECTED);
    writer()
        .write(
            new TargetPdu.Reject(reason),
            alloc().buffer(Bhs.LENGTH).writeBytes(header.duplicate()));
  }

  /// Memory for data that a session holds, claimed from its share. Any thread.
  ///
  /// @param length bytes, 1 and more
  /// @return null if there is none now
  @Nullable ByteBuf allocate(DataMemory share, int length) {
    if (!share.take(length)) {
      return null;
    }
    try {
      return alloc().directBuffer(length, length);
    } catch (OutOfMemoryError e) {
      // The limit is above what the process may have: for the initiator it is the same.
      node.counters().count(PeerFault.OUT_OF_MEMORY);
      share.giveBack(length);
      return null;
    }
  }

  /// Counts a fault and drops the connection.
  void fail(PeerFault fault) {
    if (!closed) {
      node.counters().count(fault);
      close();
    }
  }

  /// Drops the connection at once.
  void close() {
    if (!closed) {
      end(false);
    }
  }

  /// Sends what has been written, then drops the connection.
  void closeAfterFlush() {
    if (!closed) {
      end(true);
    }
  }

  private void end(boolean flush) {
    closed = true;
    reader.stop();
    phase().closed();
    if (reading) {
      // What has completed since this read began is finished even if its end is told to nobody.
      executor().execute(present(completions)::run);
    }
    ChannelHandlerContext channel = present(context);
    if (flush) {
      channel.writeAndFlush(channel.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
    } else {
      channel.close();
    }
  }

  private void drainAndFlush() {
    present(completions).run();
    writer().flush();
  }

  private Phase phase() {
    return present(phase);
  }

  private static <T> T present(@Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("connection used before its channel was there");
    }
    return value;
  }
}
