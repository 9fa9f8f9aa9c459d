package io.coppice.engine.testing;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeKind;
import io.coppice.engine.VolumeSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One change of volumes or records, as it is sent to the engine and as the model sees it.
sealed interface VolumeChange {

  OperationId operation();

  /// Sends it; a repeat sends exactly the same.
  void perform(StorageEngine engine);

  /// What the model knows once it has happened.
  void apply(CrashModel model);

  /// Whether the volumes concerned must have no open writes.
  default boolean needsCertainty() {
    return true;
  }

  /// A volume that is there even when this is refused for want of space.
  default @Nullable VolumeId madeBeforeRefusal() {
    return null;
  }

  /// After a crash in the middle: the repeat makes it happen, or finds that it has happened.
  default void repeat(StorageEngine engine, CrashModel model) {
    perform(engine);
    perform(engine);
    apply(model);
  }

  static @Nullable VolumeChange choose(CrashModel model, int maxVolumes) {
    int dice = model.random.nextInt(100);
    OperationId operation = model.newOperation();
    ModelVolume volume = model.any(VolumeKind.WRITABLE);
    if (dice < 15 || volume == null) {
      return model.volumes.size() >= maxVolumes
          ? null
          : new Create(
              operation, model.newVolumeId(), sectors(model), model.random.nextInt(4) == 0);
    }
    if (dice < 42) {
      return model.volumes.size() + 2 >= maxVolumes ? null : snapshot(model, operation);
    }
    if (dice < 52) {
      ModelVolume source = model.any(null);
      return source == null || model.volumes.size() >= maxVolumes
          ? null
          : new Clone(operation, source.id(), model.newVolumeId(), model.random.nextInt(4) == 0);
    }
    if (dice < 56) {
      return model.volumes.size() >= maxVolumes ? null : copyDifferences(model, operation);
    }
    if (dice < 63) {
      return revert(model, operation);
    }
    if (dice < 67) {
      return groupRevert(model, operation);
    }
    if (dice < 85) {
      ModelVolume victim = model.any(null);
      return victim == null ? null : new Delete(operation, victim.id());
    }
    if (dice < 88) {
      return new Reserve(operation, volume.id(), !volume.reserved());
    }
    if (dice < 92) {
      return new Resize(operation, volume.id(), volume.sectors() + 8 * model.random.nextInt(32));
    }
    String name = "name-" + model.random.nextInt(4);
    String value = "value-" + model.random.nextInt(1000);
    return dice < 96
        ? new Attributes(operation, volume.id(), Map.of(name, value))
        : new Records(operation, name, value);
  }

  /// One in three is smaller than 1 MiB.
  private static int sectors(CrashModel model) {
    boolean small = model.random.nextInt(3) == 0;
    return small ? 8 + 8 * model.random.nextInt(255) : 2048 + 8 * model.random.nextInt(64);
  }

  private static VolumeChange snapshot(CrashModel model, OperationId operation) {
    Map<VolumeId, VolumeId> pairs = new TreeMap<>();
    int count = 1 + model.random.nextInt(2);
    for (int i = 0; i < count; i++) {
      ModelVolume source = model.any(VolumeKind.WRITABLE);
      if (source != null) {
        pairs.put(source.id(), model.newVolumeId());
      }
    }
    return new Snapshot(operation, pairs);
  }

  private static @Nullable VolumeChange revert(CrashModel model, OperationId operation) {
    ModelVolume snapshot = model.any(VolumeKind.SNAPSHOT);
    if (snapshot == null || snapshot.origin() == null) {
      return null;
    }
    ModelVolume head = model.volumes.get(snapshot.origin());
    return head == null || head.kind() != VolumeKind.WRITABLE
        ? null
        : new Revert(operation, head.id(), snapshot.id());
  }

  private static @Nullable VolumeChange groupRevert(CrashModel model, OperationId operation) {
    Map<VolumeId, VolumeId> pairs = new TreeMap<>();
    for (int i = 0; i < 4; i++) {
      if (revert(model, operation) instanceof Revert one) {
        pairs.put(one.volume, one.snapshot);
      }
    }
    return pairs.isEmpty() ? null : new GroupRevert(operation, pairs);
  }

  private static @Nullable VolumeChange copyDifferences(CrashModel model, OperationId operation) {
    ModelVolume source = model.any(null);
    ModelVolume base = model.any(null);
    if (source == null || base == null || !source.isRelatedTo(base)) {
      return null;
    }
    model.drain();
    return !source.isCertain() || !base.isCertain()
        ? null
        : new CopyDifferences(
            operation,
            new CopyDifferences.Onto(
                model.newOperation(),
                model.newOperation(),
                model.newVolumeId(),
                Math.max(source.sectors(), base.sectors())),
            source.id(),
            base.id());
  }

  /// An empty volume.
  record Create(OperationId operation, VolumeId id, int sectors, boolean reserved)
      implements VolumeChange {

    @Override
    public void perform(StorageEngine engine) {
      long size = (long) sectors * ModelVolume.SECTOR;
      engine.create(operation, new VolumeSpec(id, size, reserved, Map.of()));
    }

    @Override
    public void apply(CrashModel model) {
      model.volumes.put(id, new ModelVolume(id, sectors, reserved));
    }
  }

