package io.coppice.vasa.alert.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSubject;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.replication.group.GroupPlan;
import io.coppice.vasa.replication.group.ReplicatedGroup;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.TestReplication;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Alerts of replication at a source whose peer is away. `ReplicationLagTest` has those of the lag.
class ReplicationSourceTest {

  private final ControlPlane plane = new ControlPlane();
  private final TestReplication replication = new TestReplication(plane);
  private final ReplicationSource source = new ReplicationSource(replication.watch);
  private final UUID peer = replication.peer("munich");

  @AfterEach
  void close() {
    replication.pool.close();
  }

  private ReplicatedGroup group() {
    return replication.group(
        peer, "shop", plane.volume(plane.container("c1"), ControlPlane.GIB).value());
  }

  private void fail(ReplicatedGroup group) {
    assertThatThrownBy(() -> replication.pool.groups().synchronize(group.id(), "", List.of()))
        .isInstanceOf(VasaException.class);
  }

  private void pause(ReplicatedGroup group, boolean paused) {
    replication
        .pool
        .groups()
        .change(
            group.id(),
            now ->
                new GroupPlan(
                    now.name(),
                    now.peer(),
                    now.interval(),
                    now.rpo(),
                    now.keep(),
                    now.machines(),
                    now.volumes(),
                    now.container(),
                    paused));
  }

  @Test
  void groupWhoseFirstCycleIsToComeIsNotLate() {
    group();
    plane.clock.advance(Duration.ofDays(1));

    assertThat(source.look()).isEmpty();
    assertThat(source.needsDatabase()).isFalse();
  }

  @Test
  void thirdFailureInARowIsFoundWithItsSentence() {
    ReplicatedGroup group = group();
    fail(group);
    fail(group);
    assertThat(source.look()).isEmpty();

    fail(group);

    AlertFinding found = source.look().getFirst();
    assertThat(source.look()).hasSize(1);
    assertThat(found.message()).isEqualTo("ReplicationFails");
    assertThat(found.severity()).isEqualTo(AlertSeverity.CRITICAL);
    assertThat(found.about())
        .isEqualTo(new AlertSubject("replication-group", group.id().toString(), "shop", null));
    assertThat(found.parameters()).containsEntry("name", "shop").containsEntry("count", "3");
    assertThat(found.parameters().get("what")).contains("munich", "127.0.0.1:1").endsWith(".");
  }

  @Test
  void pauseIsFoundOnceItIsLongerThanTheRpoInPlaceOfFailures() {
    ReplicatedGroup group = group();
    for (int i = 0; i < 3; i++) {
      fail(group);
    }
    pause(group, true);
    plane.clock.advance(Duration.ofSeconds(30));
    assertThat(source.look()).isEmpty();

    plane.clock.advance(Duration.ofSeconds(1));

    assertThat(source.look())
        .extracting(AlertFinding::message, AlertFinding::severity, AlertFinding::parameters)
        .containsExactly(
            tuple(
                "ReplicationPaused",
                AlertSeverity.WARNING,
                Map.of("name", "shop", "time", "31 seconds", "rpo", "30 seconds")));
    pause(group, false);
    assertThat(source.look()).extracting(AlertFinding::message).containsExactly("ReplicationFails");
  }

  @Test
  void certificateOfAPeerIsFoundThirtyDaysBeforeItsEndAndWhenItHasEnded() {
    plane.clock.advance(TestReplication.VALIDITY.minusDays(30).minusSeconds(1));
    assertThat(source.look()).isEmpty();

    plane.clock.advance(Duration.ofSeconds(1));
    assertThat(source.look())
        .extracting(AlertFinding::message, AlertFinding::severity, AlertFinding::about)
        .containsExactly(
            tuple(
                "PeerCertificateEnds",
                AlertSeverity.WARNING,
                new AlertSubject("peer", peer.toString(), "munich", null)));

    plane.clock.advance(Duration.ofDays(30));
    assertThat(source.look())
        .extracting(AlertFinding::severity)
        .containsExactly(AlertSeverity.CRITICAL);
  }
}
