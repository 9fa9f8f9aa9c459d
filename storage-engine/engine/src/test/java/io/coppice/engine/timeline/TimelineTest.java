package io.coppice.engine.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.format.OldBlocks;
import io.coppice.engine.journal.JournalTier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TimelineTest {

  private static final Timeline.Gone NOTHING =
      new Timeline.Gone() {
        @Override
        public void tier(Journal journal) {}

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
    write(block, 0);
  }

  private void write(long block, long address) {
    timeline.keep(block, address, 0);
    timeline.endRecord();
    timeline.journals().forEach(journal -> journal.hand((_, _, _, _) -> {}));
  }

  private static List<OldBlocks.Run> list(Journal journal) {
    List<OldBlocks.Run> runs = new ArrayList<>();
    OldBlocks.read(journal.inMemory(journal.listFrom(), journal.listEnd()), runs::add);
    return runs;
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
  void aBlockThatSeveralTiersNeedHasOneSlot() {
    write(7, 70);
    write(8, 0);
    timeline.cut(6000, 5000, false, NOTHING);
    write(7, 71);

    assertThat(list(coarse))
        .containsExactly(new OldBlocks.Run(7, 1, 2, 0), OldBlocks.Run.ofHoles(8, 1));
    assertThat(list(fine))
        .containsExactly(
            new OldBlocks.Run(7, 1, 2, 0),
            OldBlocks.Run.ofHoles(8, 1),
            new OldBlocks.Run(7, 1, 1, 0));
    assertThat(fine.nextSlot()).isOne();
    assertThat(coarse.nextSlot()).isOne();
  }

  /// Slots are lent to the tier with the shorter time. If that gets the longer one, they stay as
  /// long as its points from then need them, and no longer.
  @Test
  void slotsStayAsLongAsAnotherTierNeedsThem() {
    for (int at = 5; at <= 100; at += 5) {
      write(7, at);
      timeline.cut(1000 + at * 1000, at * 1000L, false, NOTHING);
    }
    timeline.retain(
        Map.of(
            fine,
            new JournalTier(Duration.ofSeconds(5), Duration.ofSeconds(2000)),
            coarse,
            new JournalTier(Duration.ofSeconds(20), Duration.ofSeconds(40))),
        timeline.momentAt(102_000),
        NOTHING);
    assertThat(List.of(fine.newest().moment(), coarse.newest().moment())).containsOnly(102_000L);
    for (int at = 105; at <= 1500; at += 5) {
      write(7, at);
      timeline.cut(1000 + at * 1000, at * 1000L, false, NOTHING);
      assertThat(coarse.oldest().moment()).isLessThanOrEqualTo(fine.oldest().moment());
    }
    for (int at = 1505; at <= 4500; at += 5) {
      write(7, at);
      timeline.cut(1000 + at * 1000, at * 1000L, false, NOTHING);
    }
    assertThat(fine.oldest().moment()).isEqualTo(2_501_000);
    assertThat(coarse.oldest().moment()).isEqualTo(4_461_000);
  }

  /// A tier that lends slots goes when the last point of the others that needs one has gone.
  @Test
  void aTierThatIsGivenUpIsClosedFirst() {
    List<Journal> gone = new ArrayList<>();
    Timeline.Gone told =
        new Timeline.Gone() {
          @Override
          public void tier(Journal journal) {
            gone.add(journal);
          }

          @Override
          public void base(Base base) {}
        };
    for (int at = 5; at <= 100; at += 5) {
      write(7, at);
      timeline.cut(1000 + at * 1000, at * 1000L, false, told);
    }
    timeline.close(List.of(coarse), timeline.momentAt(102_000), told);

    assertThat(gone).isEmpty();
    assertThat(timeline.open()).containsExactly(fine);
    assertThat(timeline.info().tiers()).containsExactly(fine.tier());
    assertThat(timeline.moments(0, 1000)).allMatch(moment -> moment >= fine.oldest().moment());
    Timeline again = new Timeline(timeline.row(9));
    assertThat(again.open()).hasSize(1);
    assertThat(again.row(9)).usingRecursiveComparison().isEqualTo(timeline.row(9));
    for (int at = 105; at <= 160; at += 5) {
      assertThat(gone).as("at %d s", at).isEmpty();
      write(7, at);
      timeline.cut(1000 + at * 1000, at * 1000L, false, told);
    }
    write(7, 165);
    timeline.cut(166_000, 165_000, false, told);
    assertThat(gone).containsExactly(coarse);
    assertThat(timeline.journals()).containsExactly(fine);

    timeline.close(List.of(fine), timeline.momentAt(170_000), told);
    assertThat(gone).as("nobody needs it").containsExactly(coarse, fine);
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
          public void tier(Journal journal) {}

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
