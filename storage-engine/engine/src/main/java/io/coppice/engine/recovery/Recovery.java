package io.coppice.engine.recovery;

import io.coppice.engine.RecordChange;
import io.coppice.engine.StorageException;
import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.family.Version;
import io.coppice.engine.format.BatchHeader;
import io.coppice.engine.format.ByteSource;
import io.coppice.engine.format.Chunk;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.LogPosition;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.format.table.AccountTable;
import io.coppice.engine.format.table.BlockTables;
import io.coppice.engine.format.table.JournalRow;
import io.coppice.engine.format.table.OperationRow;
import io.coppice.engine.format.table.SegmentRow;
import io.coppice.engine.format.table.StateTables;
import io.coppice.engine.format.table.VolumeRow;
import io.coppice.engine.log.LogReplay;
import io.coppice.engine.segment.SecondZones;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.VolumeState;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// The recovery of a pool from the superblock that counts: its checkpoint, and the log from there.
public final class Recovery {

  private final BlockDevice device;
  private final Superblock superblock;
  private final PoolState state;
  private final long mapMemory;
  private final int readerThreads;
  private final Map<Integer, Integer> tableZones = new HashMap<>();
  private final Map<Integer, Integer> tableTwins = new HashMap<>(); // zone, second zone
  private LogPosition end;
  private long replayed;

  /// @param superblock the one that counts
  /// @param mapMemory bytes that nodes of maps may take
  /// @param readerThreads nodes that replay may read at a time
  public Recovery(BlockDevice device, Superblock superblock, long mapMemory, int readerThreads) {
    this.device = device;
    this.mapMemory = mapMemory;
    this.readerThreads = readerThreads;
    this.superblock = superblock;
    Superblock.Geometry geometry = superblock.geometry();
    checkGeometry(geometry);
    state = new PoolState(device, superblock.pool(), geometry, mapMemory);
    end = superblock.logStart();
  }

  public Superblock superblock() {
    return superblock;
  }

  public PoolState state() {
    return state;
  }

  /// Where the log goes on.
  public LogPosition end() {
    return end;
  }

  /// Records replayed.
  public long replayed() {
    return replayed;
  }

  // ---- superblock

  private void checkGeometry(Superblock.Geometry geometry) {
    int size = geometry.zoneSize();
    if (Integer.bitCount(size) != 1
        || size < PoolLayout.MIN_ZONE_SIZE
        || size > PoolLayout.MAX_ZONE_SIZE
        || geometry.zones() < PoolLayout.MIN_ZONES) {
      throw new StorageException.Damaged(
          "Expected a superblock with a possible geometry, found %d zones of %d bytes."
              .formatted(geometry.zones(), size));
    }
    if (PoolLayout.zonesOf(device.sizeInBytes(), size) < geometry.zones()) {
      throw new StorageException.PoolUnusable(
          "Expected a pool of %d bytes, found %d."
              .formatted(PoolLayout.zoneOffset(geometry.zones(), size), device.sizeInBytes()));
    }
  }

  // ---- checkpoint

  /// Loads the checkpoint and replays the log.
  ///
  /// @return blocks of the checkpoint's tables by segment
  public Map<Integer, Integer> run() {
    try {
      ByteSource tables = readTables();
      restore(StateTables.decode(tables, superblock.features()), tables);
      replay();
    } catch (FormatException e) {
      throw new StorageException.Damaged("The checkpoint is damaged: " + e.getMessage());
    } catch (StorageException.Damaged | DeviceException e) {
      throw e;
    } catch (RuntimeException e) {
      // Intact bytes that no engine wrote: the state refuses what cannot be.
      StorageException.Damaged damaged =
          new StorageException.Damaged("The pool contradicts itself: " + e.getMessage());
      damaged.addSuppressed(e);
      throw damaged;
    }
    return adoptTableZones();
  }

