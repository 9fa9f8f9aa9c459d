package io.coppice.engine.state;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.family.Families;
import io.coppice.engine.family.Version;
import io.coppice.engine.format.Change;
import io.coppice.engine.format.table.OperationResult;
import io.coppice.engine.format.table.StoredVolume;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// The changes that CHANGE records make to the state. [#check] decides before a change enters the
/// log; [#apply] makes it, live and in replay alike.
///
/// A snapshot, clone, revert or delete changes versions by one record, in O(1):
///
/// - *snapshot*: the head's version becomes the snapshot's; the volume goes on in a new child.
/// - *clone* of a snapshot: a new child of it. Of a volume: its version becomes a ghost with two
///   children, the volume's new head and the clone. If nothing was written since the last snapshot,
///   the clone is a new child of that snapshot.
/// - *revert*: the volume goes on in a new child of the snapshot; its old head is given up. Those
///   of a group are of different volumes, so their order does not matter.
/// - *delete*: the version becomes a ghost.
/// - *stage*: a hidden child of the head begins. *adopt*: the volume goes on in it, and the old
///   head is given up. *unstage*: the hidden child is given up. The volume is not written in
///   between.
public final class CatalogChanges {

  private final PoolState state;
  private final Consumer<Change> locks;
  private final JournalChanges journals;

  /// @param locks refuses changes of locked snapshots; replay decides nothing and needs none
  public CatalogChanges(PoolState state, Consumer<Change> locks) {
    this.state = state;
    this.locks = locks;
    journals = new JournalChanges(state);
  }

  // ---- before the log

  /// @throws StorageException if the change cannot be made in the present state
  public void check(Change change) {
    locks.accept(change);
    RequestBounds.numbers(change, Math.max(state.nextNumber(), state.families().nextId()));
    switch (change) {
      case Change.Create(var _, var spec) -> {
        requireAbsent(spec.id());
        if (spec.reserved()) {
          requireSpace(blocks(spec.sizeInBytes()), spec.id());
        }
      }
      case Change.Snapshot(var _, var specs) -> checkSnapshot(specs);
      case Change.Clone(var _, var spec) -> {
        VolumeState source = require(spec.source());
        requireAbsent(spec.id());
        if (spec.reserved()) {
          requireSpace(VolumeState.blocks(source.info()), spec.id());
        }
      }
      case Change.Revert(var _, var volume, var snapshot) -> checkRevert(volume, snapshot);
      case Change.GroupRevert(var _, var all) ->
          all.forEach(one -> checkRevert(one.volume(), one.snapshot()));
      case Change.Resize(var _, var id, var size) -> checkResize(requireWritable(id), size);
      case Change.Reserve(var _, var id, var reserved) -> {
        VolumeState volume = requireWritable(id);
        if (reserved && volume.timeline() != null) {
          throw new StorageException.InvalidRequest(
              "Expected a volume without a journal to reserve, found that %s has one."
                  .formatted(id));
        }
        if (reserved && !volume.info().reserved()) {
          requireSpace(VolumeState.blocks(volume.info()) - volume.head().owned(), id);
        }
      }
      case Change.Delete(var _, var id) -> require(id);
      case Change.Attributes(var _, var id, var put, var remove) ->
          RequestBounds.attributes(merged(require(id).info(), put, remove));
      case Change.Records(var _, var changes) -> state.records().check(changes);
      case Change.Copied _ -> {}
      case Change.Stage(var _, var volume, var _) -> requireWritable(volume);
      case Change.Adopt(var _, var volume, var stage, var _) -> checkAdopt(volume, stage);
      case Change.Unstage(var _, var stage) -> requireStage(stage);
      case Change.Keep(var _, var id, var _, var tiers) -> {
        JournalChanges.checkTiers(tiers);
        JournalChanges.checkKeep(requireWritable(id));
      }
      case Change.Forget(var _, var id) -> require(id);
      case Change.Cut _, Change.Trim _ -> {}
      case Change.Draft(var _, var source, var _) -> require(source);
      case Change.Publish(var _, var draft, var spec, var way) -> {
        journals.checkWay(require(spec.source()), way);
        requireStage(draft);
        requireAbsent(spec.id());
        if (spec.reserved()) {
          requireSpace(VolumeState.blocks(requireStage(draft).info()), spec.id());
        }
      }
      case Change.Restore(var _, var all) -> {
        for (Change.Restored one : all) {
          journals.checkWay(requireWritable(one.volume()), one.way());
          requireStage(one.draft());
        }
      }
    }
  }

