package io.coppice.vasa.alert.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.journal.JournalTier;
import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSubject;
import io.coppice.vasa.testing.ControlPlane;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TimelineSourceTest {

  private final ControlPlane plane = new ControlPlane();
  private final TimelineSource source =
      new TimelineSource(plane.protection.cuts, new AlertSubject("system", "pool", null, null));

  private void journal() {
    VolumeId volume = plane.volume(plane.container("c1"), ControlPlane.GIB);
    plane
        .engine
        .journals()
        .keep(
            OperationId.random(),
            volume,
            List.of(new JournalTier(Duration.ofSeconds(5), Duration.ofHours(1))));
  }

  @Test
  void withoutJournalsThereIsNothingToFind() {
    plane.clock.advance(Duration.ofHours(1));

    assertThat(source.look()).isEmpty();
    assertThat(source.needsDatabase()).isFalse();
  }

  @Test
  void aMinuteOfFailedRoundsIsFoundUntilOneGoesWell() {
    journal();
    plane.protection.cuts.round();
    plane.hooks.before(
        "journals.cutDue",
        () -> {
          throw new StorageException.OutOfSpace("the pool is full.");
        });
    plane.clock.advance(Duration.ofSeconds(59));
    plane.protection.cuts.round();
    assertThat(source.look()).as("a gap").isEmpty();

    plane.clock.advance(Duration.ofSeconds(62));
    plane.protection.cuts.round();

    assertThat(source.look())
        .extracting(AlertFinding::message, AlertFinding::parameters)
        .containsExactly(
            tuple("TimelinesLate", Map.of("minutes", "2", "what", "the pool is full.")));
    plane.hooks.before("journals.cutDue", () -> {});
    plane.protection.cuts.round();
    assertThat(source.look()).isEmpty();
  }

  @Test
  void roundsThatDoNotRunAreFound() {
    journal();
    plane.clock.advance(Duration.ofMinutes(2));

    assertThat(source.look()).hasSize(1);
  }
}
