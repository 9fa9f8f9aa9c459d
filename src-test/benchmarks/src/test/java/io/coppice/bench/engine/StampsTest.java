package io.coppice.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.bench.engine.stage.Bed;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.subject.EngineSubject;
import io.coppice.bench.subject.Load;
import io.coppice.bench.subject.Stamps;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.Volume;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.harness.Mismatch;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The bench against a small pool: what it writes it finds again, and what is changed behind its
/// back it notices.
class StampsTest {

  private static final long SIZE = 2L << 20;
  private static final int ZONE = 256 << 10;

  @TempDir Path folder;

  @Test
  void whatALoadWroteIsFoundAgainAndWhatAnybodyElseWroteIsNoticed() {
    PoolDirectory.create(folder, 32L << 20, new PoolFormat(UUID.randomUUID(), ZONE, Instant.EPOCH));
    try (StorageEngine engine = PoolDirectory.open(folder, EngineOptions.defaults())) {
      Bed bed = new Bed(Stage.whole(engine));
      EngineSubject subject = bed.filled(bed.volume(SIZE), SIZE);
      assertThat(subject.run(Load.randomWrite(8), 500).bytesWritten()).isEqualTo(500 * 4096);
      subject.run(Load.randomWrite(1), 50);
      subject.scatter();
      subject.run(Load.mixed(4), 200);
      subject.verify(2_000);
      Stamps before = subject.stamps().copy();

      Volume volume = subject.volume();
      for (long at = 0; at < SIZE; at += Stamps.BLOCK) {
        bed.write(volume, at);
      }

      assertThatThrownBy(() -> before.verify("it", volume, 10))
          .isInstanceOf(Mismatch.class)
          .hasMessageContaining("as written last");
    }
  }

  @Test
  void aBlockThatTwoWritesWereUnderWayToIsNotJudged() {
    Stamps stamps = new Stamps(SIZE);
    ByteBuffer content = ByteBuffer.allocate(Stamps.BLOCK);
    stamps.put(8192, content, Stamps.BLOCK);

    assertThat(stamps.matches(2, content)).isTrue();
    content.putLong(8, content.getLong(8) + 1);
    assertThat(stamps.matches(2, content)).isFalse();
    stamps.forget(8192, Stamps.BLOCK);
    assertThat(stamps.matches(2, content)).isTrue();
  }

  @Test
  void theWritesOfTheProcessThatIsKilledGoToDifferentBlocks() {
    Set<Long> places = new HashSet<>();
    for (long number = 1_000_000; number < 1_060_000; number++) {
      places.add(RecoveryChild.place(number, 262_144));
    }

    assertThat(places).hasSize(60_000);
  }
}
