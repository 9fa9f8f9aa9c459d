package io.coppice.bench.engine;

import io.coppice.bench.engine.stage.Bed;
import io.coppice.bench.engine.stage.Group;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.report.Aim;
import io.coppice.bench.report.Row;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.Volume;
import io.coppice.engine.VolumeId;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.harness.Mismatch;
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
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/// The bytes that cycles send to another pool, beside the bytes that changed.
final class ReplicationGroup implements Group {

  private static final long VOLUME = 100L << 30;
  static final long STORED = 1L << 30;
  static final int BLOCK = 4096;
  static final int CHUNK = 1 << 20;
  static final int PLACES = 1_000;
  private static final long CLONE_BYTES = 1 << 20;
  static final long SEED = 21;

  private static final LinkSettings PLAIN = new LinkSettings(Duration.ofSeconds(15), false);
  private static final PoolName SOURCE = new PoolName(new UUID(1, 1), "source");
  private static final PoolName TARGET = new PoolName(new UUID(2, 2), "target");

  private static final TargetRules OPEN =
      new TargetRules() {
        @Override
        public void admit(PoolName peer) {}

        @Override
        public void admit(PoolName peer, UUID group) {}
      };

  @Override
  public String name() {
    return "replication";
  }

  @Override
  public void run(Stage stage) throws IOException {
    stage
        .report()
        .group(
            "Replication",
            "A volume of 100 GiB of which 1 GiB is stored, all of it random, goes to a second pool over TCP on this machine, without compression. The figure is the bytes over the link as a part of what is allowed: 1.05 times the bytes that changed and 512 for each range. Each replica is compared with its source.");
    int mark = stage.leftovers().mark();
    Path other = stage.newPool("other", 4 * STORED);
    try (StorageEngine target = PoolDirectory.open(other, EngineOptions.defaults())) {
      stage.withPool(6 * STORED, bed -> new Sites(stage, bed, target).measure());
    } finally {
      stage.leftovers().undoTo(mark);
    }
    new ReplicationPeers(stage).measure();
  }

  /// The two pools.
  private static final class Sites {
    private final Stage stage;
    private final Bed bed;
    private final StorageEngine target;
    private final ReplicaCatalog ours;
    private final ReplicaCatalog theirs;
    private final Random random = new Random(SEED);

    Sites(Stage stage, Bed bed, StorageEngine target) {
      this.stage = stage;
      this.bed = bed;
      this.target = target;
      ours = new ReplicaCatalog(bed.engine());
      theirs = new ReplicaCatalog(target);
    }

    void measure() {
      VolumeId id = bed.volume(VOLUME);
      Volume volume = bed.engine().open(id);
      for (long at = 0; at < STORED; at += CHUNK) {
        write(volume, at, CHUNK);
      }
      SourceGroup group = group(id);
      report("first copy of 1 GiB", group);
      random.longs(PLACES, 0, STORED / BLOCK).forEach(at -> write(volume, at * BLOCK, BLOCK));
      report("1,000 blocks of 4 KiB at random places", group);
      for (long at = 0; at < 64L << 20; at += CHUNK) {
        write(volume, (STORED / 2) + at, CHUNK);
      }
      report("64 MiB in sequence", group);
      report("nothing", group);
      cloned(id);
    }

    private void write(Volume volume, long offset, int length) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      volume.write(offset, ByteBuffer.wrap(bytes));
    }

    private void cloned(VolumeId id) {
      SourceGroup group = group(bed.clone(id));
      Run run = replicate(group);
      stage
          .report()
          .row(
              Row.of("a clone of the volume, bytes over the link", bytes(run.link))
                  .against("1 MiB allowed")
                  .judged((double) run.link / CLONE_BYTES, Aim.atMost(1)));
    }

    private void report(String work, SourceGroup group) {
      Run run = replicate(group);
      double allowed = 1.05 * run.result.dataBytes() + 512.0 * Math.max(1, run.result.ranges());
      Row row =
          Row.of(
                  work,
                  "%s in %d ranges changed, %s over the link, %.2f s"
                      .formatted(
                          bytes(run.result.dataBytes()),
                          run.result.ranges(),
                          bytes(run.link),
                          run.seconds))
              .against("%s allowed".formatted(bytes((long) allowed)));
      stage
          .report()
          .row(run.result.dataBytes() == 0 ? row : row.judged(run.link / allowed, Aim.atMost(1)));
    }

    private record Run(CycleResult result, long link, double seconds) {}

    private Run replicate(SourceGroup group) {
      try {
        Loopback.Pair wire = Loopback.Pair.open();
        Thread serving = Thread.ofVirtual().start(() -> serve(wire.target()));
        long start = System.nanoTime();
        try (Link link = new Link(wire.source(), PLAIN, Pace.UNLIMITED)) {
          Handshake.introduce(link, SOURCE, TARGET.id());
          CycleResult result =
              new CycleSender(bed.engine(), ours, InstantSource.system())
                  .run(new Conversation(link), group, CycleSender.Label.NONE);
          double seconds = (System.nanoTime() - start) / 1e9;
          compare(result.replica());
          return new Run(result, link.sentBytes() + link.receivedBytes(), seconds);
        } finally {
          serving.join();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Mismatch("interrupted");
      }
    }

    private void serve(Loopback end) {
      try (Link link = new Link(end, PLAIN, Pace.UNLIMITED)) {
        new ReplicationTarget(target, theirs, TARGET, OPEN, ReplicationTarget.NOTE_BYTES)
            .serve(link);
      } catch (ReplicationException e) {
        // The source closes the link when it is done.
      }
    }

    /// The replica holds what the source's snapshot holds, where something is stored.
    private void compare(Replica replica) {
      for (VolumeId id : replica.snapshots().values()) {
        Volume here = bed.engine().open(id);
        Volume there = target.open(id);
        for (long at = 0; at < STORED; at += CHUNK) {
          if (!Arrays.equals(read(here, at), read(there, at))) {
            throw new Mismatch("the replica differs from its source at " + at);
          }
        }
      }
    }

    private static byte[] read(Volume volume, long offset) {
      ByteBuffer bytes = ByteBuffer.allocate(CHUNK);
      volume.read(offset, bytes);
      return bytes.array();
    }
  }

  private static SourceGroup group(VolumeId id) {
    return new SourceGroup(
        UUID.randomUUID(), List.of(new SourceGroup.SourceMember(id.value(), id, Map.of())), false);
  }

  static String bytes(long count) {
    return "%,d bytes".formatted(count);
  }
}
