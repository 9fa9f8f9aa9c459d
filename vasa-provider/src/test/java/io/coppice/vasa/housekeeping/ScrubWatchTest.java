package io.coppice.vasa.housekeeping;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.testing.MemoryEngine;
import io.coppice.vasa.audit.AuditRecord;
import io.coppice.vasa.testing.ControlPlane;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// Passes of the scrubber in the audit trail.
class ScrubWatchTest {

  private final ControlPlane plane = new ControlPlane();

  @Test
  void passThatBeganAndEndedIsToldOnce() {
    ScrubWatch watch =
        new ScrubWatch(plane.engine, plane.ownWork, plane.clock, Instant.EPOCH.minusSeconds(1));
    watch.lookWhenDue();
    ((MemoryEngine) plane.engine).damage().start(); // it begins and ends at once
    plane.clock.advance(Duration.ofSeconds(61));
    watch.lookWhenDue();
    plane.clock.advance(Duration.ofSeconds(61));
    watch.lookWhenDue();
    plane.ownWork.writeAll();

    assertThat(plane.ownRecords)
        .extracting(AuditRecord::action)
        .containsExactly(ScrubWatch.BEGUN, ScrubWatch.ENDED);
    assertThat(plane.ownRecords.getLast().value("name").orElseThrow()).contains("0 damaged blocks");
  }

  @Test
  void passOfAnEarlierProcessIsNotTold() {
    ((MemoryEngine) plane.engine).damage().start();

    new ScrubWatch(plane.engine, plane.ownWork, plane.clock, Instant.EPOCH).lookWhenDue();
    plane.ownWork.writeAll();

    assertThat(plane.ownRecords).isEmpty();
  }
}
