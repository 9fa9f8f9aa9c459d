package io.coppice.scsi.unit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// The visits of a unit: their times, and how many are kept.
class VisitTest {

  private Instant now = Instant.parse("2026-11-01T12:00:00Z");
  private final ReachLog log = new ReachLog(() -> now);

  @Test
  void theLastCommandIsNotedOnceASecond() {
    long begin = System.nanoTime();
    ReachLog.Visit visit = log.enter("iqn.x:a");
    Instant first = now;
    now = first.plusMillis(500);
    visit.note(begin);
    assertThat(log.all()).containsExactly(new ReachLog.Visitor("iqn.x:a", first, first));

    now = first.plusSeconds(5);
    visit.note(begin + TimeUnit.HOURS.toNanos(1));
    assertThat(log.all()).containsExactly(new ReachLog.Visitor("iqn.x:a", first, now));
    assertThat(log.enter("iqn.x:a")).isSameAs(visit);
  }

  @Test
  void beyondTheLimitTheQuietestGoes() {
    for (int i = 0; i <= ReachLog.MOST; i++) {
      now = now.plusSeconds(1);
      log.enter("iqn.x:" + i);
    }

    assertThat(log.all()).hasSize(ReachLog.MOST);
    assertThat(log.all()).extracting(ReachLog.Visitor::initiator).doesNotContain("iqn.x:0");
  }
}