  private VolumeState require(int number) {
    VolumeState volume = state.find(number);
    if (volume == null) {
      throw new StorageException.NotFound("Volume %d of a journal is gone.".formatted(number));
    }
    return volume;
  }

  private void checkAdopt(VolumeId id, VolumeId stage) {
    VolumeState volume = requireWritable(id);
    if (requireStage(stage).head().parent() != volume.head()) {
      throw new StorageException.InvalidRequest(
          "Expected volume %s as it was when the copy began, found that it was reverted or snapshotted."
              .formatted(id));
    }
  }

  private VolumeState requireStage(VolumeId id) {
    VolumeState stage = state.findStage(id);
    if (stage == null) {
      throw new StorageException.NotFound("Stage %s does not exist.".formatted(id));
    }
    return stage;
  }

  private void checkSnapshot(List<SnapshotSpec> specs) {
    Set<VolumeId> ids = new HashSet<>();
    long blocks = 0;
    for (SnapshotSpec spec : specs) {
      VolumeState source = require(spec.source());
      requireAbsent(spec.id());
      if (!ids.add(spec.id())) {
        throw alreadyExists(spec.id());
      }
      if (source.info().reserved()) {
        blocks += source.head().owned();
      }
    }
    if (blocks > 0) {
      requireSpace(blocks, specs.getFirst().source());
    }
  }

  /// As [#check] of a revert; for any thread.
  public void checkRevert(VolumeId volume, VolumeId snapshot) {
    VolumeState target = requireWritable(volume);
    VolumeState source = require(snapshot);
    if (!source.isSnapshot()
        || !volume.equals(source.info().origin())
        || source.family() != target.family()) {
      throw new StorageException.Unrelated(
          "Expected a snapshot of volume %s, got %s.".formatted(volume, snapshot));
    }
  }

  private void checkResize(VolumeState volume, long size) {
    VolumeInfo info = volume.info();
    if (size < info.sizeInBytes()) {
      throw new StorageException.InvalidRequest(
          "Expected a size of at least %d bytes for volume %s, got %d."
              .formatted(info.sizeInBytes(), info.id(), size));
    }
    if (info.reserved()) {
      requireSpace(blocks(size) - VolumeState.blocks(info), info.id());
    }
  }

  private VolumeState require(VolumeId id) {
    VolumeState volume = state.find(id);
    if (volume == null) {
      throw new StorageException.NotFound("Volume %s does not exist.".formatted(id));
    }
    return volume;
  }

  private VolumeState requireWritable(VolumeId id) {
    VolumeState volume = require(id);
    if (volume.isSnapshot()) {
      throw new StorageException.ReadOnly("Expected a volume, got snapshot %s.".formatted(id));
    }
    return volume;
  }

  private void requireAbsent(VolumeId id) {
    if (state.find(id) != null) {
      throw alreadyExists(id);
    }
  }

  private static StorageException.AlreadyExists alreadyExists(VolumeId id) {
    return new StorageException.AlreadyExists("Volume %s exists already.".formatted(id));
  }

  private void requireSpace(long blocks, VolumeId id) {
    if (!state.space().canPromise(blocks)) {
      long free = state.space().free();
      throw new StorageException.OutOfSpace(
          "Volume %s needs %d bytes and their metadata to be set aside, free are %d."
              .formatted(id, blocks * 4096, free));
    }
  }

  private static long blocks(long bytes) {
    return (bytes + 4095) / 4096;
  }

  // ---- after the log

