package io.coppice.vasa.recovery;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.made;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.event.Alarm;
import io.coppice.vasa.event.Alarms;
import io.coppice.vasa.event.EventSettings;
import io.coppice.vasa.policy.OfferedProfile;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.SpaceEfficiency;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.NewVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AlarmWatchTest {

  private ControlPlane plane;
  private Alarms alarms;
  private AlarmWatch watch;
  private StorageContainer container;
  private OfferedProfile thick;

  @BeforeEach
  void open() {
    plane = new ControlPlane();
    alarms = new Alarms(plane.jdbc, plane.transactions, new EventSettings(1000, 100), plane.clock);
    watch =
        new AlarmWatch(
            alarms,
            new AlarmWatch.Watched(
                plane.engine, plane.containers, plane.spaces, plane.volumes, plane.policies),
            new AlarmSettings(Duration.ofSeconds(60), 80, 95),
            plane.clock);
    container = plane.containers.create("small", 10 * GIB);
    thick =
        plane.profiles.create(
            new ProfileDraft(
                "thick", "", new Requirements(SpaceEfficiency.THICK, null, null), Set.of()),
            "admin");
  }

  @Test
  void containerThatFillsTurnsYellowThenRedAndGreenWhenItEmpties() {
    VolumeId first = volume(8 * GIB);
    watch.look();
    watch.look();
    VolumeId second = volume(2 * GIB);
    watch.look();
    plane.volumes.delete(first);
    plane.volumes.delete(second);
    watch.look();

    assertThat(alarms.after(-1))
        .extracting(Alarm::status)
        .containsExactly(Alarm.Status.YELLOW, Alarm.Status.RED, Alarm.Status.GREEN);
    assertThat(alarms.after(-1))
        .allMatch(alarm -> alarm.type().equals("SpaceCapacity"))
        .allMatch(alarm -> alarm.objectId().equals(container.id().toString()));
    assertThat(alarms.after(-1).getFirst().parameters())
        .isEqualTo(Map.of("container", "small", "percent", "80"));
    assertThat(alarms.active()).isEmpty();
  }

  @Test
  void volumeThatDoesNotKeepItsPolicyIsAnAlarmUntilItDoesOrIsGone() {
    VolumeId kept = volume(GIB);
    VolumeId deleted = volume(GIB);
    watch.look();
    assertThat(alarms.active()).isEmpty();

    plane.engine.reserve(OperationId.random(), kept, false);
    plane.engine.reserve(OperationId.random(), deleted, false);
    watch.look();
    assertThat(alarms.active())
        .extracting(Alarm::objectId)
        .containsExactlyInAnyOrder("rfc4122." + kept, "rfc4122." + deleted);
    assertThat(alarms.active())
        .allMatch(alarm -> alarm.type().equals("Compliance"))
        .allMatch(alarm -> alarm.status() == Alarm.Status.YELLOW);

    plane.engine.reserve(OperationId.random(), kept, true);
    plane.volumes.delete(deleted);
    watch.look();
    assertThat(alarms.active()).isEmpty();
  }

  @Test
  void nothingIsLookedAtBeforeThePeriodIsOver() {
    watch.lookWhenDue();
    volume(9 * GIB);
    watch.lookWhenDue();
    List<Alarm> early = alarms.after(-1);
    plane.clock.advance(Duration.ofSeconds(60));
    watch.lookWhenDue();

    assertThat(early).isEmpty();
    assertThat(alarms.after(-1)).hasSize(1);
  }

  private VolumeId volume(long sizeInBytes) {
    return made(
        plane.volumes.create(
            new NewVolume(
                container.id(),
                VolumeType.DATA,
                VolumeOrigin.HOST,
                thick.asStorageProfile(),
                sizeInBytes,
                Map.of())));
  }
}
