package io.coppice.vasa.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.SpaceEfficiency;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.HookedEngine.ProcessEnded;
import io.coppice.vasa.testing.TestDatabase;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Ends the process, as the code sees it, at each step of each change and of the recovery that
/// follows, and starts it again on the same pool and database.
class HaltTest {

  private static final int HALTS = Integer.getInteger("halts", 200);
  private static final long SEED = Long.getLong("test.seed", 20_261_122);
  private static final int DEEPEST = 8;
  private static final long QUOTA = 1L << 44;

  private final Random random = new Random(SEED);
  private final Map<String, Integer> halts = new TreeMap<>();
  private HikariDataSource database;
  private ControlPlane plane;
  private int number;
  private List<String> taken = List.of();

  @BeforeEach
  void open() {
    HikariConfig pooled = new HikariConfig();
    pooled.setDataSource(TestDatabase.fresh());
    pooled.setMaximumPoolSize(4);
    // The server is not ended here; that what it commits is stable is for other tests.
    pooled.setConnectionInitSql("set synchronous_commit = off");
    database = new HikariDataSource(pooled);
    plane = new ControlPlane(database, ControlPlane.BIN);
  }

  @AfterEach
  void close() {
    plane.target.close();
    database.close();
  }

  @Test
  void whateverStepIsTheLastOneTheChangeHasHappenedOrNotAndNothingIsLeft() {
    plane.containers.create(HaltedChanges.MAIN, QUOTA);
    plane.endpoints.add();
    HaltedChanges changes = new HaltedChanges(random, policies());

    while (number < HALTS) {
      PlaneState before = PlaneState.of(plane);
      HaltedChange change = changes.next(plane, before);
      boolean cut = cutShort(change.run(), 1 + random.nextInt(random.nextBoolean() ? 2 : DEEPEST));
      List<String> steps = taken;
      if (cut) {
        restart();
      }
      check(change, before, cut);
      change.aftermath().check(plane, steps, cut);
      write();
    }

    System.out.printf("%d halts: %s%n", number, halts);
    assertThat(halts).as("steps at which a halt fell, seed %d", SEED).hasSizeGreaterThan(35);
  }

  private List<String> policies() {
    return List.of(
            new Requirements(SpaceEfficiency.THICK, null, null),
            new Requirements(SpaceEfficiency.THIN, null, null),
            Requirements.NONE)
        .stream()
        .map(
            required ->
                plane
                    .profiles
                    .create(
                        new ProfileDraft("p" + required.space(), "", required, Set.of()), "admin")
                    .id())
        .toList();
  }

  /// @return whether the process ended before `work` did
  private boolean cutShort(Runnable work, int step) {
    plane.steps.taken();
    plane.steps.at(step);
    boolean ended = false;
    try {
      work.run();
    } catch (ProcessEnded e) {
      ended = true;
    }
    plane.steps.at(0);
    taken = plane.steps.taken();
    if (ended) {
      halts.merge(taken.getLast(), 1, Integer::sum);
      number++;
    }
    return ended;
  }

  /// Starts anew, and again whenever the recovery is cut short itself.
  private void restart() {
    boolean again = true;
    while (again) {
      plane.target.close();
      plane = plane.restarted();
      int step = random.nextInt(3) == 0 ? 1 + random.nextInt(4) : 0;
      again = cutShort(this::recover, step);
    }
    assertThat(plane.reconciliation.atStart()).as("found twice, seed %d", SEED).isEmpty();
  }

  private void recover() {
    plane.reconciliation.atStart();
    plane.endpoints.askAgain();
  }

  private void check(HaltedChange change, PlaneState before, boolean cut) {
    PlaneState after = PlaneState.of(plane);
    String what =
        "%s %s, halt %d, seed %d".formatted(change.name(), cut ? "cut short" : "", number, SEED);
    Set<VolumeId> made = new HashSet<>(after.volumes().keySet());
    made.removeAll(before.volumes().keySet());
    PlaneState old = after;
    for (VolumeId id : made) {
      old = old.without(id);
    }
    if (!made.isEmpty() || (!cut && change.makes() > 0)) {
      assertThat(made).as("made by " + what).hasSize(change.makes());
    }
    PlaneState wanted = change.effect().apply(before);
    boolean happened = old.same(wanted);
    PlaneState rest = old;
    boolean part = change.parts().stream().anyMatch(each -> rest.same(each.apply(before)));
    if (!happened && !(cut && (part || old.same(before)))) {
      fail("%s: expected %s%s, got %s", what, wanted, cut ? " or " + before : "", old);
    }
    assertThat(PlaneState.differencesOfRows(plane)).as("rows after " + what).isEmpty();
  }

  private void write() {
    PlaneState now = PlaneState.of(plane);
    now.volumes().entrySet().stream()
        .filter(each -> !each.getValue().snapshot())
        .skip(random.nextInt(3))
        .findFirst()
        .ifPresent(each -> write(each.getKey()));
  }

  private void write(VolumeId disk) {
    int first = random.nextInt(PlaneState.PLACES);
    for (int place = first; place < PlaneState.PLACES; place++) {
      int value = 1 + random.nextInt(100);
      plane.write(disk, PlaneState.offset(place), PlaneState.PLACE_BYTES, value);
    }
  }
}
