package io.coppice.iscsi.connection;

import io.coppice.iscsi.pdu.Bhs;
import io.coppice.iscsi.pdu.InitiatorPdu;
import io.coppice.iscsi.pdu.PduReader;
import io.coppice.iscsi.pdu.TargetPdu;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.scsi.transport.SessionOrigin;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// One TCP connection. It turns bytes into PDUs, hands PDUs to its [Phase], and brings completions
/// back to its event loop. Everything but [#drop] and [#complete] belongs to that loop.
///
/// It flushes once per batch of reads or completions. While the peer does not take what it asked
/// for, nothing more is read from it. If that lasts, the connection is dropped ([OutputWatch]),
/// also while it is closing.
public final class Connection extends ChannelInboundHandlerAdapter implements PduReader.Sink {

  private static final Logger LOGGER = System.getLogger(Connection.class.getName());

  private final IscsiLimits limits;
  private final IscsiCounters counters;
  private final Function<Connection, Phase> login;
  private final Portal portal;
  private final Channel channel;
  private final InetAddress from;
  private final PduReader reader;

  // Set when the handler is added, before anything else is called.
  private @Nullable ChannelHandlerContext context;
  private @Nullable PduWriter writer;
  private @Nullable Completions completions;
  private @Nullable Phase phase;
  private @Nullable LoopConnections mates;
  private boolean reading;
  private boolean closed;
  private boolean heard;
  private boolean heldBack;
  private long ackedThen;
  private @Nullable OutputWatch output;

  /// @param channel its channel, which it will handle
  /// @param login makes the phase that the connection begins in
  public Connection(
      IscsiLimits limits,
      IscsiCounters counters,
      Portal portal,
      Channel channel,
      Function<Connection, Phase> login) {
    this.limits = limits;
    this.counters = counters;
    this.login = login;
    this.portal = portal;
    this.channel = channel;
    this.from =
        channel.remoteAddress() instanceof InetSocketAddress peer
            ? peer.getAddress()
            : InetAddress.getLoopbackAddress();
    this.reader = new PduReader(this, limits.login().maxRecvDataSegmentLength());
    reader.expectLogin();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    context = added;
    writer = new PduWriter(added);
    completions = new Completions(added.executor(), this::drainAndFlush, this::broke);
    phase = login.apply(this);
    mates = LoopConnections.of(added.channel());
    output = new OutputWatch(added.channel());
    ScheduledFuture<?> looking = every(outputMs() / OutputWatch.LOOKS, this::look);
    channel.closeFuture().addListener(_ -> looking.cancel(false));
  }

  private int outputMs() {
    return limits.waits().outputMs();
  }

  /// Runs on the event loop again and again, with a delay: after a loop was held up, missed runs
  /// must not come at once. An exception ends the connection; it does not silently end only the
  /// repetition.
  public ScheduledFuture<?> every(int milliseconds, Runnable what) {
    return executor()
        .scheduleWithFixedDelay(
            () -> guarded(what), milliseconds, milliseconds, TimeUnit.MILLISECONDS);
  }

  private void guarded(Runnable what) {
    try {
      what.run();
    } catch (RuntimeException | Error e) {
      broke(e);
    }
  }

  private void look() {
    if (present(output).look()) {
      dropWithOutput();
    }
  }

  /// Drops the connection and what waits to be sent. It uses a reset, since otherwise the kernel
  /// would go on asking the peer to take what it holds.
  private void dropWithOutput() {
    counters.count(PeerFault.OUTPUT_TIMEOUT);
    channel.config().setOption(ChannelOption.SO_LINGER, 0);
    close();
    channel.close();
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
    boolean writable = ctx.channel().isWritable();
    heldBack |= !writable;
    ctx.channel().config().setAutoRead(writable);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    close();
  }

