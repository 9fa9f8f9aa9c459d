package io.coppice.vasa.replication.link;

import io.coppice.replication.PoolName;
import io.coppice.replication.ReplicationException;
import io.coppice.replication.ReplicationException.Reason;
import io.coppice.replication.link.Handshake;
import io.coppice.replication.link.Link;
import io.coppice.replication.link.LinkListener;
import io.coppice.replication.link.LinkSettings;
import io.coppice.replication.link.Pace;
import io.coppice.replication.link.SecureTransport;
import io.coppice.replication.source.Conversation;
import io.coppice.scsi.secret.SecretsLockedException;
import io.coppice.vasa.replication.pairing.KnownPeer;
import io.coppice.vasa.replication.pairing.LinkTrust;
import io.coppice.vasa.replication.pairing.PairedPool;
import io.coppice.vasa.replication.pairing.PeerAddress;
import io.coppice.vasa.replication.pairing.PeerRecords;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The links with the peers of this pool. The port is taken when it is needed first: at the start
/// if there are peers, else when a pairing begins. Safe for any thread.
public final class PeerLinks implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(PeerLinks.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final PoolName self;
  private final PeerRecords peers;
  private final Settings settings;
  private final BiConsumer<Link, UUID> server;
  private @Nullable LinkListener listener; // under `this`
  private boolean closed; // under `this`
  private volatile Trust trust = new Trust(-1, Map.of());

  /// The settings of the links.
  ///
  /// @param listen where peers call; port 0 for any
  /// @param connections most at a time
  /// @param advertised host and port that peers are told, for the port that was taken
  public record Settings(
      InetSocketAddress listen,
      int connections,
      LinkSettings link,
      IntFunction<String> advertised) {}

  /// The contexts, and the state of the peers that they were made of.
  ///
  /// @param contexts by the peer that is called; that of [#ANYBODY] is for calls that come in. Who
  ///   calls shows one certificate, so it needs a context for each peer.
  private record Trust(long changes, Map<UUID, SSLContext> contexts) {

    private static final UUID ANYBODY = new UUID(0, 0);

    static Trust of(long changes, List<PairedPool> peers) {
      Map<UUID, SSLContext> contexts = new HashMap<>();
      contexts.put(ANYBODY, LinkTrust.with(peers));
      peers.forEach(peer -> contexts.put(peer.pool().id(), LinkTrust.with(List.of(peer))));
      return new Trust(changes, Map.copyOf(contexts));
    }
  }

  /// @param server serves a link that a peer has opened, until it ends; it is told the peer's id
  public PeerLinks(
      PoolName self, PeerRecords peers, Settings settings, BiConsumer<Link, UUID> server) {
    this.self = self;
    this.peers = peers;
    this.settings = settings;
    this.server = server;
  }

  /// Takes the port if there are peers. If it cannot be taken, that is said, and tried again when
  /// it is needed. Peers whose keys cannot be read are said, too: there is no link with them.
  public void start() {
    for (KnownPeer peer : peers.known()) {
      if (peer.obstacle() != null) {
        log.atError()
            .addKeyValue("peer", peer.pool().id())
            .log(
                "the links with pool {} are locked until chap.key is put back and the provider"
                    + " started again: {}",
                peer.pool(),
                peer.obstacle());
      }
    }
    if (!peers.all().isEmpty()) {
      try {
        open();
      } catch (IOException e) {
        log.atError()
            .addKeyValue("address", settings.listen())
            .log("no peer can replicate to this pool: {}", sentence(e));
      }
    }
  }

  private String sentence(IOException e) {
    return "port %d for links cannot be taken: %s"
        .formatted(settings.listen().getPort(), e.getMessage());
  }

  private synchronized LinkListener open() throws IOException {
    if (closed) {
      throw new IOException("the provider stops");
    }
    if (listener == null) {
      listener =
          new LinkListener(
              settings.listen(), () -> context(Trust.ANYBODY), settings.connections(), new Calls());
      log.atInfo()
          .addKeyValue("port", listener.port())
          .log("peers call at port {}", listener.port());
    }
    return listener;
  }

  /// The host and port that peers are told. Takes the port if it is not taken yet.
  ///
  /// @throws ReplicationException (UNREACHABLE) if it cannot be taken
  public String address() {
    try {
      return settings.advertised().apply(open().port());
    } catch (IOException e) {
      throw new ReplicationException(Reason.UNREACHABLE, "No peer could call: " + sentence(e), e);
    }
  }

  private SSLContext context(UUID peer) {
    long changes = peers.changes();
    Trust known = trust;
    if (known.changes() != changes) {
      known = Trust.of(changes, peers.all());
      trust = known;
    }
    SSLContext context = known.contexts().get(peer);
    if (context == null) {
      throw notPaired(peer);
    }
    return context;
  }

  /// Calls a peer.
  ///
  /// @return after both ends have said who they are
  /// @throws ReplicationException (FORBIDDEN) if it is not a peer, or another pool answers;
  ///   (UNREACHABLE) if it does not answer, or the links with it are locked; or as it refused
  public Conversation connect(UUID pool) {
    PairedPool peer = find(pool);
    Link link = new Link(transport(peer), settings.link(), Pace.UNLIMITED);
    try {
      Handshake.introduce(link, self, pool);
      return new Conversation(link);
    } catch (ReplicationException e) {
      link.close();
      throw e;
    }
  }

  private PairedPool find(UUID pool) {
    try {
      return peers.find(pool).orElseThrow(() -> notPaired(pool));
    } catch (SecretsLockedException e) {
      throw new ReplicationException(
          Reason.UNREACHABLE,
          "The links with pool %s are locked: %s".formatted(pool, e.getMessage()),
          e);
    }
  }

  private SecureTransport transport(PairedPool peer) {
    InetSocketAddress address = PeerAddress.parse(peer.address());
    try {
      SecureTransport transport =
          SecureTransport.connect(
              address, context(peer.pool().id()), LinkTrust.nameOf(self.id()), PATIENCE);
      if (!LinkTrust.isOf(transport.peer(), peer)) {
        transport.close();
        throw new ReplicationException(
            Reason.FORBIDDEN,
            "Expected pool %s at %s, but something else answers there."
                .formatted(peer.pool(), peer.address()));
      }
      return transport;
    } catch (IOException e) {
      throw new ReplicationException(
          Reason.UNREACHABLE,
          "Pool %s is not reached at %s: %s."
              .formatted(peer.pool().name(), peer.address(), e.getMessage()),
          e);
    }
  }

  private static ReplicationException notPaired(UUID pool) {
    return new ReplicationException(
        Reason.FORBIDDEN, "This pool is not paired with pool %s.".formatted(pool));
  }

  /// Takes no calls any more, and ends those under way.
  @Override
  public synchronized void close() {
    closed = true;
    if (listener != null) {
      listener.close();
    }
  }

  /// The work on the calls of peers.
  private final class Calls implements LinkListener.Server {

    @Override
    public void serve(SecureTransport transport) {
      try {
        X509Certificate certificate = transport.peer();
        UUID pool =
            peers.all().stream()
                .filter(peer -> LinkTrust.isOf(certificate, peer))
                .map(peer -> peer.pool().id())
                .findFirst()
                .orElse(null);
        if (pool == null) {
          log.warn(
              "a pool called whose pairing has ended: {}", certificate.getSubjectX500Principal());
          return;
        }
        try (Link link = new Link(transport, settings.link(), Pace.UNLIMITED)) {
          server.accept(link, pool);
        }
      } catch (ReplicationException e) {
        log.atDebug().log("a link ended: {}", e.sentence());
      } catch (IOException e) {
        log.atDebug().log("a call came to nothing: {}", e.getMessage());
      }
    }

    @Override
    public void refused(String from, IOException reason) {
      log.atWarn()
          .addKeyValue("from", from)
          .log("a call of {} was refused: {}", from, reason.getMessage());
    }
  }
}
