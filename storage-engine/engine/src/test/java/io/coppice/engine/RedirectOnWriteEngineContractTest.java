package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.SimulatedBlockDevice;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// The real engine keeps the contract.
class RedirectOnWriteEngineContractTest extends SharingContract {

  private static final InstantSource CLOCK = InstantSource.system();

  private SimulatedBlockDevice device = new SimulatedBlockDevice(MIB);

  @Override
  StorageEngine fresh(long capacityInBytes) {
    device = new SimulatedBlockDevice(capacityInBytes);
    RedirectOnWriteEngine.format(
        device, new PoolFormat(UUID.randomUUID(), 256 << 10, Instant.EPOCH));
    return RedirectOnWriteEngine.open(device, EngineOptions.defaults(), CLOCK);
  }

  @Override
  StorageEngine reopened(StorageEngine engine) {
    engine.close();
    return RedirectOnWriteEngine.open(device, EngineOptions.defaults(), CLOCK);
  }

  @Test
  void statusOfALongRunComesInPieces() {
    VolumeId id = create(640 * MIB);
    write(id, 0, random(1, (int) (4 * MIB)));
    for (long filled = 4 * MIB; filled < 512 * MIB; filled *= 2) {
      copy(id, 0, id, filled, filled);
    }

    List<MappedRange> pieces = new ArrayList<>();
    long at = 0;
    while (at < 640 * MIB) {
      List<MappedRange> told = engine.open(id).status(at, 10);
      assertThat(told).isNotEmpty();
      assertThat(told.getFirst().range().offset()).isEqualTo(at);
      at = told.getLast().range().end();
      pieces.addAll(told);
    }

    assertThat(pieces).hasSizeGreaterThan(2);
    assertThat(pieces.getLast())
        .isEqualTo(new MappedRange(new ByteRange(512 * MIB, 128 * MIB), false));
    assertThat(pieces.subList(0, pieces.size() - 1)).allMatch(MappedRange::mapped);
  }
}
