package io.coppice.vasa.testing;

import io.coppice.engine.testing.MemoryEngine;
import io.coppice.replication.PoolName;
import io.coppice.replication.link.LinkSettings;
import io.coppice.scsi.secret.SecretBox;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.replication.group.GroupPlan;
import io.coppice.vasa.replication.group.PoolReplication;
import io.coppice.vasa.replication.group.ReplicatedGroup;
import io.coppice.vasa.replication.lag.LagWatch;
import io.coppice.vasa.replication.link.PeerLinks;
import io.coppice.vasa.replication.pairing.Pairing;
import io.coppice.vasa.replication.pairing.PairingCalls;
import io.coppice.vasa.replication.pairing.PeerRecords;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// The replication of one pool, wired by hand. No cycle begins by itself, and no peer answers.
public final class TestReplication {

  /// How long a peer's certificate is good.
  public static final Duration VALIDITY = Duration.ofDays(365);

  private static final X509Certificate SERVER =
      Issuer.create("rest", Instant.now(), Duration.ofDays(1)).served().leaf();

  public final PoolReplication pool;
  public final LagWatch watch;

  private final PeerRecords peers;
  private final ControlPlane plane;

  public TestReplication(ControlPlane plane) {
    this.plane = plane;
    peers = new PeerRecords(plane.engine.records(), box());
    pool =
        new PoolReplication(
            new PoolName(plane.engine.pool().id(), "first"),
            peers,
            new PeerLinks.Settings(
                new InetSocketAddress("127.0.0.1", 0),
                16,
                LinkSettings.DEFAULT,
                port -> "127.0.0.1:" + port),
            plane.store,
            plane.volumes,
            plane.recovery,
            plane.containers,
            plane.clock);
    watch = new LagWatch(pool.groups(), peers::all, plane.clock);
  }

  /// Pairs the pool with one that nobody reaches.
  ///
  /// @return its id
  public UUID peer(String name) {
    UUID id = UUID.randomUUID();
    Pairing own =
        pairing(
            plane.engine.pool().id(),
            "first",
            peers,
            (_, _) -> {
              throw new IllegalStateException("the other pool is paired from its own end");
            });
    Pairing other =
        pairing(
            id,
            name,
            new PeerRecords(new MemoryEngine().records(), box()),
            (_, asking) -> new PairingCalls.Answered(own.answer(asking.by(SERVER)), SERVER));
    other.accept("first:9443", own.offer());
    return id;
  }

  private Pairing pairing(UUID id, String name, PeerRecords records, PairingCalls calls) {
    return new Pairing(
        new Pairing.Site(new PoolName(id, name), () -> "127.0.0.1:1", () -> SERVER),
        records,
        calls,
        _ -> {},
        plane.clock,
        plane.clock::nanos);
  }

  private static SecretBox box() {
    return SecretBox.of(new byte[SecretBox.KEY_BYTES]);
  }

  /// Makes a group of one volume with a cycle each 15 s and the usual RPO, 30 s.
  public ReplicatedGroup group(UUID peer, String name, UUID volume) {
    return pool.groups()
        .create(
            new GroupPlan(
                name,
                peer,
                Duration.ofSeconds(15),
                null,
                List.of(),
                List.of(),
                List.of(volume),
                null,
                false));
  }
}
