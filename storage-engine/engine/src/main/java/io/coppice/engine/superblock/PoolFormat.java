package io.coppice.engine.superblock;

import io.coppice.engine.format.PoolLayout;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;

/// The decisions made when a pool is formatted.
///
/// | Component | Meaning |
/// |---|---|
/// | `id` | the pool's name for good |
/// | `zoneSizeInBytes` | a power of two, 256 KiB to 64 MiB: unit of space that is written and freed as a whole |
/// | `created` | time of formatting |
public record PoolFormat(UUID id, int zoneSizeInBytes, Instant created) {

  /// 32 MiB.
  public static final int DEFAULT_ZONE_SIZE = 32 << 20;

  /// Zones that a small pool has, about. A pool keeps back a fixed number of zones, so with large
  /// ones a small pool would have little else.
  private static final int FITTING_ZONES = 512;

  /// Smaller zones would cost more changes of zones than they give back.
  private static final int LEAST_FITTING_ZONE = 4 << 20;

  public PoolFormat {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(created, "created");
    if (Integer.bitCount(zoneSizeInBytes) != 1
        || zoneSizeInBytes < PoolLayout.MIN_ZONE_SIZE
        || zoneSizeInBytes > PoolLayout.MAX_ZONE_SIZE) {
      throw new IllegalArgumentException(
          "expected a zone size that is a power of two from 256 KiB to 64 MiB, got %d bytes"
              .formatted(zoneSizeInBytes));
    }
  }

  /// A new pool of default zone size.
  public static PoolFormat withDefaults(Instant created) {
    return new PoolFormat(UUID.randomUUID(), DEFAULT_ZONE_SIZE, created);
  }

  /// This format, with smaller zones if the pool is small: 4 MiB below 4 GiB, 32 MiB from 16 GiB
  /// on.
  public PoolFormat fittedTo(long capacityInBytes) {
    long fitting =
        Math.max(LEAST_FITTING_ZONE, Long.highestOneBit(capacityInBytes / FITTING_ZONES));
    return fitting < zoneSizeInBytes ? new PoolFormat(id, (int) fitting, created) : this;
  }
}
