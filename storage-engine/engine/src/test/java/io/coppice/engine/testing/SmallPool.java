package io.coppice.engine.testing;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeKind;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a pool of small volumes holds at one moment: a number per 512-byte sector, as in
/// [ModelVolume]. Never changes; each change gives another one.
public final class SmallPool {

  public static final SmallPool EMPTY = new SmallPool(new TreeMap<>());

  private final SortedMap<VolumeId, Content> volumes;

  /// One volume.
  record Content(VolumeKind kind, @Nullable VolumeId origin, int[] numbers) {

    Content with(int first, int[] written) {
      int[] changed = numbers.clone();
      System.arraycopy(written, 0, changed, first, written.length);
      return new Content(kind, origin, changed);
    }
  }

  private SmallPool(SortedMap<VolumeId, Content> volumes) {
    this.volumes = volumes;
  }

  SortedMap<VolumeId, Content> volumes() {
    return volumes;
  }

  Content volume(VolumeId id) {
    Content volume = volumes.get(id);
    if (volume == null) {
      throw new IllegalArgumentException("the model has no volume " + id);
    }
    return volume;
  }

  public boolean has(VolumeId id) {
    return volumes.containsKey(id);
  }

  private SmallPool with(VolumeId id, Content content) {
    SortedMap<VolumeId, Content> changed = new TreeMap<>(volumes);
    changed.put(id, content);
    return new SmallPool(changed);
  }

  SmallPool created(VolumeId id, int sectors) {
    return with(id, new Content(VolumeKind.WRITABLE, null, new int[sectors]));
  }

  SmallPool without(VolumeId id) {
    SortedMap<VolumeId, Content> changed = new TreeMap<>(volumes);
    changed.remove(id);
    return new SmallPool(changed);
  }

  SmallPool written(VolumeId id, int first, int[] numbers) {
    return with(id, volume(id).with(first, numbers));
  }

  SmallPool copied(VolumeId source, int from, VolumeId id, int first, int count) {
    return written(id, first, Arrays.copyOfRange(volume(source).numbers, from, from + count));
  }

  SmallPool copy(VolumeId source, VolumeId id, VolumeKind kind) {
    return with(id, new Content(kind, source, volume(source).numbers));
  }

  SmallPool reverted(VolumeId id, VolumeId snapshot) {
    Content now = volume(id);
    return with(id, new Content(now.kind, now.origin, volume(snapshot).numbers));
  }

  SmallPool resized(VolumeId id, int sectors) {
    Content now = volume(id);
    return with(id, new Content(now.kind, now.origin, Arrays.copyOf(now.numbers, sectors)));
  }

  /// What is wrong with a pool that should hold this, or null. What the view could not read is
  /// neither right nor wrong.
  public @Nullable String mismatch(PoolView view) {
    if (!view.ids().equals(volumes.keySet())) {
      return "expected the volumes %s, found %s".formatted(volumes.keySet(), view.ids());
    }
    for (var each : volumes.entrySet()) {
      String wrong = view.mismatch(each.getKey(), each.getValue());
      if (wrong != null) {
        return wrong;
      }
    }
    return null;
  }
}
