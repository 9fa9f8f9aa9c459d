package io.coppice.vasa.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.testing.TestClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Entries about work that the provider does by itself: few, and with what failed.
class OwnWorkTest {

  private static final Duration PERIOD = Duration.ofMinutes(10);

  private final TestClock clock = new TestClock();
  private final List<AuditRecord> written = new ArrayList<>();
  private final OwnWork own = new OwnWork(written::add, PERIOD, clock);

  @Test
  void snapshotsOfEachSecondAreOneEntryInAPeriod() {
    for (int second = 0; second < 3600; second++) {
      own.done("snapshots.take", 3);
      own.writeDue();
      clock.advance(Duration.ofSeconds(1));
    }
    own.writeAll();

    assertThat(written).hasSize(1 + 6);
    assertThat(written.getFirst().value("done")).contains("3");
    assertThat(written.get(1).value("done")).contains("1800");
    assertThat(written.stream().mapToLong(one -> Long.parseLong(one.value("done").orElseThrow())))
        .satisfies(
            counts ->
                assertThat(counts.stream().mapToLong(Long::longValue).sum()).isEqualTo(10800));
    assertThat(written)
        .allSatisfy(
            one -> {
              assertThat(one.action()).isEqualTo("snapshots.take");
              assertThat(one.channel()).isEqualTo(Channel.COPPICE);
              assertThat(one.author()).isEqualTo(Author.COPPICE);
              assertThat(one.outcome()).isEqualTo(Outcome.DONE);
            });
  }

  @Test
  void failuresHaveNamesAndReasonsAndAreBounded() {
    own.done("snapshots.take", 5);
    for (int i = 0; i < 200; i++) {
      own.failed("snapshots.take", "vvol-" + i, "the pool is full");
    }
    own.writeDue();

    AuditRecord one = written.getFirst();
    assertThat(one.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(one.value("done")).contains("5");
    assertThat(one.value("failed")).contains("200");
    assertThat(one.details())
        .filteredOn(detail -> detail.name().equals("failure"))
        .hasSize(OwnWork.MOST_FAILURES)
        .extracting(Detail::value)
        .startsWith("vvol-0: the pool is full", "vvol-1: the pool is full");
    assertThat(one.value("failuresLeftOut")).contains("168");
    assertThat(one.details()).hasSizeLessThan(AuditRecord.MOST_DETAILS);
  }

  @Test
  void namesOfWhatWasDoneAreBoundedAndEveryKindHasAnEntryOfItsOwn() {
    for (int i = 0; i < 100; i++) {
      own.done("recovery.volume-adopted", "vvol-" + i);
    }
    own.done("certificates.renew", "vasa.pem");
    own.done("snapshots.expire", 0);
    own.writeDue();
    own.writeDue();

    assertThat(written)
        .extracting(AuditRecord::action)
        .containsExactly("certificates.renew", "recovery.volume-adopted");
    assertThat(written.getLast().value("done")).contains("100");
    assertThat(written.getLast().details())
        .filteredOn(detail -> detail.name().equals("name"))
        .hasSize(OwnWork.MOST_NAMES);
  }

  @Test
  void aClockThatWasPutBackHoldsNothingBack() {
    own.done("snapshots.take", 1);
    own.writeDue();
    clock.jump(Duration.ofDays(-30));
    own.done("snapshots.take", 1);
    own.writeDue();

    assertThat(written).hasSize(2);
  }

  @Test
  void whatIsNotWrittenYetIsInTheChainAfterAnOrderlyEnd(@TempDir Path folder) {
    AuditSite site = new AuditSite(folder);
    site.start();
    site.trail.ownWork().done("snapshots.take", 7);
    site.trail.close();

    try (AuditTrail next = site.open()) {
      assertThat(next.verify().isIntact()).isTrue();
      assertThat(next.rows().find(1).orElseThrow().recorded().value("done")).contains("7");
    }
    site.close();
  }
}