  /// A failed write closed our half: what follows would never leave.
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof ChannelOutputShutdownEvent) {
      fail(PeerFault.CONNECTION_LOST);
    }
    ctx.fireUserEventTriggered(event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    broke(cause);
  }

  /// Ends the connection after an exception while it was served. A mistake of ours is logged: a
  /// peer that brings it about again and again finds it mended sooner.
  private void broke(Throwable cause) {
    switch (cause) {
      case IOException _ -> fail(PeerFault.CONNECTION_LOST);
      case OutOfMemoryError _ -> fail(PeerFault.OUT_OF_MEMORY);
      default -> {
        if (!closed) {
          LOGGER.log(Level.ERROR, "an iSCSI connection is dropped by a mistake of ours", cause);
        }
        fail(PeerFault.INTERNAL);
      }
    }
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
          case NO_LOGIN -> PeerFault.NOT_LOGGED_IN;
        });
  }

  /// Goes on in the full feature phase.
  public void enter(Phase next) {
    phase = next;
    portal.connections().loggedIn(this);
  }

  /// The connections that share the event loop.
  public LoopConnections mates() {
    return present(mates);
  }

  public PduReader reader() {
    return reader;
  }

  public PduWriter writer() {
    return present(writer);
  }

  public EventExecutor executor() {
    return present(context).executor();
  }

  public ByteBufAllocator alloc() {
    return present(context).alloc();
  }

  public SocketAddress localAddress() {
    return present(context).channel().localAddress();
  }

  /// The portal it came in at and the peer's address, for people.
  public SessionOrigin origin() {
    SocketAddress peer = present(context).channel().remoteAddress();
    return new SessionOrigin(
        portal.told(localAddress()), peer instanceof InetSocketAddress a ? Portal.textOf(a) : "");
  }

  /// The portal it came in at.
  public Portal portal() {
    return portal;
  }

  public void flush() {
    writer().flush();
  }

  /// Whether anything came since the last call.
  public boolean heardAnything() {
    boolean result = heard;
    heard = false;
    return result;
  }

  /// Whether we may be the cause of the peer's silence since the last call: nothing was read for a
  /// time because it did not take its output, or output is still on its way to it.
  public boolean mayBeHeldBack() {
    OutputWatch watch = present(output);
    boolean result = heldBack || watch.isWaiting() || watch.isTaking(ackedThen);
    heldBack = !present(context).channel().isWritable();
    ackedThen = watch.bytesAcked();
    return result;
  }

  /// Whether output still waits for the peer.
  public boolean isBehind() {
    return present(output).isWaiting();
  }

  public boolean isClosed() {
    return closed;
  }

  /// Has a node finished on the event loop. Any thread.
  public void complete(Completions.Node ended) {
    boolean drainFollows = reading && executor().inEventLoop();
    present(completions).add(ended, drainFollows);
  }

  /// Runs something on the event loop, after what has ended before. Any thread.
  public void complete(Runnable work) {
    complete(
        new Completions.Node() {
          @Override
          public void finish() {
            work.run();
          }
        });
  }

  /// Drops the connection. Any thread.
  public void drop() {
    run(this::close);
  }

  /// Drops the connection for a newer one: it is not logged in, or not any more. Any thread, also
  /// before its channel is there.
  public void giveWay() {
    counters.count(PeerFault.CROWDED_OUT);
    channel.close();
  }

  /// The peer's address.
  InetAddress from() {
    return from;
  }

  /// Runs on the event loop; what it throws ends the connection. Any thread.
  public void run(Runnable what) {
    executor().execute(() -> guarded(what));
  }

  /// Asks the initiator to log out. If it does not in time, the connection is dropped as by
  /// [#shutDown]. Any thread.
  public void askForLogout() {
    run(
        () -> {
          if (!closed) {
            phase().askForLogout();
          }
        });
  }

  /// Tells the initiator that its session goes, then drops the connection. Any thread.
  public void shutDown() {
    run(
        () -> {
          if (!closed) {
            phase().announceEnd();
          }
          closeAfterFlush();
        });
  }

  /// Drops the connection, since its session now has a newer one, and ends what runs for it. Any
  /// thread.
  ///
  /// @param done called on any thread, with the number of the command that was expected next, when
  ///   nothing of the connection can touch a volume any more
  public void giveUpSession(IntConsumer done) {
    run(
        () -> {
          close();
          phase().endCommands(done);
        });
  }

  /// Refuses the PDU that came last.
  public void reject(int reason) {
    reject(reason, reader.lastHeader());
  }

  /// Refuses a PDU (RFC 7143 §11.17).
  ///
  /// @param header its 48 bytes
  public void reject(int reason, ByteBuffer header) {
    counters.count(PeerFault.REJECTED);
    writer()
        .write(
            new TargetPdu.Reject(reason),
            alloc().buffer(Bhs.LENGTH).writeBytes(header.duplicate()));
  }

  /// Memory for data that a session holds, claimed from its share. Any thread.
  ///
  /// @param length bytes, 1 and more
  /// @return null if there is none now
  @Nullable
  public ByteBuf allocate(DataMemory share, int length) {
    if (!share.take(length)) {
      return null;
    }
    ByteBuf memory = null;
    try {
      memory = alloc().directBuffer(length, length);
    } catch (OutOfMemoryError e) {
      // The limit exceeds what the process may have: for the initiator that is the same.
      counters.count(PeerFault.OUT_OF_MEMORY);
    } finally {
      if (memory == null) {
        share.giveBack(length);
      }
    }
    return memory;
  }

  /// Counts a fault and drops the connection.
  public void fail(PeerFault fault) {
    if (!closed) {
      counters.count(fault);
      close();
    }
  }

  /// Drops the connection at once.
  public void close() {
    if (!closed) {
      end(false);
    }
  }

  /// Sends what has been written, then drops the connection.
  public void closeAfterFlush() {
    if (!closed) {
      end(true);
    }
  }

  private void end(boolean flush) {
    closed = true;
    portal.connections().ending(this);
    reader.stop();
    phase().closed();
    if (reading) {
      // What has completed since this read began is finished, even if nobody hears of its end.
      executor().execute(present(completions)::run);
    }
    ChannelHandlerContext sending = present(context);
    if (flush) {
      // All of it must leave in the time that a peer has for any part, whatever it takes meanwhile.
      ScheduledFuture<?> due =
          executor().schedule(this::dropWithOutput, outputMs(), TimeUnit.MILLISECONDS);
      channel.closeFuture().addListener(_ -> due.cancel(false));
      sending.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    } else {
      sending.close();
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
