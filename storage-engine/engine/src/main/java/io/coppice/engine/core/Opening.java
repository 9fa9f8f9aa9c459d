package io.coppice.engine.core;

import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotLocks;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.change.ChangeCommand;
import io.coppice.engine.checkpoint.Checkpoints;
import io.coppice.engine.clean.Cleaner;
import io.coppice.engine.clean.LatencyWatch;
import io.coppice.engine.device.CountingDevice;
import io.coppice.engine.device.mirror.Mirror;
import io.coppice.engine.format.Change;
import io.coppice.engine.format.LogPosition;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.io.Admission;
import io.coppice.engine.io.BlockReads;
import io.coppice.engine.io.HostIoCounters;
import io.coppice.engine.io.OpenPool;
import io.coppice.engine.log.Committer;
import io.coppice.engine.log.Log;
import io.coppice.engine.log.LogZones;
import io.coppice.engine.log.SurvivorWriter;
import io.coppice.engine.log.ZoneReader;
import io.coppice.engine.log.ZoneWindow;
import io.coppice.engine.mirror.Devices;
import io.coppice.engine.mirror.ZoneResilver;
import io.coppice.engine.recovery.Recovery;
import io.coppice.engine.scrub.ScrubView;
import io.coppice.engine.scrub.ScrubWiring;
import io.coppice.engine.scrub.Scrubber;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.state.BlockChanges;
import io.coppice.engine.state.CatalogChanges;
import io.coppice.engine.state.CommitterQueries;
import io.coppice.engine.state.LockRules;
import io.coppice.engine.state.LockTime;
import io.coppice.engine.state.PoolService;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.SpaceGate;
import io.coppice.engine.state.SurvivorZones;
import io.coppice.engine.state.VolumeState;
import io.coppice.engine.status.PoolInfo;
import io.coppice.engine.superblock.PoolDevices;
import io.coppice.engine.superblock.Superblocks;
import io.coppice.engine.supply.ZoneSupply;
import io.coppice.engine.watch.WriteSampler;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The opening of a pool: it recovers the pool, wires its parts and starts them.
final class Opening {

  /// Most replayed records without a following checkpoint. With more, a second crash would find a
  /// longer replay.
  private static final long RECORDS_WORTH_A_CHECKPOINT = 10_000;

  private Opening() {}

  /// The machine's clock, and a count of nanoseconds that no change of the clock affects.
  record Time(InstantSource clock, LongSupplier nanos) {}

  private static void wakeUp(PoolState state, BlockReads reads, Committer committer) {
    state.nodes().wakeBy(committer::wake);
    state.reclaimer().readBy(read -> prefetch(read, state, reads, committer));
  }

  static RedirectOnWriteEngine open(PoolDevices found, EngineOptions options, Time time) {
    InstantSource clock = time.clock;
    CountingDevice device = new CountingDevice(found.device());
    Superblocks superblocks = new Superblocks(device, found.head());
    Recovery recovery = recovery(found, options, device);
    keepMirror(found, superblocks, options);
    Map<Integer, Integer> tables = recover(found, recovery, device, superblocks);
    PoolState state = recovery.state();
    state.metaReads().opened();
    Log log = log(device, recovery, clock);
    Committer committer = new Committer(log, options.log().batchBytes() / PoolLayout.BLOCK);
    ZoneSupply supply = supply(found, recovery, options, device, committer::wake);
    SpaceGate gate = new SpaceGate(state, log, committer);
    PoolService service = new PoolService(clock);
    LatencyWatch latency = CommitterHousekeeping.latencyWatch(options);
    Superblock head = recovery.superblock();
    Checkpoints checkpoints =
        new Checkpoints(device, state, log, gate, superblocks, tables, committer::wake);
    SurvivorZones survivors = new SurvivorZones(state, checkpoints::hasSurvivors);
    Cleaner cleaner =
        new Cleaner(
            new Cleaner.Parts(state, gate, log, survivors),
            options.cleaning(),
            latency,
            tools(device, head, clock),
            committer);
    CommitterQueries questions = new CommitterQueries(service, committer::wake);
    BlockReads reads = new BlockReads(device, state, options.resources().readerThreads());
    PoolLocks.Parts locks = locks(state, time);
    wakeUp(state, reads, committer);
    OpenPool pool =
        new OpenPool(
            state,
            log,
            committer,
            gate,
            new BlockChanges(state),
            new CatalogChanges(state, locks.rules()::check),
            reads,
            new Admission(state, committer, reads),
            new HostIoCounters(),
            new WriteSampler(),
            questions,
            service);
    CommitterHousekeeping housekeeping =
        new CommitterHousekeeping(
            pool,
            options,
            device,
            new CommitterHousekeeping.Workers(checkpoints, cleaner, latency));
    gate.publishRoom();
    start(recovery, housekeeping, cleaner, committer, supply);
    dropStages(pool);
    ScrubView facts = new ScrubView(state, log, survivors, checkpoints, questions);
    Runnable checkpoint = () -> housekeeping.checkpoint(committer::wake);
    Scrubber scrubber =
        ScrubWiring.start(new ScrubWiring.Parts(pool, device, head, facts, checkpoint, clock));
    ZoneResilver.Parts filled =
        new ZoneResilver.Parts(facts, state, device, head.pool(), scrubber.findings(), checkpoint);
    return new RedirectOnWriteEngine(
        pool,
        housekeeping,
        scrubber,
        device,
        infoOf(recovery),
        Devices.start(found, superblocks, filled, reads::openQueues),
        supply,
        new PoolLocks(pool, locks),
        new PoolJournals(pool, housekeeping, clock, time.nanos));
  }

