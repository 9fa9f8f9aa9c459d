package io.coppice.iscsi;

import io.coppice.iscsi.connection.LoopConnections;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The event loops of a node: one that accepts, and those that connections are spread over.
///
/// A new connection goes to the loop with the fewest connections among those that do no transfer
/// themselves ([LoopConnections]). If all of them do one, it goes to the loop that accepts, which
/// never does one. So a device that hangs keeps nobody from coming in.
final class EventLoops {

  private record Place(EventLoop loop, LoopConnections mates) {}

  private static final Logger LOGGER = System.getLogger(EventLoops.class.getName());

  private final EventLoopGroup front;
  private final Spread spread;
  private volatile boolean closing;

  EventLoops(int threads, IoHandlerFactory io) {
    front = new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("iscsi-accept", true), io);
    spread = new Spread(threads, io, front);
    front.forEach(this::expectNoEnd);
    spread.forEach(this::expectNoEnd);
  }

  /// A loop goes on whatever its connections throw. If it ends all the same, its connections hang
  /// and somebody must know.
  private void expectNoEnd(EventExecutor loop) {
    loop.terminationFuture()
        .addListener(
            _ -> {
              if (!closing) {
                LOGGER.log(
                    Level.ERROR,
                    "an event loop of the iSCSI target has ended by an error: its connections hang"
                        + " until a restart");
              }
            });
  }

  /// Accepts.
  EventLoopGroup front() {
    return front;
  }

  /// Serves what was accepted.
  EventLoopGroup spread() {
    return spread;
  }

  /// Ends them, within seconds.
  void close() throws InterruptedException {
    closing = true;
    Future<?> accepted = front.shutdownGracefully(0, 2, TimeUnit.SECONDS);
    spread.shutdownGracefully(0, 2, TimeUnit.SECONDS).await(5, TimeUnit.SECONDS);
    accepted.await(5, TimeUnit.SECONDS);
  }

  private static final class Spread extends MultiThreadIoEventLoopGroup {
    private final EventLoopGroup front;
    private final List<Place> places = new ArrayList<>();

    Spread(int threads, IoHandlerFactory io, EventLoopGroup front) {
      super(threads, new DefaultThreadFactory("iscsi", true), io);
      this.front = front;
      for (EventExecutor loop : this) {
        places.add(new Place((EventLoop) loop, new LoopConnections(System::nanoTime, true)));
      }
    }

    @Override
    public ChannelFuture register(Channel channel) {
      Place place = emptiest();
      return place != null && place.mates().join(channel)
          ? place.loop().register(channel)
          : front.register(channel);
    }

    /// The emptiest of the loops that do no transfer now; null if all do one.
    private @Nullable Place emptiest() {
      Place found = null;
      for (Place place : places) {
        if (!place.mates().isLent()
            && (found == null || place.mates().connections() < found.mates().connections())) {
          found = place;
        }
      }
      return found;
    }
  }
}
