package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.MappedRange;
import io.coppice.engine.testing.PoolFixture;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The real engine keeps the contract.
class RedirectOnWriteEngineContractTest extends SharingContract {

  private PoolFixture pool = PoolFixture.ofBytes(MIB);

  @Override
  StorageEngine fresh(long capacityInBytes) {
    pool = PoolFixture.ofBytes(capacityInBytes);
    return pool.format().open();
  }

  @Override
  StorageEngine reopened(StorageEngine engine) {
    engine.close();
    return pool.open();
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
