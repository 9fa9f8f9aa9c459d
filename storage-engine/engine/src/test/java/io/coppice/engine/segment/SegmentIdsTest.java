package io.coppice.engine.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.format.BlockAddress;
import org.junit.jupiter.api.Test;

class SegmentIdsTest {

  private static final int LAST = BlockAddress.MAX_SEGMENT;

  private final SegmentIds ids = new SegmentIds();

  @Test
  void noneIsGivenOutAgainUntilAllWere() {
    assertThat(ids.take()).isZero();
    assertThat(ids.take()).isEqualTo(1);
    ids.giveBack(0);
    assertThat(ids.take()).isEqualTo(2);
    ids.use(7);
    assertThat(ids.take()).isEqualTo(8);
    assertThat(ids.next()).isEqualTo(9);
  }

  @Test
  void thenThoseThatAreFreeInTurn() {
    ids.use(0);
    ids.use(2);
    ids.use(LAST - 1);
    assertThat(ids.take()).isEqualTo(LAST);
    assertThat(ids.take()).isEqualTo(1);
    ids.giveBack(1);
    assertThat(ids.take()).isEqualTo(3);
    assertThat(ids.take()).isEqualTo(4);
    assertThat(ids.next()).as("what a checkpoint stores").isEqualTo(LAST + 1);
    assertThat(ids.age(4)).isEqualTo(1);
    assertThat(ids.age(LAST)).isEqualTo(6);
  }

  @Test
  void whatNoSegmentCanHaveIsRefused() {
    for (int id : new int[] {-1, LAST + 1, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> ids.use(id))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("expected a segment below %d, found %d".formatted(LAST + 1, id));
    }
  }

  @Test
  void whereNothingIsAnyMoreTakesNoMemory() {
    BlockLocations locations = new BlockLocations();
    for (int id = 0; id < 100_000; id++) {
      locations.setZone(id, id % 8);
      if (id >= 8) {
        locations.forget(id - 8);
      }
    }
    assertThat(locations.bytes()).isLessThan(32 << 10);
    assertThat(locations.placeOf(99_999, 5, 64)).isEqualTo(7 * 64 + 5);
    assertThat(locations.placeOf(99_000, 5, 64)).isEqualTo(-1);
  }
}
