package io.coppice.engine.state;

import io.coppice.engine.VolumeId;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.family.Families;
import io.coppice.engine.family.Reclaimer;
import io.coppice.engine.family.Version;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.format.table.JournalRow;
import io.coppice.engine.map.EpochGate;
import io.coppice.engine.map.Leaf;
import io.coppice.engine.map.MapEditor;
import io.coppice.engine.map.MapRoot;
import io.coppice.engine.map.Node;
import io.coppice.engine.map.NodeCache;
import io.coppice.engine.map.Placements;
import io.coppice.engine.segment.Pages;
import io.coppice.engine.segment.Segments;
import io.coppice.engine.status.WrittenCounts;
import io.coppice.engine.timeline.Journal;
import io.coppice.engine.timeline.Timeline;
import io.coppice.engine.watch.WrittenSums;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/// The state that the log defines, in memory. Replay of the log from a checkpoint makes the same
/// state again.
public final class PoolState implements Placements {

  /// Divisor of the memory for maps: one such part is for pages of segments.
  private static final long PAGE_SHARE = 16;

  private final Segments segments;
  private final SpaceAccounting space;
  private final EpochGate epochs = new EpochGate();
  private final Families families = new Families();
  private final MetadataReads metaReads;
  private final StoredNodes storedNodes;
  private final Pages pages;
  private final NodeCache nodes;
  private final MapEditor editor;
  private final Reclaimer reclaimer;
  private final RecordTable records = new RecordTable();
  private final OperationTable operations = new OperationTable();
  private final OldBlockKeeper oldBlocks = new OldBlockKeeper(this);

  private final ReentrantReadWriteLock catalogLock = new ReentrantReadWriteLock();
  private final ConcurrentSkipListMap<VolumeId, VolumeState> volumes =
      new ConcurrentSkipListMap<>();
  private final Map<VolumeId, VolumeState> stages = new ConcurrentHashMap<>();
  private final Map<Integer, VolumeState> hidden = new ConcurrentHashMap<>();
  private final Map<Integer, VolumeState> byNumber = new HashMap<>();
  private int nextNumber = 1;

  /// @param mapMemory bytes that nodes of maps and pages of segments may take
  public PoolState(BlockDevice device, UUID pool, Superblock.Geometry geometry, long mapMemory) {
    segments = new Segments(geometry.zoneSize(), geometry.zones());
    space = new SpaceAccounting(segments);
    metaReads = new MetadataReads(device, segments);
    storedNodes = new StoredNodes(metaReads, pool, segments);
    long pageMemory = mapMemory / PAGE_SHARE;
    pages = new Pages(segments, pageMemory, new StoredPages(metaReads, pool, segments));
    nodes = new NodeCache(mapMemory - pageMemory, storedNodes);
    editor = new MapEditor(nodes, epochs, families, this);
    reclaimer = new Reclaimer(families, editor, nodes, this);
  }

  public Segments segments() {
    return segments;
  }

  /// The pages of the segments of the log.
  public Pages pages() {
    return pages;
  }

  public SpaceAccounting space() {
    return space;
  }

  public EpochGate epochs() {
    return epochs;
  }

  public Families families() {
    return families;
  }

  public NodeCache nodes() {
    return nodes;
  }

  /// A reader for callers that look at each node once.
  public StoredNodes storedNodes() {
    return storedNodes;
  }

  public MetadataReads metaReads() {
    return metaReads;
  }

  public MapEditor editor() {
    return editor;
  }

  public Reclaimer reclaimer() {
    return reclaimer;
  }

  public RecordTable records() {
    return records;
  }

  public OperationTable operations() {
    return operations;
  }

  /// The keeper of what volumes with journals write over.
  public OldBlockKeeper oldBlocks() {
    return oldBlocks;
  }

  // ---- volumes

  @Nullable
  public VolumeState find(VolumeId id) {
    return volumes.get(id);
  }

  @Nullable
  public VolumeState find(int number) {
    return byNumber.get(number);
  }

  /// All volumes in id order, as of one moment.
  public List<VolumeState> volumes() {
    catalogLock.readLock().lock();
    try {
      return new ArrayList<>(volumes.values());
    } finally {
      catalogLock.readLock().unlock();
    }
  }

  /// What was written to each volume that is written to.
  public Map<VolumeId, WrittenCounts> written() {
    Map<VolumeId, WrittenCounts> found = new HashMap<>();
    volumes.forEach(
        (id, volume) -> {
          WrittenSums sums = volume.written();
          if (sums != null) {
            found.put(id, sums.counts());
          }
        });
    return found;
  }

