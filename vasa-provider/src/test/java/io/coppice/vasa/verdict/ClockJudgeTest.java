package io.coppice.vasa.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class ClockJudgeTest {

  private static final Instant HERE = Instant.parse("2026-11-28T06:00:00Z");

  @Test
  void aClockMayBeALittleOffAndMustNotBeFarOff() {
    assertThat(compared(30)).startsWith("ok ").contains("this clock is 30 s behind the database's");
    assertThat(compared(31)).startsWith("warn ").contains("set both by the same NTP servers");
    assertThat(compared(-300)).startsWith("warn ").contains("300 s ahead of the database's");
    assertThat(compared(-301)).startsWith("FAIL ").contains("This clock is 301 s ahead of");
  }

  private static String compared(int seconds) {
    Report report = new Report();
    ClockJudge.compare("the database's", HERE.plusSeconds(seconds), HERE, report);
    return report.text();
  }
}