  private static PoolInfo infoOf(Recovery recovery) {
    return new PoolInfo(
        recovery.superblock().pool(),
        PoolLayout.VERSION,
        Instant.ofEpochMilli(recovery.superblock().createdMillis()),
        recovery.replayed());
  }

  private static PoolLocks.Parts locks(PoolState state, Time time) {
    List<VolumeInfo> volumes = state.volumes().stream().map(VolumeState::info).toList();
    LockTime lockTime =
        new LockTime(state.records().find(SnapshotLocks.RECORD), volumes, time.clock, time.nanos);
    return new PoolLocks.Parts(
        lockTime, new LockRules(id -> infoOf(state.find(id)), lockTime::now));
  }

  private static @Nullable VolumeInfo infoOf(@Nullable VolumeState volume) {
    return volume == null ? null : volume.info();
  }

  /// From here on a member that fails or does not answer is left out, and the superblocks say so.
  private static void keepMirror(
      PoolDevices found, Superblocks superblocks, EngineOptions options) {
    if (found.device() instanceof Mirror mirror) {
      mirror.answerWithin(options.devices().settings().deadline());
      mirror.keptBy(superblocks);
    }
  }

  private static Recovery recovery(
      PoolDevices found, EngineOptions options, CountingDevice device) {
    EngineOptions.ResourceOptions resources = options.resources();
    return new Recovery(
        device, found.head(), resources.mapMemoryBytes(), resources.readerThreads());
  }

  /// What will be written before a zone is taken may lie in a sparse file of an earlier version.
  private static @Nullable ZoneSupply supply(
      PoolDevices found,
      Recovery recovery,
      EngineOptions options,
      CountingDevice others,
      Runnable changed) {
    Segments segments = recovery.state().segments();
    ZoneSupply supply =
        ZoneSupply.of(
            found.device(),
            segments.free(),
            new ZoneSupply.Geometry(segments.zoneSize(), segments.zones()),
            options.devices().provisioning(),
            () -> others.bytesRead() + others.bytesWritten(),
            changed);
    if (supply != null) {
      supply.cover(0, PoolLayout.SUPERBLOCK_AREA);
      LogPosition end = recovery.end();
      for (int zone : new int[] {end.zone(), end.nextZone()}) {
        if (zone >= 0) {
          supply.cover(PoolLayout.zoneOffset(zone, segments.zoneSize()), segments.zoneSize());
        }
      }
      segments.free().keep(recovery.state().space().keptZones());
      supply.placeKept();
    }
    return supply;
  }

  private static void start(
      Recovery recovery,
      CommitterHousekeeping housekeeping,
      Cleaner cleaner,
      Committer committer,
      @Nullable ZoneSupply supply) {
    if (recovery.replayed() > RECORDS_WORTH_A_CHECKPOINT) {
      housekeeping.want();
    }
    cleaner.start();
    committer.start(housekeeping);
    committer.wake();
    if (supply != null) {
      supply.start();
    }
  }

  private static Map<Integer, Integer> recover(
      PoolDevices found, Recovery recovery, CountingDevice device, Superblocks superblocks) {
    Map<Integer, Integer> tables = recovery.run();
    // What replay has read may be in a cache only: from here on it is acknowledged. Of what a
    // failed write left there a sync writes nothing: replay has stored the last batch again, and
    // the superblock follows. What they name was stable before them.
    device.sync();
    if (found.uneven()) {
      superblocks.settle();
    } else {
      superblocks.rewrite();
    }
    return tables;
  }

  /// Gives up unfinished copies of differences. That is in the log before any caller can write the
  /// volumes of the stages.
  private static void dropStages(OpenPool pool) {
    for (VolumeState stage : List.copyOf(pool.state().stages())) {
      ChangeCommand command =
          new ChangeCommand(pool, new Change.Unstage(OperationId.random(), stage.info().id()));
      pool.committer().submit(command);
      command.await(null);
    }
  }

  private static Cleaner.Tools tools(CountingDevice device, Superblock head, InstantSource clock) {
    int zoneSize = head.geometry().zoneSize();
    return new Cleaner.Tools() {
      @Override
      public ZoneReader reader(ZoneWindow.Pace pace) {
        return new ZoneReader(device, head.pool(), zoneSize, pace);
      }

      @Override
      public SurvivorWriter writer() {
        return new SurvivorWriter(device, head.pool(), zoneSize, clock);
      }
    };
  }

  private static Log log(CountingDevice device, Recovery recovery, InstantSource clock) {
    return new Log(
        device,
        new Log.Superblock(
            recovery.superblock().pool(), recovery.superblock().geometry().zoneSize()),
        zones(recovery.state().segments()),
        recovery.end(),
        clock);
  }

  private static void prefetch(
      Runnable read, PoolState state, BlockReads reads, Committer committer) {
    Runnable inside =
        () -> {
          int ticket = state.epochs().enter();
          try {
            read.run();
          } finally {
            state.epochs().leave(ticket);
            committer.wake();
          }
        };
    try {
      reads.execute(inside);
    } catch (StorageException e) { // being closed: nobody else is left to read it
      inside.run();
    }
  }

  private static LogZones zones(Segments segments) {
    return new LogZones() {
      @Override
      public int takeZone() {
        return segments.takeZone();
      }

      @Override
      public int newSegment() {
        return segments.newId();
      }

      @Override
      public void opened(int segment, int zone) {
        segments.add(segment, Segment.Kind.LOG, zone);
      }

      @Override
      public void sealed(int segment) {
        segments.seal(segment);
      }
    };
  }
}
