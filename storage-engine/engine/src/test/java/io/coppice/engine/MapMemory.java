package io.coppice.engine;

import io.coppice.engine.core.EngineOptions;
import java.util.SplittableRandom;

/// Budgets for nodes of maps that random tests run with.
final class MapMemory {

  /// A few leaves: nearly every access reads the map, nearly every write waits for a checkpoint.
  private static final long TINY = EngineOptions.MIN_MAP_MEMORY;

  /// 64 leaves.
  private static final long SMALL = 512 << 10;

  private MapMemory() {}

  /// Bytes: as ever, small or tiny.
  static long any(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> EngineOptions.defaults().resources().mapMemoryBytes();
      case 1 -> SMALL;
      case 2 -> 2 * TINY;
      default -> TINY;
    };
  }
}
