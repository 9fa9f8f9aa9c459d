package io.coppice.engine.testing;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeKind;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;

/// Draws [SmallStep]s that are possible in a given pool.
public final class SmallSteps {

  private static final int MAX_VOLUMES = 6;
  private static final int SECTORS = 2048;

  private final SplittableRandom random;
  private int lastNumber;

  public SmallSteps(SplittableRandom random) {
    this.random = random;
  }

  public SmallStep next(SmallPool pool) {
    List<VolumeId> writable =
        pool.volumes().entrySet().stream()
            .filter(each -> each.getValue().kind() == VolumeKind.WRITABLE)
            .map(Map.Entry::getKey)
            .toList();
    boolean full = pool.volumes().size() >= MAX_VOLUMES;
    if (writable.isEmpty()) {
      return full
          ? SmallStep.delete(operation(), any(List.copyOf(pool.volumes().keySet())))
          : SmallStep.create(operation(), id(), SECTORS);
    }
    VolumeId volume = any(writable);
    VolumeId other = any(List.copyOf(pool.volumes().keySet()));
    return switch (random.nextInt(20)) {
      case 0 -> SmallStep.checkpoint();
      case 1 -> SmallStep.delete(operation(), other);
      case 2, 3 -> revertOrWrite(pool, volume, other);
      case 4 -> full ? write(volume) : SmallStep.snapshot(operation(), volume, id());
      case 5 -> full ? write(volume) : SmallStep.clone(operation(), other, id());
      case 6 -> full ? write(volume) : SmallStep.create(operation(), id(), SECTORS);
      case 7 -> SmallStep.zero(volume, 8 * random.nextInt(32), 8 * (1 + random.nextInt(16)), true);
      case 8 -> SmallStep.repeat(volume, 8 * random.nextInt(32), 8 * 6, ++lastNumber);
      case 9 -> SmallStep.compareAndWrite(volume, random.nextInt(256), numbers(5));
      case 10, 11 ->
          SmallStep.copy(
              other, 8 * random.nextInt(16), volume, 8 * (32 + random.nextInt(16)), 8 * 7);
      default -> write(volume);
    };
  }

  private SmallStep write(VolumeId volume) {
    return random.nextInt(3) == 0
        ? SmallStep.write(volume, random.nextInt(300), numbers(1 + random.nextInt(30)))
        : SmallStep.write(volume, 8 * random.nextInt(40), numbers(8 * (1 + random.nextInt(8))));
  }

  private SmallStep revertOrWrite(SmallPool pool, VolumeId volume, VolumeId other) {
    SmallPool.Content snapshot = pool.volume(other);
    return snapshot.kind() == VolumeKind.SNAPSHOT && volume.equals(snapshot.origin())
        ? SmallStep.revert(operation(), volume, other)
        : write(volume);
  }

  private int[] numbers(int count) {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = ++lastNumber;
    }
    return numbers;
  }

  private VolumeId any(List<VolumeId> ids) {
    return ids.get(random.nextInt(ids.size()));
  }

  private OperationId operation() {
    return new OperationId(new UUID(random.nextLong(), random.nextLong()));
  }

  private VolumeId id() {
    return new VolumeId(new UUID(random.nextLong(), random.nextLong()));
  }
}
