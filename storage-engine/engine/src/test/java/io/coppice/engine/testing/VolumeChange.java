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
          : new Create(operation, model.newVolumeId(), 2048 + 8 * model.random.nextInt(64));
    }
    if (dice < 45) {
      return model.volumes.size() + 2 >= maxVolumes ? null : snapshot(model, operation);
    }
    if (dice < 55) {
      ModelVolume source = model.any(null);
      return source == null || model.volumes.size() >= maxVolumes
          ? null
          : new Clone(operation, source.id(), model.newVolumeId());
    }
    if (dice < 67) {
      return revert(model, operation);
    }
    if (dice < 85) {
      ModelVolume victim = model.any(null);
      return victim == null ? null : new Delete(operation, victim.id());
    }
    if (dice < 90) {
      return new Resize(operation, volume.id(), volume.sectors() + 8 * model.random.nextInt(32));
    }
    String name = "name-" + model.random.nextInt(4);
    String value = "value-" + model.random.nextInt(1000);
    return dice < 95
        ? new Attributes(operation, volume.id(), Map.of(name, value))
        : new Records(operation, name, value);
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

  /// An empty volume.
  record Create(OperationId operation, VolumeId id, int sectors) implements VolumeChange {

    @Override
    public void perform(StorageEngine engine) {
      engine.create(operation, VolumeSpec.thin(id, (long) sectors * ModelVolume.SECTOR));
    }

    @Override
    public void apply(CrashModel model) {
      model.volumes.put(id, new ModelVolume(id, VolumeKind.WRITABLE, null, sectors));
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
  record Clone(OperationId operation, VolumeId source, VolumeId id) implements VolumeChange {

    @Override
    public void perform(StorageEngine engine) {
      engine.clone(operation, new CloneSpec(source, id, false, Map.of()));
    }

    @Override
    public void apply(CrashModel model) {
      model.volumes.put(id, model.volumes.get(source).copy(id, VolumeKind.WRITABLE));
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