  /// Makes a change that is in the log, at the time that its batch says.
  public OperationResult apply(Change change, long timeMillis) {
    OperationResult result =
        switch (change) {
          case Change.Create(var _, var spec) -> one(create(spec, timeMillis));
          case Change.Snapshot(var _, var specs) -> snapshot(specs, timeMillis);
          case Change.Clone(var _, var spec) -> one(copyOf(spec, timeMillis));
          case Change.Revert(var _, var volume, var snapshot) ->
              one(revert(volume, snapshot, timeMillis));
          case Change.GroupRevert(var _, var all) -> revert(all, timeMillis);
          case Change.Resize(var _, var id, var size) -> one(resize(require(id), size));
          case Change.Reserve(var _, var id, var reserved) -> one(reserve(require(id), reserved));
          case Change.Delete(var _, var id) -> delete(require(id));
          case Change.Attributes(var _, var id, var put, var remove) -> {
            VolumeState volume = require(id);
            VolumeInfo i = volume.info();
            yield one(
                update(volume, with(i, i.sizeInBytes(), i.reserved(), merged(i, put, remove))));
          }
          case Change.Records(var _, var changes) -> {
            state.records().apply(changes);
            yield new OperationResult.Done();
          }
          case Change.Copied(var _, var bytes) -> new OperationResult.Bytes(bytes);
          case Change.Stage(var _, var id, var stage) -> stage(require(id), stage, timeMillis);
          case Change.Adopt(var _, var id, var stage, var bytes) ->
              adopt(require(id), requireStage(stage), bytes, timeMillis);
          case Change.Unstage(var _, var stage) -> unstage(requireStage(stage));
          case Change.Keep(var _, var id, var age, var tiers) -> {
            journals.keep(require(id), age, tiers, timeMillis);
            yield new OperationResult.Done();
          }
          case Change.Forget(var _, var id) -> {
            journals.forget(require(id));
            yield new OperationResult.Done();
          }
          case Change.Cut(var _, var age, var volumes) ->
              new OperationResult.Bytes(journals.cut(volumes, age, timeMillis));
          case Change.Trim(var _, var moment, var volumes) -> {
            journals.trim(volumes, moment);
            yield new OperationResult.Done();
          }
          case Change.Draft(var _, var number, var id) -> {
            VolumeState source = require(number);
            boolean isBase = source.role() == StoredVolume.Role.HIDDEN; // nobody writes it
            Version head = isBase ? state.families().childOf(source.head()) : headOfCopy(source);
            journals.draft(source, head, id, timeMillis);
            yield new OperationResult.Done();
          }
          case Change.Publish(var _, var draft, var spec, var _) ->
              one(journals.publish(requireStage(draft), spec, timeMillis));
          case Change.Restore(var _, var all) -> restore(all, timeMillis);
        };
    if (!(change instanceof Change.Cut)) { // there are many, and nobody repeats one
      state.operations().remember(change.operation(), result);
    }
    return result;
  }

  private static OperationResult one(VolumeInfo info) {
    return new OperationResult.Volumes(List.of(info));
  }

  private VolumeInfo create(VolumeSpec spec, long timeMillis) {
    VolumeInfo info =
        new VolumeInfo(
            spec.id(),
            VolumeKind.WRITABLE,
            spec.sizeInBytes(),
            null,
            spec.reserved(),
            Instant.ofEpochMilli(timeMillis),
            spec.attributes());
    int number = state.takeNumber();
    Version head = state.families().create();
    VolumeState volume = new VolumeState(number, number, info, head, state.space());
    state.changeCatalog(() -> state.add(volume));
    return info;
  }

  private OperationResult snapshot(List<SnapshotSpec> specs, long timeMillis) {
    List<VolumeInfo> infos = new ArrayList<>();
    state.changeCatalog(
        () -> {
          for (SnapshotSpec spec : specs) {
            infos.add(snapshot(spec, timeMillis));
          }
        });
    return new OperationResult.Volumes(infos);
  }

  private VolumeInfo snapshot(SnapshotSpec spec, long timeMillis) {
    VolumeState source = require(spec.source());
    VolumeInfo from = source.info();
    VolumeInfo info =
        new VolumeInfo(
            spec.id(),
            VolumeKind.SNAPSHOT,
            from.sizeInBytes(),
            from.id(),
            false,
            Instant.ofEpochMilli(timeMillis),
            spec.attributes());
    Version cut = source.head();
    if (source.isSnapshot()) {
      addVolume(info, source, state.families().childOf(cut));
      return info;
    }
    source.become(from, state.families().childOf(cut));
    addVolume(info, source, cut);
    return info;
  }

  private void addVolume(VolumeInfo info, VolumeState source, Version version) {
    state.add(new VolumeState(state.takeNumber(), source.family(), info, version, state.space()));
  }

  private VolumeInfo copyOf(CloneSpec spec, long timeMillis) {
    VolumeState source = require(spec.source());
    VolumeInfo from = source.info();
    VolumeInfo info =
        new VolumeInfo(
            spec.id(),
            VolumeKind.WRITABLE,
            from.sizeInBytes(),
            from.id(),
            spec.reserved(),
            Instant.ofEpochMilli(timeMillis),
            spec.attributes());
    Version head = headOfCopy(source);
    state.changeCatalog(() -> addVolume(info, source, head));
    return info;
  }

  private Version headOfCopy(VolumeState source) {
    Families families = state.families();
    Version cut = source.head();
    if (source.isSnapshot()) {
      return families.childOf(cut);
    }
    if (families.isUnchangedChild(cut)) {
      return families.childOf(java.util.Objects.requireNonNull(cut.parent()));
    }
    source.become(source.info(), families.childOf(cut));
    Version head = families.childOf(cut);
    families.abandon(cut); // with two children: it is not merged into one of them
    return head;
  }