  /// A consistency group.
  record Snapshot(OperationId operation, Map<VolumeId, VolumeId> pairs) implements VolumeChange {

    @Override
    public boolean needsCertainty() {
      return false;
    }

    @Override
    public void perform(StorageEngine engine) {
      List<SnapshotSpec> specs = new ArrayList<>();
      pairs.forEach((source, id) -> specs.add(new SnapshotSpec(source, id, Map.of())));
      engine.snapshot(operation, specs, Duration.ofSeconds(30));
    }

    @Override
    public void apply(CrashModel model) {
      pairs.forEach(
          (source, id) ->
              model.volumes.put(id, model.volumes.get(source).copy(id, VolumeKind.SNAPSHOT)));
    }
  }

  /// A writable copy.
  record Clone(OperationId operation, VolumeId source, VolumeId id, boolean reserved)
      implements VolumeChange {

    @Override
    public void perform(StorageEngine engine) {
      engine.clone(operation, new CloneSpec(source, id, reserved, Map.of()));
    }

    @Override
    public void apply(CrashModel model) {
      ModelVolume clone = model.volumes.get(source).copy(id, VolumeKind.WRITABLE);
      clone.reserved(reserved);
      model.volumes.put(id, clone);
    }
  }

  /// Back to a snapshot.
  record Revert(OperationId operation, VolumeId volume, VolumeId snapshot) implements VolumeChange {

    @Override
    public void perform(StorageEngine engine) {
      engine.revert(operation, volume, snapshot);
    }

    @Override
    public void apply(CrashModel model) {
      model.volumes.get(volume).become(model.volumes.get(snapshot));
    }
  }

  /// Back to snapshots, together.
  record GroupRevert(OperationId operation, Map<VolumeId, VolumeId> pairs) implements VolumeChange {

    @Override
    public void perform(StorageEngine engine) {
      engine.revert(operation, pairs);
    }

    @Override
    public void apply(CrashModel model) {
      pairs.forEach(
          (volume, snapshot) -> model.volumes.get(volume).become(model.volumes.get(snapshot)));
    }
  }

  /// A volume or snapshot goes.
  record Delete(OperationId operation, VolumeId id) implements VolumeChange {

    @Override
    public void perform(StorageEngine engine) {
      engine.delete(operation, id);
    }

    @Override
    public void apply(CrashModel model) {
      model.volumes.remove(id);
    }
  }

  /// A volume grows.
  record Resize(OperationId operation, VolumeId id, int sectors) implements VolumeChange {

    @Override
    public void perform(StorageEngine engine) {
      engine.resize(operation, id, (long) sectors * ModelVolume.SECTOR);
    }

    @Override
    public void apply(CrashModel model) {
      model.volumes.get(id).resize(sectors);
    }
  }

  /// A volume becomes reserved, or thin.
  record Reserve(OperationId operation, VolumeId id, boolean reserved) implements VolumeChange {

    @Override
    public void perform(StorageEngine engine) {
      engine.reserve(operation, id, reserved);
    }

    @Override
    public void apply(CrashModel model) {
      model.volumes.get(id).reserved(reserved);
    }
  }

  /// A copy of `base` to which what differs in `source` is copied: `source`, and beyond its end
  /// `base`. Three calls, each of which finds after a crash what it has done.
  record CopyDifferences(OperationId operation, Onto onto, VolumeId source, VolumeId base)
      implements VolumeChange {

    record Onto(OperationId cloning, OperationId resizing, VolumeId id, int sectors) {}

    @Override
    public void perform(StorageEngine engine) {
      long size = (long) onto.sectors * ModelVolume.SECTOR;
      engine.clone(onto.cloning, new CloneSpec(base, onto.id, false, Map.of()));
      engine.resize(onto.resizing, onto.id, size);
      engine.copyDiffs(operation, source, base, onto.id);
    }

    @Override
    public VolumeId madeBeforeRefusal() {
      return onto.id;
    }

    @Override
    public void apply(CrashModel model) {
      ModelVolume target = model.volumes.get(base).copy(onto.id, VolumeKind.WRITABLE);
      target.resize(onto.sectors);
      ModelVolume from = model.volumes.get(source);
      target.set(0, from.numbers(0, from.sectors()));
      model.volumes.put(onto.id, target);
    }
  }

  /// A volume's attributes.
  record Attributes(OperationId operation, VolumeId id, Map<String, String> put)
      implements VolumeChange {

    @Override
    public boolean needsCertainty() {
      return false;
    }

    @Override
    public void perform(StorageEngine engine) {
      engine.setAttributes(operation, id, put, Set.of());
    }

    @Override
    public void apply(CrashModel model) {
      ModelVolume volume = model.volumes.get(id);
      Map<String, String> merged = new TreeMap<>(volume.attributes());
      merged.putAll(put);
      volume.attributes(merged);
    }
  }

  /// The pool's records.
  record Records(OperationId operation, String key, String value) implements VolumeChange {

    @Override
    public boolean needsCertainty() {
      return false;
    }

    @Override
    public void perform(StorageEngine engine) {
      engine.records().apply(operation, List.of(new RecordChange.Put(key, value)));
    }

    @Override
    public void apply(CrashModel model) {
      model.records.put(key, value);
    }
  }
}