  /// Makes a change to the set of volumes visible as a whole.
  void changeCatalog(Runnable change) {
    catalogLock.writeLock().lock();
    try {
      change.run();
    } finally {
      catalogLock.writeLock().unlock();
    }
  }

  public void add(VolumeState volume) {
    volumes.put(volume.info().id(), volume);
    byNumber.put(volume.number(), volume);
    nextNumber = Math.max(nextNumber, volume.number() + 1);
  }

  /// Adds a hidden version of a volume: only records and a copy of differences know it.
  public void addStage(VolumeState stage) {
    stages.put(stage.info().id(), stage);
    byNumber.put(stage.number(), stage);
    nextNumber = Math.max(nextNumber, stage.number() + 1);
  }

  void removeStage(VolumeState stage) {
    stages.remove(stage.info().id());
    byNumber.remove(stage.number());
  }

  /// Adds a hidden volume of the pool's own: only records and journals know it.
  public void addHidden(VolumeState volume) {
    hidden.put(volume.number(), volume);
    byNumber.put(volume.number(), volume);
    nextNumber = Math.max(nextNumber, volume.number() + 1);
  }

  void removeHidden(VolumeState volume) {
    hidden.remove(volume.number());
    byNumber.remove(volume.number());
  }

  /// Gives volumes the journals of a checkpoint. All volumes have been restored.
  ///
  /// @throws FormatException if a volume of a journal is missing
  public void restoreJournals(List<JournalRow> rows) {
    for (JournalRow row : rows) {
      Timeline timeline = new Timeline(row);
      requireKnown(row.volume()).setTimeline(timeline);
      for (Journal journal : timeline.journals()) {
        requireKnown(journal.number()).setPart(new VolumeState.JournalPart(timeline, journal));
      }
      timeline.bases().forEach(base -> requireKnown(base.number()));
    }
  }

  private VolumeState requireKnown(int number) {
    VolumeState volume = find(number);
    if (volume == null) {
      throw new FormatException("expected volume %d of a journal, found none".formatted(number));
    }
    return volume;
  }

  /// The hidden volume with a number; for any thread.
  public @Nullable VolumeState findHidden(int number) {
    return hidden.get(number);
  }

  /// The hidden volumes of the journal of a volume; for any thread.
  public List<VolumeState> hiddenOf(VolumeState volume) {
    Timeline timeline = volume.timeline();
    List<VolumeState> found = new ArrayList<>();
    if (timeline != null) {
      for (int number : timeline.hidden()) {
        VolumeState each = hidden.get(number);
        if (each != null) {
          found.add(each);
        }
      }
    }
    return found;
  }

  /// The volumes of the pool's own.
  public Collection<VolumeState> hidden() {
    return hidden.values();
  }

  @Nullable
  public VolumeState findStage(VolumeId id) {
    return stages.get(id);
  }

  public Collection<VolumeState> stages() {
    return stages.values();
  }

  void remove(VolumeState volume) {
    volumes.remove(volume.info().id());
    byNumber.remove(volume.number());
  }

  int takeNumber() {
    return nextNumber++;
  }

  public int nextNumber() {
    return nextNumber;
  }

  public void raiseNextNumber(int atLeast) {
    nextNumber = Math.max(nextNumber, atLeast);
  }

  // ---- placements

  @Override
  public void released(long address, int born) {
    boolean shared = segments.counts().of(address) > 1;
    segments.released(address);
    Version holder = families.holderOf(born);
    if (holder != null) {
      if (shared) {
        holder.addShared(-1);
      }
      holder.addOwned(-1);
    }
  }

  /// Notes that the placement of an entry born in `born` went on to another version.
  void movedAway(int born, boolean shared) {
    Version holder = families.holderOf(born);
    if (holder != null) {
      if (shared) {
        holder.addShared(-1);
      }
      holder.addOwned(-1);
    }
  }

  @Override
  public void replaced(MapRoot version, int born) {
    families.replaced((Version) version, born);
  }

  @Override
  public void freed(Node node) {
    space.nodeFreed(node instanceof Leaf);
    if (node.stored() != 0) {
      segments.nodeDropped(node.stored());
    }
  }

  @Override
  public void created(Node node) {
    space.nodeCreated(node instanceof Leaf);
  }
}
