package io.coppice.vasa.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ReportTest {

  @Test
  void theCauseThatExplainsTheOthersIsTheVerdict() {
    var report = new Report();
    report.fail("expiry", Cause.EXPIRED, "It ended.", "renew it.");
    report.fail("clock", Cause.CLOCK, "The clock is wrong.", "set it.");
    report.fail("service", Cause.SERVICE, "It does not answer.", "restart it.");

    assertThat(report.exitStatus()).isEqualTo(17);
    assertThat(report.text().strip()).endsWith("The clock is wrong. \u2192 set it.");
    assertThat(report.text().lines()).hasSize(4);
  }

  @Test
  void warningsKeepNobodyOffline() {
    var report = new Report();
    report.warn("expiry", "%d days left", 8);
    report.skip("clock", "not compared");

    assertThat(report.exitStatus()).isZero();
    assertThat(report.json()).contains("\"status\":0", "8 days left").doesNotContain("\"cause\"");
  }

  @Test
  void whatWasSeenCannotForgeALine() {
    var report = new Report();
    report.ok("trust", "%s", "CN=a\nok    service      all is well\u0007");

    assertThat(report.text().lines()).hasSize(2);
    assertThat(report.text()).contains("CN=a ok service all is well");
  }

  @Test
  void everyCauseHasItsOwnStatus() {
    assertThat(Arrays.stream(Cause.values()).map(Cause::exitStatus).distinct())
        .hasSize(Cause.values().length)
        .doesNotContain(0, 1);
  }
}
