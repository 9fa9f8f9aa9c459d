package io.coppice.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.testing.QuietEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// Cycles that are cut at random places. `replication.cuts` says how many.
@Timeout(3600)
@ExtendWith(QuietEngine.class)
class CycleCutsTest {

  private static final int CUTS = Integer.getInteger("replication.cuts", 100);

  @Test
  void everyReplicaIsWhole() {
    long cuts = 0;
    for (long seed = 1; cuts < CUTS; seed++) {
      try {
        cuts += new CutRun(seed).run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed %d: %s".formatted(seed, e.getMessage()), e);
      }
    }
    assertThat(cuts).isGreaterThanOrEqualTo(CUTS);
  }
}
