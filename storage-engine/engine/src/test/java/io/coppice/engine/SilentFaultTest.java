package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.SilentFaultRun.Fault;
import io.coppice.engine.SilentFaultRun.Outcome;
import io.coppice.engine.testing.QuietEngine;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A device that does wrong and says nothing: no wrong byte is ever returned.
///
/// `-Dfault.seeds=N` says how many seeds per fault (120), `-Dtest.seed=S` runs that seed alone.
@ExtendWith(QuietEngine.class)
class SilentFaultTest {

  private static final int SEEDS = Integer.getInteger("fault.seeds", 120);

  @Test
  void aLostWriteIsRefusedWhereItMatters() {
    run(Fault.LOST_WRITE, Outcome.INTACT, Outcome.BLOCKS_REFUSED, Outcome.POOL_REFUSED);
  }

  @Test
  void aMisdirectedWriteIsRefusedWhereItMatters() {
    run(Fault.MISDIRECTED_WRITE, Outcome.INTACT, Outcome.BLOCKS_REFUSED, Outcome.POOL_REFUSED);
  }

  @Test
  void aFlippedBitIsRefusedWhereItMatters() {
    run(Fault.FLIPPED_BIT, Outcome.INTACT, Outcome.BLOCKS_REFUSED);
  }

  @Test
  void aLyingDeviceLeavesAnOlderMomentOrARefusalAndNeverAMixture() {
    run(Fault.LYING_SYNCS, Outcome.POOL_REFUSED, Outcome.OLDER);
  }

  @Test
  void whateverOneOfTwoDevicesDoesNothingIsMissingAndNothingRefused() {
    for (Fault fault : List.of(Fault.LOST_WRITE, Fault.MISDIRECTED_WRITE, Fault.FLIPPED_BIT)) {
      assertThat(run(fault, SilentFaultRun::mirrored)).containsOnlyKeys(Outcome.INTACT);
    }
  }

  private static void run(Fault fault, Outcome... mustOccur) {
    Map<Outcome, Integer> outcomes = run(fault, (f, seed) -> new SilentFaultRun(f, seed).run());
    if (Long.getLong("test.seed") == null) {
      assertThat(outcomes).containsKeys(mustOccur);
    }
  }

  private interface Run {
    Outcome of(Fault fault, long seed);
  }

  private static Map<Outcome, Integer> run(Fault fault, Run run) {
    Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
    Long only = Long.getLong("test.seed");
    long first = only != null ? only : 3_000_000L;
    for (long seed = first; seed < first + (only != null ? 1 : SEEDS); seed++) {
      outcomes.merge(run(fault, seed, run), 1, Integer::sum);
    }
    System.out.printf("%s: %s%n", fault, outcomes);
    return outcomes;
  }

  private static Outcome run(Fault fault, long seed, Run run) {
    try {
      return run.of(fault, seed);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "%s, seed %d (repeat with -Dtest=SilentFaultTest -Dtest.seed=%d): %s"
              .formatted(fault, seed, seed, e.getMessage()),
          e);
    }
  }
}
