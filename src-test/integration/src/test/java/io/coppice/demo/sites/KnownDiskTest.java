package io.coppice.demo.sites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.harness.Mismatch;
import org.junit.jupiter.api.Test;

class KnownDiskTest {

  private static final int SIZE = 1 << 20;

  @Test
  void diskWithTheFirstWritesIsKnownByTheirNumber() {
    KnownDisk known = new KnownDisk(SIZE);
    byte[] read = new byte[SIZE];
    known.filled().get(read, 0, SIZE / 2);
    for (int number = 1; number <= 40; number++) {
      KnownDisk.contentOf(number).get(0, read, (int) known.placeOf(number), KnownDisk.BLOCK);
    }

    int last = KnownDisk.lastIn(read);
    known.write(0, last);

    assertThat(last).isEqualTo(40);
    assertThat(known.require("here", read)).hasSize(64);
  }

  @Test
  void laterWriteWithoutAnEarlierOneIsFound() {
    KnownDisk known = new KnownDisk(SIZE);
    byte[] read = new byte[SIZE];
    known.filled().get(read, 0, SIZE / 2);
    KnownDisk.contentOf(2).get(0, read, (int) known.placeOf(2), KnownDisk.BLOCK);

    known.write(0, KnownDisk.lastIn(read));

    assertThatThrownBy(() -> known.require("here", read))
        .isInstanceOf(Mismatch.class)
        .hasMessageContaining("expected the disk at here to have the SHA-256");
  }

  @Test
  void placesThatAreWrittenTwiceCountOnce() {
    KnownDisk known = new KnownDisk(2 * KnownDisk.BLOCK);

    assertThat(known.placesOf(0, 100)).isEqualTo(2L * KnownDisk.BLOCK);
  }
}
