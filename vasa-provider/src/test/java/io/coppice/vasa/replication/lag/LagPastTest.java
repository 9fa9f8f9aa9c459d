package io.coppice.vasa.replication.lag;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LagPastTest {

  private final LagPast past = new LagPast(3);

  @Test
  void minuteHasItsLongestLagAndTheBytesSinceTheLookBefore() {
    past.note(7, 3, 100, 40);
    past.note(7, 9, 100, 40);
    past.note(7, 1, 150, 60);
    past.note(8, 2, 150, 61);

    assertThat(past.between(7, 9))
        .containsExactly(new LagMinute(9L, 150L, 60L), new LagMinute(2L, 0L, 1L));
  }

  @Test
  void minuteWithoutALookIsAGapAndOneWithoutALagHasBytes() {
    past.note(7, LagPast.NONE, 5, 5);

    assertThat(past.between(6, 8)).containsExactly(LagMinute.GAP, new LagMinute(null, 5L, 5L));
  }

  @Test
  void ringKeepsTheNewestMinutesAlone() {
    for (int minute = 0; minute < 5; minute++) {
      past.note(minute, minute, 0, 0);
    }

    assertThat(past.between(1, 5))
        .extracting(LagMinute::lagSeconds)
        .containsExactly(null, 2L, 3L, 4L);
  }

  @Test
  void clockThatWentBackLeavesNoWrongMinutes() {
    past.note(9, 4, 10, 10);
    past.note(6, 5, 20, 20);

    assertThat(past.between(6, 10))
        .containsExactly(new LagMinute(5L, 10L, 10L), LagMinute.GAP, LagMinute.GAP, LagMinute.GAP);
  }

  @Test
  void countersThatBeginAnewTakeNothingBack() {
    past.note(1, 0, 100, 100);
    past.note(2, 0, 0, 0);

    assertThat(past.between(2, 3)).containsExactly(new LagMinute(0L, 0L, 0L));
  }
}