  private ByteSource readTables() {
    ArrayDeque<byte[]> pieces = new ArrayDeque<>();
    Superblock.Root at = superblock.root();
    int expected = -1;
    while (expected != 0) {
      if (at.length() < Chunk.header(superblock.features())
          || at.length() > state.segments().zoneSize()
          || !isInside(at.offset(), at.length())
          || (at.twin() != 0 && !isInside(at.twin(), at.length()))) {
        throw new FormatException("expected a piece of it inside the pool, found " + at);
      }
      ByteBuffer bytes = readChunk(at);
      if (expected >= 0 && Chunk.number(bytes) != expected - 1) {
        throw new FormatException("expected its pieces in order, found another number");
      }
      expected = Chunk.number(bytes);
      pieces.addFirst(Chunk.bytes(bytes, superblock.features()));
      noteZones(at);
      at = Chunk.before(bytes, superblock.features());
    }
    return new ByteSource(pieces);
  }

  private boolean isInside(long offset, int length) {
    long zonesEnd = PoolLayout.zoneOffset(state.segments().zones(), state.segments().zoneSize());
    return offset >= PoolLayout.SUPERBLOCK_AREA
        && offset <= zonesEnd - length
        && offset % PoolLayout.BLOCK == 0;
  }

  private ByteBuffer readChunk(Superblock.Root at) {
    int length = PoolLayout.blocksFor(at.length()) * PoolLayout.BLOCK;
    return state
        .metaReads()
        .read(
            "a piece of the checkpoint's tables at offset " + at.offset(),
            at.offset(),
            at.twin(),
            AlignedBuffers.allocate(length),
            bytes -> {
              Chunk.check(bytes, superblock.pool(), superblock.features(), at);
              return bytes;
            });
  }

  private void noteZones(Superblock.Root at) {
    int zone = zoneOf(at.offset());
    int twin = at.twin() == 0 ? SecondZones.NONE : zoneOf(at.twin());
    tableZones.merge(zone, PoolLayout.blocksFor(at.length()), Integer::sum);
    Integer other = tableTwins.putIfAbsent(zone, twin);
    if (other != null && other != twin) {
      throw new FormatException(
          "expected one second zone of zone %d, found %d and %d".formatted(zone, other, twin));
    }
  }

  private int zoneOf(long offset) {
    return (int) ((offset - PoolLayout.SUPERBLOCK_AREA) / superblock.geometry().zoneSize());
  }

  /// @param rest the tables behind the first ones
  private void restore(StateTables stored, ByteSource rest) {
    RestoredPlacements placements = RestoredPlacements.of(stored.placements());
    StoredTables.check(stored, placements, superblock);
    Segments segments = state.segments();
    for (SegmentRow row : stored.segments()) {
      if (row.zone() >= 0) {
        segments.claim(row.zone());
      }
      if (row.twin() >= 0) {
        segments.claim(row.twin());
      }
      segments.add(row.id(), Segment.Kind.of(row.meta()), row.zone(), row.twin());
    }
    segments.ids().raise(stored.counters().nextSegment());
    placements.restore(segments.counts());
    RestoredBlocks blocks = restoreBlocks(stored, rest);
    state.space().setPageBlocks(state.pages().pageBlocks());
    RestoredVersions versions = new RestoredVersions(stored, state, state.storedNodes());
    versions.restore(blocks.space());
    AccountTable accounts = blocks.accounts();
    if (accounts == null) {
      new AccountCensus(state).run();
    } else {
      new RestoredAccounts(accounts).restore(state.families());
    }
    restoreNames(stored, blocks.journals());
    tableZones.keySet().forEach(segments::claim);
    tableTwins.values().stream().filter(zone -> zone >= 0).forEach(segments::claim);
    sealUnlessLogEnd(superblock.logStart().segment());
  }

  private RestoredBlocks restoreBlocks(StateTables stored, ByteSource rest) {
    Segments segments = state.segments();
    RestoredBlocks blocks = new RestoredBlocks(segments, state.pages());
    BlockTables.decode(
        rest, superblock.features(), stored.versions().size(), segments.blocksPerZone(), blocks);
    blocks.finish();
    return blocks;
  }

