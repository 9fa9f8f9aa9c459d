package io.coppice.engine.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.OperationId;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.testing.CheckedPool;
import io.coppice.engine.testing.MemoryDevice;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A pool that has had nearly as many volumes, or versions of them, as there are numbers.
class UsedUpNumbersTest {

  /// In the first chunk: next volume number, next version.
  @ParameterizedTest
  @ValueSource(ints = {0, 4})
  void whatWouldTakeTheLastNumberIsRefusedAndThePoolGoesOn(int at) {
    PoolImage image = new PoolImage(new UsedPool(20_261_123, 1 << 20).image());
    image.chunks.getFirst().view().putInt(80 + at, Integer.MAX_VALUE - 60);
    image.seal();
    MemoryDevice device = new MemoryDevice(image.bytes.clone());
    VolumeId source;
    int made = 0;
    try (RedirectOnWriteEngine engine = open(device)) {
      source = engine.create(OperationId.random(), spec()).id();
      for (boolean refused = false; !refused && made < 100; made++) {
        refused = isRefused(engine, source);
      }
      assertThat(made).isBetween(2, 61);
      engine.checkpoint();
    }
    CheckedPool.whole(device);
    try (RedirectOnWriteEngine engine = open(device)) {
      assertThatThrownBy(() -> engine.create(OperationId.random(), spec()))
          .isInstanceOf(StorageException.InvalidRequest.class)
          .hasMessageMatching("Expected numbers for up to 2 new versions .* found [01] left\\.");
      for (VolumeInfo info : engine.list()) {
        engine.delete(OperationId.random(), info.id());
      }
      engine.checkpoint();
    }
    CheckedPool.whole(device);
  }

  private static boolean isRefused(RedirectOnWriteEngine engine, VolumeId source) {
    SnapshotSpec snapshot = new SnapshotSpec(source, VolumeId.random(), Map.of());
    try {
      engine.snapshot(OperationId.random(), List.of(snapshot), Duration.ofMinutes(1));
      return false;
    } catch (StorageException.InvalidRequest e) {
      return true;
    }
  }

  private static VolumeSpec spec() {
    return VolumeSpec.thin(VolumeId.random(), 1 << 20);
  }

  private static RedirectOnWriteEngine open(MemoryDevice device) {
    return RedirectOnWriteEngine.open(
        device, EngineOptions.defaults().withReaderThreads(1), UsedPool.CLOCK);
  }
}
