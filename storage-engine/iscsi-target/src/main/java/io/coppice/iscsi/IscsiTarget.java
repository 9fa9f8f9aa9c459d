package io.coppice.iscsi;

import io.coppice.iscsi.connection.Connection;
import io.coppice.iscsi.connection.DataMemory;
import io.coppice.iscsi.connection.IscsiCounters;
import io.coppice.iscsi.connection.PeerFault;
import io.coppice.iscsi.connection.Portal;
import io.coppice.iscsi.connection.PortalConnections;
import io.coppice.iscsi.session.LoginConversation;
import io.coppice.iscsi.session.LoginFailure;
import io.coppice.iscsi.session.LoginFailures;
import io.coppice.iscsi.session.Portals;
import io.coppice.iscsi.session.Session;
import io.coppice.iscsi.session.SessionState;
import io.coppice.iscsi.session.Sessions;
import io.coppice.iscsi.session.TargetNode;
import io.coppice.iscsi.setting.IscsiSettings;
import io.coppice.scsi.secret.InitiatorSecrets;
import io.coppice.scsi.transport.OpenSession;
import io.coppice.scsi.transport.TargetDevice;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An iSCSI target node: listens at its portals and serves its targets until it is closed.
///
/// Safe for any thread.
public final class IscsiTarget implements AutoCloseable {

  /// Bytes that may wait for a slow peer before nothing more is read from it.
  private static final WriteBufferWaterMark WRITE_BUFFER =
      new WriteBufferWaterMark(1 << 20, 8 << 20);

  private static final int PAGE = 8192;

  /// Memory is taken from the system in pieces of this many pages, as a power of two: 32 MiB. With
  /// Netty's 4 MiB, a few dozen long transfers make it give pieces back and take them again, and
  /// the page faults cost more than half of the throughput.
  private static final int CHUNK_ORDER = 12;

  private final TargetNode node;
  private final EventLoops loops;
  private final ByteBufAllocator memory;
  private final List<Channel> listeners = new ArrayList<>();
  private volatile boolean closing;

  private IscsiTarget(TargetNode node) {
    this.node = node;
    int arenas = node.settings().threads();
    this.memory =
        new PooledByteBufAllocator(true, arenas, arenas, PAGE, CHUNK_ORDER, 256, 64, false);
    IoHandlerFactory io =
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    this.loops = new EventLoops(node.settings().threads(), io);
  }

  /// Starts to listen.
  ///
  /// @param targets their names must differ
  /// @throws IscsiStartException if an address is in use or cannot be listened at; nothing is left
  ///   open
  public static IscsiTarget start(
      IscsiSettings settings, List<TargetDevice> targets, InitiatorSecrets secrets) {
    DataMemory memory = new DataMemory(settings.limits().commands().dataMemory());
    TargetNode node =
        new TargetNode(
            settings,
            List.copyOf(targets),
            secrets,
            new Portals(settings.advertised(), settings.limits().sessions().connections()),
            new Sessions(settings.limits().sessions(), memory),
            memory,
            new IscsiCounters(),
            new LoginFailures(InstantSource.system()));
    IscsiTarget target = new IscsiTarget(node);
    try {
      settings.listen().forEach(target::listen);
    } catch (IscsiStartException e) {
      target.close();
      throw e;
    }
    return target;
  }

  /// The addresses that it listens at, with their real ports.
  public List<InetSocketAddress> portals() {
    return listeners.stream().map(it -> (InetSocketAddress) it.localAddress()).toList();
  }

  public IscsiCounters counters() {
    return node.counters();
  }

  /// Bytes of commands' data that all sessions hold.
  public long dataBytes() {
    return node.dataMemory().used();
  }

  /// Sessions that are open or ending.
  public int sessions() {
    return node.sessions().list().size();
  }

  /// The sessions that are open, discovery sessions too.
  public List<SessionState> sessionStates() {
    return node.sessions().list().stream().flatMap(it -> it.state().stream()).toList();
  }

  /// The last logins that ended without a session.
  public List<LoginFailure> loginFailures() {
    return node.failures().all();
  }