  private OperationResult revert(List<Change.Reverted> all, long timeMillis) {
    List<VolumeState> volumes = all.stream().map(one -> require(one.volume())).toList();
    long moment = JournalChanges.momentAt(volumes, timeMillis);
    List<VolumeInfo> infos = new ArrayList<>();
    all.forEach(one -> infos.add(revert(one.volume(), one.snapshot(), moment)));
    return new OperationResult.Volumes(infos);
  }

  private VolumeInfo revert(VolumeId id, VolumeId snapshotId, long timeMillis) {
    VolumeState volume = require(id);
    VolumeState snapshot = require(snapshotId);
    VolumeInfo i = volume.info();
    VolumeInfo info = with(i, snapshot.info().sizeInBytes(), i.reserved(), i.attributes());
    replace(volume, info, state.families().childOf(snapshot.head()), timeMillis);
    return info;
  }

  private void replace(VolumeState volume, VolumeInfo info, Version head, long timeMillis) {
    Version given = volume.head();
    journals.replacing(volume, timeMillis);
    volume.become(info, head);
    if (volume.timeline() == null) {
      state.families().abandon(given);
    }
  }

  private VolumeInfo resize(VolumeState volume, long size) {
    VolumeInfo i = volume.info();
    return update(volume, with(i, size, i.reserved(), i.attributes()));
  }

  private VolumeInfo reserve(VolumeState volume, boolean reserved) {
    VolumeInfo i = volume.info();
    return update(volume, with(i, i.sizeInBytes(), reserved, i.attributes()));
  }

  private static VolumeInfo update(VolumeState volume, VolumeInfo info) {
    volume.become(info, volume.head());
    return info;
  }

  private OperationResult delete(VolumeState volume) {
    volume.delete();
    journals.forget(volume);
    state.changeCatalog(() -> state.remove(volume));
    state.families().abandon(volume.head());
    return new OperationResult.Done();
  }

  private OperationResult stage(VolumeState volume, VolumeId id, long timeMillis) {
    VolumeInfo from = volume.info();
    VolumeInfo info =
        new VolumeInfo(
            id,
            VolumeKind.WRITABLE,
            from.sizeInBytes(),
            from.id(),
            from.reserved(),
            Instant.ofEpochMilli(timeMillis),
            Map.of());
    Version head = state.families().childOf(volume.head());
    state.addStage(
        new VolumeState(
            state.takeNumber(),
            volume.family(),
            info,
            head,
            state.space(),
            StoredVolume.Role.STAGE));
    return new OperationResult.Done();
  }

  private OperationResult restore(List<Change.Restored> all, long timeMillis) {
    List<VolumeState> volumes = all.stream().map(one -> require(one.volume())).toList();
    long moment = JournalChanges.momentAt(volumes, timeMillis);
    List<VolumeInfo> infos = new ArrayList<>();
    for (int i = 0; i < volumes.size(); i++) {
      infos.add(restore(volumes.get(i), requireStage(all.get(i).draft()), moment));
    }
    return new OperationResult.Volumes(infos);
  }

  private VolumeInfo restore(VolumeState volume, VolumeState draft, long timeMillis) {
    draft.delete();
    state.removeStage(draft);
    VolumeInfo i = volume.info();
    VolumeInfo info = with(i, draft.info().sizeInBytes(), i.reserved(), i.attributes());
    replace(volume, info, draft.head(), timeMillis);
    return info;
  }

  private OperationResult adopt(
      VolumeState volume, VolumeState stage, long bytes, long timeMillis) {
    stage.delete();
    state.removeStage(stage);
    replace(volume, volume.info(), stage.head(), timeMillis);
    return new OperationResult.Bytes(bytes);
  }

  private OperationResult unstage(VolumeState stage) {
    stage.delete();
    state.removeStage(stage);
    state.families().abandon(stage.head());
    return new OperationResult.Done();
  }

  private static VolumeInfo with(
      VolumeInfo i, long size, boolean reserved, Map<String, String> attributes) {
    return new VolumeInfo(i.id(), i.kind(), size, i.origin(), reserved, i.created(), attributes);
  }

  private static Map<String, String> merged(
      VolumeInfo info, Map<String, String> put, Set<String> remove) {
    Map<String, String> merged = new HashMap<>(info.attributes());
    remove.forEach(merged::remove);
    merged.putAll(put);
    return merged;
  }
}
