package io.coppice.engine.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.journal.JournalTier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TimelineTest {

  private static final Timeline.Gone NOTHING =
      new Timeline.Gone() {
        @Override
        public void blocks(Journal journal, long first, long blocks) {}

        @Override
        public void base(Base base) {}
      };

  private final Timeline timeline = new Timeline();
  private final Journal fine =
      new Journal(1, new JournalTier(Duration.ofSeconds(5), Duration.ofSeconds(60)), 1000, 0);
  private final Journal coarse =
      new Journal(2, new JournalTier(Duration.ofSeconds(20), Duration.ofSeconds(600)), 1000, 0);

  TimelineTest() {
    timeline.add(fine);
    timeline.add(coarse);
  }

  private void write(long block) {
    for (Journal journal : timeline.journals()) {
      journal.keep(block, 0, 0);
      journal.endRecord();
      journal.hand((_, _, _, _) -> {});
    }
  }

  private void cut(long seconds) {
    write(seconds);
    timeline.cut(1000 + seconds * 1000, seconds * 1000, false, NOTHING);
  }

  private void replace(long moment, int number) {
    timeline.cut(moment, 0, true, NOTHING);
    timeline.replaced(new Base(moment, number));
    timeline.cut(moment + 1, 0, true, NOTHING);
  }

  private Timeline.Way way(long moment) {
    return Objects.requireNonNull(timeline.way(moment));
  }

  @Test
  void momentsOfAllTiersComeOnceAndInOrder() {
    for (int at = 5; at <= 100; at += 5) {
      cut(at);
    }
    List<Long> all = timeline.moments(0, 1000);
    assertThat(all).isSorted().doesNotHaveDuplicates().startsWith(1000L).endsWith(101_000L);
    List<Long> paged = new ArrayList<>();
    List<Long> page = timeline.moments(0, 3);
    while (!page.isEmpty()) {
      paged.addAll(page);
      page = timeline.moments(page.getLast() + 1, 3);
    }
    assertThat(paged).isEqualTo(all);
    assertThat(timeline.at(62_000)).isEqualTo(61_000);
    assertThat(timeline.at(999)).isEqualTo(-1);
  }

  @Test
  void theWayBackBeginsWithTheContentBeforeTheNextRevert() {
    cut(5);
    replace(7000, 31);
    cut(10);
    replace(13_000, 32);

    assertThat(way(6000).base()).isEqualTo(new Base(7000, 31));
    assertThat(way(7000).base()).isEqualTo(new Base(7000, 31));
    assertThat(way(7000).end()).isEqualTo(way(7000).point().offset());
    assertThat(way(7001).base()).isEqualTo(new Base(13_000, 32));
    assertThat(way(13_001).base()).isNull();
    assertThat(timeline.way(6001)).isNull();
  }

  /// What is in the list behind a revert leads back to other content.
  @Test
  void aWayThatWasFoundBeforeARevertIsClosed() {
    cut(5);
    Timeline.Way before = way(6000);
    assertThat(timeline.part(before)).isNotNull();

    replace(7000, 31);

    assertThat(timeline.part(before)).isNull();
    assertThat(timeline.part(way(6000))).isNotNull();
    assertThat(timeline.part(way(7001))).isNotNull();
  }

  @Test
  void whatARevertReplacedGoesWithTheLastPointBeforeIt() {
    List<Base> gone = new ArrayList<>();
    cut(5);
    replace(7000, 31);
    Timeline.Gone told =
        new Timeline.Gone() {
          @Override
          public void blocks(Journal journal, long first, long blocks) {}

          @Override
          public void base(Base base) {
            gone.add(base);
          }
        };
    for (int at = 10; at < 2000 && gone.isEmpty(); at += 5) {
      assertThat(at).as("seconds until it is gone").isLessThan(640);
      write(at);
      timeline.cut(1000 + at * 1000L, at * 1000L, false, told);
    }

    assertThat(gone).containsExactly(new Base(7000, 31));
    assertThat(timeline.oldest()).isGreaterThan(7000);
    assertThat(timeline.hidden()).containsExactly(1, 2);
  }
}