  /// The longest round trip of some sessions, as the last ping of each measured it; empty if none
  /// has been answered yet.
  public Optional<Duration> longestRoundTrip(List<OpenSession> some) {
    return sessionStates().stream()
        .filter(state -> some.contains(new OpenSession(state.initiator(), state.origin())))
        .flatMap(state -> state.roundTrip().stream())
        .max(Comparator.naturalOrder());
  }

  /// The portals and what goes on there, in the order of the settings.
  public List<PortalState> portalStates() {
    List<Session> sessions = node.sessions().list();
    return node.portals().all().stream()
        .map(
            portal ->
                new PortalState(
                    portal.number(),
                    portal.address(),
                    portal.isDraining(),
                    (int)
                        sessions.stream().filter(it -> it.connection().portal() == portal).count(),
                    (int) sessions.stream().filter(it -> it.isAwayFrom(portal)).count()))
        .toList();
  }

  /// Empties a portal. From now on logins there are sent to another portal, and the initiators of
  /// its sessions are asked to log out. A session that has not done so after the limits' logout
  /// timeout is dropped. Returns at once; [#portalStates] tells the progress. Doing it again
  /// changes nothing.
  ///
  /// @return false if there is no portal of that number
  public boolean drain(int number) {
    Optional<Portal> found = node.portals().find(number);
    found.ifPresent(node::drain);
    return found.isPresent();
  }

  /// Ends a drain. The portal takes logins again, and the sessions that are still there may stay.
  /// The initiators of sessions that it sent to other portals are asked to log out there, so that
  /// they come back. A session that does not come back may stay where it is.
  ///
  /// @return false if there is no portal of that number
  public boolean undrain(int number) {
    Optional<Portal> found = node.portals().find(number);
    found.ifPresent(node::undrain);
    return found.isPresent();
  }

  /// Stops listening and asks every initiator to log out. After the limits' logout timeout it tells
  /// those that have not that their sessions go, and ends them. Returns when no command runs any
  /// more, or after the limits' shutdown timeout.
  @Override
  public void close() {
    closing = true;
    listeners.forEach(it -> it.close().awaitUninterruptibly());
    node.portals().all().forEach(node::drain);
    try {
      node.sessions().awaitNone(node.limits().waits().logoutMs());
      node.sessions().list().forEach(it -> it.connection().shutDown());
      node.sessions().awaitNone(node.limits().shutdownTimeoutMs());
      loops.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void listen(InetSocketAddress address) {
    Class<? extends ServerChannel> type =
        Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    // Nothing is accepted before the portal is known, since its port is known only now.
    Acceptor acceptor = new Acceptor();
    ChannelFuture bound =
        new ServerBootstrap()
            .group(loops.front(), loops.spread())
            .channel(type)
            .option(ChannelOption.AUTO_READ, false)
            .option(ChannelOption.SO_REUSEADDR, true)
            .option(ChannelOption.SO_BACKLOG, 256)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(ChannelOption.ALLOCATOR, memory)
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WRITE_BUFFER)
            .childHandler(acceptor)
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IscsiStartException(
          "cannot listen for iSCSI at %s:%d: %s"
              .formatted(address.getHostString(), address.getPort(), reason(bound.cause())),
          bound.cause());
    }
    listeners.add(bound.channel());
    acceptor.portal = node.portals().add((InetSocketAddress) bound.channel().localAddress());
    bound.channel().config().setAutoRead(true);
  }

  private static String reason(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return message.contains("already in use") ? "another program uses this port" : message;
  }

  private final class Acceptor extends ChannelInitializer<Channel> {
    private volatile @Nullable Portal portal;

    @Override
    protected void initChannel(Channel channel) {
      Portal here = portal;
      if (closing || here == null) {
        channel.close();
        return;
      }
      Connection connection = LoginConversation.connection(node, here, channel);
      PortalConnections.Admission admission = here.connections().admit(connection);
      if (!admission.admitted()) {
        node.counters().count(PeerFault.TOO_MANY_CONNECTIONS);
        channel.close();
        return;
      }
      channel.closeFuture().addListener(_ -> here.connections().ended(connection));
      channel.pipeline().addLast(connection);
      admission.goes().ifPresent(Connection::giveWay);
    }
  }
}
