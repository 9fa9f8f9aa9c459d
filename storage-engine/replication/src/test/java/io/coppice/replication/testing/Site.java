package io.coppice.replication.testing;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.replication.PoolName;
import io.coppice.replication.Replica;
import io.coppice.replication.ReplicationException;
import io.coppice.replication.intake.ReplicationTarget;
import io.coppice.replication.intake.TargetRules;
import io.coppice.replication.link.Handshake;
import io.coppice.replication.link.Link;
import io.coppice.replication.link.LinkSettings;
import io.coppice.replication.link.Pace;
import io.coppice.replication.replica.ReplicaCatalog;
import io.coppice.replication.source.Conversation;
import io.coppice.replication.source.CycleResult;
import io.coppice.replication.source.CycleSender;
import io.coppice.replication.source.SourceGroup;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;

/// A pool that sends and receives cycles, on a simulated device.
public final class Site implements AutoCloseable {

  /// Short, so that tests of silent ends are.
  private static final LinkSettings SETTINGS = new LinkSettings(Duration.ofMillis(200), true);

  /// For cycles that nobody cuts: a busy machine may be slow.
  private static final LinkSettings PATIENT = new LinkSettings(Duration.ofSeconds(30), true);

  private static final long NOTE_BYTES = 128 << 10;

  /// Rules that refuse nothing.
  public static final TargetRules OPEN =
      new TargetRules() {
        @Override
        public void admit(PoolName peer) {}

        @Override
        public void admit(PoolName peer, UUID group) {}

        @Override
        public String answer(PoolName peer, String subject, String text) {
          return subject + ": " + text;
        }
      };

  private final PoolName name;
  private PoolFixture pool;
  private RedirectOnWriteEngine engine;
  private ReplicaCatalog catalog;
  private TargetRules rules = OPEN;

  public Site(String name, long sizeInBytes) {
    pool = PoolFixture.ofBytes(sizeInBytes).format();
    engine = pool.open();
    catalog = new ReplicaCatalog(engine);
    this.name = new PoolName(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)), name);
  }

  public RedirectOnWriteEngine engine() {
    return engine;
  }

  public ReplicaCatalog catalog() {
    return catalog;
  }

  public PoolName name() {
    return name;
  }

  public void rules(TargetRules others) {
    rules = others;
  }

  /// Restarts after a loss of power, which the checker must find harmless.
  public void crash(RandomGenerator random) {
    engine.abandon();
    pool = pool.afterCrash(random).whole();
    engine = pool.open();
    catalog = new ReplicaCatalog(engine);
  }

  /// Closes the pool; the checker must find it whole.
  @Override
  public void close() {
    pool.close();
    pool.whole();
  }

  // ---- cycles

  /// Runs a cycle of a group towards another pool, over a wire of its own.
  public CycleResult replicate(Site target, SourceGroup group) {
    return replicate(target, group, new MemoryWire(), PATIENT);
  }

  /// As the other, over this wire, whose ends soon give each other up. Returns when the target's
  /// end has ended, too.
  public CycleResult replicate(Site target, SourceGroup group, MemoryWire wire) {
    return replicate(target, group, wire, SETTINGS);
  }

  private CycleResult replicate(
      Site target, SourceGroup group, MemoryWire wire, LinkSettings settings) {
    Thread serving = target.serve(wire, settings);
    try (Conversation conversation = connect(target, wire, settings)) {
      return new CycleSender(engine, catalog, InstantSource.system())
          .run(conversation, group, CycleSender.Label.NONE);
    } finally {
      join(serving);
    }
  }

  /// Asks the control plane of another pool.
  public String call(Site other, String subject, String text) {
    MemoryWire wire = new MemoryWire();
    Thread serving = other.serve(wire, PATIENT);
    try (Conversation conversation = connect(other, wire, PATIENT)) {
      return conversation.call(subject, text);
    } finally {
      join(serving);
    }
  }

  private Conversation connect(Site target, MemoryWire wire, LinkSettings settings) {
    Link link = new Link(wire.source(), settings, Pace.UNLIMITED);
    try {
      Handshake.introduce(link, name, target.name.id());
      return new Conversation(link);
    } catch (ReplicationException e) {
      link.close();
      throw e;
    }
  }

  private Thread serve(MemoryWire wire, LinkSettings settings) {
    ReplicationTarget target = new ReplicationTarget(engine, catalog, name, rules, NOTE_BYTES);
    return Thread.ofVirtual()
        .start(
            () -> {
              try (Link link = new Link(wire.target(), settings, Pace.UNLIMITED)) {
                target.serve(link);
              } catch (ReplicationException e) {
                // Every link ends some time.
              }
            });
  }

  private static void join(Thread thread) {
    try {
      if (!thread.join(Duration.ofSeconds(60))) {
        throw new AssertionError("the target's end did not end");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  // ---- volumes

  public VolumeId create(long sizeInBytes) {
    return engine
        .create(OperationId.random(), VolumeSpec.thin(VolumeId.random(), sizeInBytes))
        .id();
  }

  public void write(VolumeId volume, long offset, byte[] bytes) {
    engine.open(volume).write(offset, ByteBuffer.wrap(bytes.clone()));
  }

  public byte[] read(VolumeId volume) {
    VolumeInfo info = engine.find(volume).orElseThrow();
    ByteBuffer bytes = ByteBuffer.allocate((int) info.sizeInBytes());
    engine.open(volume).read(0, bytes);
    return bytes.array();
  }

  /// The content of a member in a replica.
  public byte[] read(Replica replica, UUID member) {
    return read(replica.snapshots().get(member));
  }

  /// A group of volumes, each of which is its own member.
  public static SourceGroup group(VolumeId... volumes) {
    return new SourceGroup(
        UUID.randomUUID(),
        List.of(volumes).stream()
            .map(volume -> new SourceGroup.SourceMember(volume.value(), volume, Map.of()))
            .toList(),
        false);
  }
}