  /// Seals the earlier segments, except the log's last one: nothing more goes into them.
  private void sealUnlessLogEnd(int logSegment) {
    for (Segment segment : state.segments().all()) {
      if (segment.id() != logSegment) {
        state.segments().seal(segment.id());
      }
    }
  }

  private Version require(int version) {
    Version found = state.families().find(version);
    if (found == null) {
      throw new FormatException("expected version %d, found none".formatted(version));
    }
    return found;
  }

  private void restoreNames(StateTables stored, List<JournalRow> journals) {
    for (VolumeRow row : stored.volumes()) {
      VolumeState volume =
          new VolumeState(
              row.number(),
              row.family(),
              row.volume().info(),
              require(row.version()),
              state.space(),
              row.volume().role());
      switch (row.volume().role()) {
        case LISTED -> state.add(volume);
        case STAGE -> state.addStage(volume);
        case HIDDEN -> state.addHidden(volume);
      }
    }
    state.restoreJournals(journals);
    state.raiseNextNumber(stored.counters().nextNumber());
    List<RecordChange> puts = new ArrayList<>();
    stored.records().forEach(row -> puts.add(new RecordChange.Put(row.getKey(), row.getValue())));
    state.records().apply(puts);
    for (OperationRow row : stored.operations()) {
      state.operations().remember(row.id(), row.result());
    }
  }

  // ---- log

  private void replay() {
    UUID pool = superblock.pool();
    Superblock.Geometry geometry = superblock.geometry();
    RecordReplay records = new RecordReplay(state);
    LogReplay replay = new LogReplay(device, pool, geometry.zoneSize(), geometry.zones());
    try (ReplayPortion portion =
        new ReplayPortion(state, mapMemory, readerThreads, batch -> apply(batch, records))) {
      end = replay.run(superblock.logStart(), portion::add);
      portion.replay();
    }
    replay.settle(end);
    useSegment(end.segment(), end.zone());
    if (end.nextZone() >= 0) {
      state.segments().claim(end.nextZone());
      state.segments().ids().use(end.nextSegment());
    }
  }

  private void apply(LogReplay.Content batch, RecordReplay records) {
    BatchHeader.Place place = batch.header().place();
    useSegment(place.segment(), place.zone());
    replayed += batch.records().size();
    records.batch(batch);
  }

  private int logSegment = -1;

  private void useSegment(int id, int zone) {
    Segments segments = state.segments();
    if (segments.find(id) == null) {
      segments.claim(zone);
      segments.add(id, Segment.Kind.LOG, zone);
    }
    if (logSegment < 0) {
      logSegment = superblock.logStart().segment();
    }
    if (logSegment != id) {
      segments.seal(logSegment);
      logSegment = id;
    }
  }

  private boolean isTaken(int twin, Map<Integer, Integer> byZone) {
    return twin >= 0
        && (byZone.containsKey(twin)
            || tableZones.containsKey(twin)
            || byZone.keySet().stream().anyMatch(z -> state.segments().twins().of(z) == twin));
  }

  /// Gives the zones that hold only tables a segment each.
  private Map<Integer, Integer> adoptTableZones() {
    Segments segments = state.segments();
    Map<Integer, Integer> byZone = new HashMap<>();
    segments.all().forEach(segment -> byZone.put(segment.zone(), segment.id()));
    Map<Integer, Integer> blocks = new HashMap<>();
    tableZones.forEach(
        (zone, count) -> {
          int twin = tableTwins.getOrDefault(zone, SecondZones.NONE);
          Integer id = byZone.get(zone);
          if (id == null ? isTaken(twin, byZone) : segments.twins().of(zone) != twin) {
            throw new StorageException.Damaged(
                "Expected a second zone of zone %d for the checkpoint's tables alone, found zone %d."
                    .formatted(zone, twin));
          }
          if (id == null) {
            id = segments.newId();
            segments.add(id, Segment.Kind.META, zone, twin);
            segments.seal(id);
          }
          segments.tables(id, count);
          blocks.put(id, count);
        });
    return blocks;
  }
}
