package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.coppice.conformance.Conformance;
import io.coppice.harness.Commands;
import io.coppice.harness.ProviderJar;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// libiscsi's conformance suite, as `coppice test conformance` runs it.
class LibiscsiSuiteIT {

  @TempDir private Path folder;

  @Test
  void everyKindOfUnitPassesAndOnlySkipsWhatItCannotBe() {
    assumeTrue(
        Commands.exists("iscsi-test-cu"), "iscsi-test-cu is not installed (package libiscsi-bin)");

    assertThat(Conformance.run(ProviderJar.served(), folder, Path.of("target", "iscsi-test-cu")))
        .hasSize(4)
        .allSatisfy(
            tally -> {
              assertThat(tally.verdicts()).hasSizeGreaterThan(200);
              assertThat(tally.failures()).as("failed at the %s", tally.name()).isEmpty();
              assertThat(tally.unexpectedSkips()).as("skipped at the %s", tally.name()).isEmpty();
            });
  }
}
