package io.coppice.vasa.volume.snapshot;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.made;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.policy.OfferedProfile;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The time that scheduled snapshots are kept until, which stands in their rows: it is what the
/// schedule of their parent says now, whatever has changed.
class KeptUntilTest {

  private static final Duration HOUR = Duration.ofHours(1);

  /// Snapshots whose row says something else than the rules do.
  private static final String WRONG =
      """
      select count(*) from volume v left join snapshot_schedule s on s.volume_id = v.parent_id
       where v.origin = 'SCHEDULE' and v.state = 'READY' and v.kept_until is distinct from
         case when s.volume_id is null
                then coalesce(v.seen_at, v.created_at)
                     + make_interval(secs => v.required_retention_s)
              when s.retention_enabled
                then coalesce(v.seen_at, v.created_at) + make_interval(secs => s.retention_s) end
      """;

  private ControlPlane plane;
  private StorageContainer container;
  private VolumeId disk;

  @BeforeEach
  void open() {
    plane = new ControlPlane();
    container = plane.container("c1");
    disk =
        made(
            plane.volumes.create(
                new NewVolume(
                    container.id(),
                    VolumeType.DATA,
                    VolumeOrigin.HOST,
                    hourly(HOUR.multipliedBy(3)).asStorageProfile(),
                    GIB,
                    Map.of())));
    for (int i = 0; i < 2; i++) {
      plane.clock.advance(HOUR);
      plane.schedules.takeDue();
    }
    agreed(2, 2);
  }

  @AfterEach
  void close() {
    plane.target.close();
  }

  @Test
  void anotherPolicyKeepsThemForAsLongAsItSays() {
    plane.policies.apply(disk, hourly(HOUR).asStorageProfile());
    agreed(2, 2);
    assertThat(plane.schedules.deleteExpired()).isEqualTo(1);

    plane.policies.apply(disk, hourly(null).asStorageProfile());
    agreed(1, 0);
    plane.clock.advance(Duration.ofDays(9));
    assertThat(plane.schedules.deleteExpired()).isZero();

    plane.policies.apply(disk, hourly(HOUR).asStorageProfile());
    agreed(1, 1);
    assertThat(plane.schedules.deleteExpired()).isEqualTo(1);
  }

  @Test
  void deletingThatIsSwitchedOffKeepsThemUntilItIsOn() {
    plane.schedules.enable(disk, true, false);
    agreed(2, 0);
    plane.clock.advance(Duration.ofDays(1));
    assertThat(plane.schedules.deleteExpired()).isZero();

    plane.schedules.enable(disk, true, true);
    agreed(2, 2);
    assertThat(plane.schedules.deleteExpired()).isEqualTo(2);
  }

  @Test
  void withoutAScheduleTheyGoByWhatTheyWereTakenWith() {
    OfferedProfile none =
        plane.profiles.create(new ProfileDraft("none", "", Requirements.NONE, Set.of()), "admin");
    plane.policies.apply(disk, hourly(Duration.ofDays(9)).asStorageProfile());
    agreed(2, 2);

    plane.policies.apply(disk, none.asStorageProfile());
    agreed(2, 2);
    plane.clock.advance(Duration.ofHours(2));
    assertThat(plane.schedules.deleteExpired()).isEqualTo(1);
    plane.volumes.delete(disk);
    agreed(1, 1);
  }

  @Test
  void theyAreKeptLikewiseWhenTheDatabaseIsLost() {
    plane.clock.advance(HOUR);
    plane = plane.withoutItsDatabase();
    plane.reconciliation.atStart();
    agreed(2, 2);

    plane.clock.advance(Duration.ofHours(1));
    assertThat(plane.schedules.deleteExpired()).isEqualTo(1);
  }

  private OfferedProfile hourly(@Nullable Duration retention) {
    return plane.profiles.create(
        new ProfileDraft(
            "p" + UUID.randomUUID(), "", new Requirements(null, HOUR, retention), Set.of()),
        "admin");
  }

  /// All rows say what the rules do, and so many have a time.
  private void agreed(int snapshots, int withATime) {
    assertThat(plane.jdbc.sql(WRONG).query(Integer.class).single()).isZero();
    assertThat(number("origin = 'SCHEDULE'")).isEqualTo(snapshots);
    assertThat(number("kept_until is not null")).isEqualTo(withATime);
  }

  private int number(String condition) {
    return plane
        .jdbc
        .sql("select count(*) from volume where " + condition)
        .query(Integer.class)
        .single();
  }
}
