package io.coppice.engine.superblock;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.status.PoolSpace;
import io.coppice.engine.testing.PoolFixture;
import java.nio.file.Path;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Zones that fit a pool's size, and what such a pool has for volumes.
class PoolFormatTest {

  private static final PoolFormat DEFAULT = PoolFormat.withDefaults(Instant.EPOCH);

  @ParameterizedTest
  @CsvSource({"256, 4", "1024, 4", "4095, 4", "4096, 8", "8192, 16", "16384, 32", "67108864, 32"})
  void aSmallPoolHasSmallZones(long capacityMib, int zoneMib) {
    assertThat(DEFAULT.fittedTo(capacityMib << 20).zoneSizeInBytes()).isEqualTo(zoneMib << 20);
    assertThat(DEFAULT.fittedTo(capacityMib << 20).id()).isEqualTo(DEFAULT.id());
  }

  @Test
  void zonesThatAreSmallerAlreadyStay() {
    PoolFormat small = new PoolFormat(UUID.randomUUID(), 256 << 10, Instant.EPOCH);

    assertThat(small.fittedTo(1L << 40)).isEqualTo(small);
  }

  // In memory: a thin file has no more for volumes than its file system has free.
  @ParameterizedTest
  @CsvSource({"256, 66", "1024, 80", "8192, 83", "65536, 84"})
  void mostOfAPoolIsForVolumes(long capacityMib, int percent) {
    long capacity = capacityMib << 20;

    PoolSpace space;
    int zone = DEFAULT.fittedTo(capacity).zoneSizeInBytes();
    try (PoolFixture pool = PoolFixture.ofBytes(capacity).zones(zone).format()) {
      space = pool.open().space();
    }

    assertMostIsForVolumes(space, capacity, percent);
  }

  @Test
  void mostOfAThinFileIsForVolumes(@TempDir Path folder) {
    long capacity = 256L << 20;
    PoolDirectory.create(folder, new NewPool(capacity, true, null, DEFAULT));

    try (StorageEngine engine = PoolDirectory.open(folder, EngineOptions.defaults())) {
      assertMostIsForVolumes(engine.space(), capacity, 66);
    }
  }

  private static void assertMostIsForVolumes(PoolSpace space, long capacity, int percent) {
    assertThat(space.size()).isLessThanOrEqualTo(capacity).isGreaterThan(capacity / 100 * 98);
    assertThat(space.capacity() * 100 / capacity).isGreaterThanOrEqualTo(percent);
    assertThat(space.free()).isLessThanOrEqualTo(space.capacity());
  }
}
