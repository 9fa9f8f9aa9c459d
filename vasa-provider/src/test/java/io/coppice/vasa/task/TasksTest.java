package io.coppice.vasa.task;

import static io.coppice.vasa.testing.ControlPlane.KEPT;
import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.testing.ControlPlane;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// How long tasks are remembered.
class TasksTest {

  private final ControlPlane plane = new ControlPlane();

  @Test
  void taskThatHasEndedIsForgottenAfterTheTimeThatIsSet() {
    VasaTask old = plane.tasks.done("activateProviderEx");
    plane.clock.advance(Duration.ofHours(1));
    VasaTask young = plane.tasks.done("activateProviderEx");
    plane.clock.advance(KEPT.minusHours(1));
    assertThat(plane.tasks.forgetOld(plane.time)).as("a moment too early").isZero();
    plane.clock.advance(Duration.ofSeconds(1));

    assertThat(plane.tasks.forgetOld(plane.time)).isEqualTo(1);

    assertFault("NotFound", () -> plane.tasks.require(old.id()));
    assertThat(plane.tasks.require(young.id())).isEqualTo(young);
  }

  @Test
  void taskThatHasNotEndedIsNeverForgotten() {
    String id = Tasks.idOf("copyDiffsToVirtualVolume", UUID.randomUUID());
    plane.tasks.begin(id, null);
    plane.clock.advance(KEPT.multipliedBy(100));

    assertThat(plane.tasks.forgetOld(plane.time)).isZero();
    assertThat(plane.tasks.require(id).state()).isInstanceOf(TaskState.Running.class);
  }
}
