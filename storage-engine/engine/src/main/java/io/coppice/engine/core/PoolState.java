package io.coppice.engine.core;

import io.coppice.engine.VolumeId;
import io.coppice.engine.family.Families;
import io.coppice.engine.family.Reclaimer;
import io.coppice.engine.family.Version;
import io.coppice.engine.map.EpochGate;
import io.coppice.engine.map.Leaf;
import io.coppice.engine.map.LeafMemory;
import io.coppice.engine.map.MapEditor;
import io.coppice.engine.map.Node;
import io.coppice.engine.map.Placements;
import io.coppice.engine.segment.Segments;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/// Everything that the log defines, in memory. Replay of the log from a checkpoint makes the same
/// state again.
final class PoolState implements Placements {

  private final Segments segments;
  private final Space space;
  private final EpochGate epochs = new EpochGate();
  private final Families families = new Families();
  private final MapEditor editor;
  private final Reclaimer reclaimer;
  private final RecordTable records = new RecordTable();
  private final OperationTable operations = new OperationTable();

  private final ReentrantReadWriteLock catalogLock = new ReentrantReadWriteLock();
  private final ConcurrentSkipListMap<VolumeId, VolumeState> volumes =
      new ConcurrentSkipListMap<>();
  private final Map<Integer, VolumeState> byNumber = new HashMap<>();
  private int nextNumber = 1;

  PoolState(int zoneSize, int zones) {
    segments = new Segments(zoneSize, zones);
    space = new Space(segments);
    editor = new MapEditor(new LeafMemory(), epochs, families, this);
    reclaimer = new Reclaimer(families, editor, this);
  }

  Segments segments() {
    return segments;
  }

  Space space() {
    return space;
  }

  EpochGate epochs() {
    return epochs;
  }

  Families families() {
    return families;
  }

  MapEditor editor() {
    return editor;
  }

  Reclaimer reclaimer() {
    return reclaimer;
  }

  RecordTable records() {
    return records;
  }

  OperationTable operations() {
    return operations;
  }

  // ---- volumes

  @Nullable VolumeState find(VolumeId id) {
    return volumes.get(id);
  }

  @Nullable VolumeState find(int number) {
    return byNumber.get(number);
  }

  /// All volumes in id order, as of one moment.
  List<VolumeState> volumes() {
    catalogLock.readLock().lock();
    try {
      return new ArrayList<>(volumes.values());
    } finally {
      catalogLock.readLock().unlock();
    }
  }

  /// Makes a change of which volumes there are visible as a whole.
  void changeCatalog(Runnable change) {
    catalogLock.writeLock().lock();
    try {
      change.run();
    } finally {
      catalogLock.writeLock().unlock();
    }
  }

  void add(VolumeState volume) {
    volumes.put(volume.info().id(), volume);
    byNumber.put(volume.number(), volume);
    nextNumber = Math.max(nextNumber, volume.number() + 1);
  }

  void remove(VolumeState volume) {
    volumes.remove(volume.info().id());
    byNumber.remove(volume.number());
  }

  int takeNumber() {
    return nextNumber++;
  }

  int nextNumber() {
    return nextNumber;
  }

  void raiseNextNumber(int atLeast) {
    nextNumber = Math.max(nextNumber, atLeast);
  }

  // ---- placements

  @Override
  public void released(long address, int born) {
    boolean shared = segments.counts().of(address) > 1;
    segments.released(address);
    Version book = families.bookOf(born);
    if (book != null) {
      if (shared) {
        book.addShared(-1);
      }
      book.addOwned(-1);
    }
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
