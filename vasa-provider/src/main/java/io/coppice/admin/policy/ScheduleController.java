package io.coppice.admin.policy;

import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
import io.coppice.admin.field.IsoDurations;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.api.Page;
import io.coppice.api.Role;
import io.coppice.api.policy.Schedule;
import io.coppice.api.policy.ScheduleChange;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.volume.SnapshotSchedule;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.snapshot.SnapshotSchedules;
import java.util.Objects;
import java.util.UUID;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/// The snapshot schedules that policies ask for.
@RestController
final class ScheduleController {

  private static final Orders<SnapshotSchedule> ORDERS =
      Orders.<SnapshotSchedule>ofIds("vvol", SnapshotSchedule::volume)
          .text("vvol", SnapshotSchedule::volume)
          .number("interval", schedule -> schedule.interval().toSeconds())
          .time("next", SnapshotSchedule::next);

  private final SnapshotSchedules schedules;
  private final VirtualVolumes volumes;

  ScheduleController(SnapshotSchedules schedules, VirtualVolumes volumes) {
    this.schedules = schedules;
    this.volumes = volumes;
  }

  @GetMapping("/schedules")
  Page<Schedule> list(@ParameterObject @SortedBy({"vvol", "interval", "next"}) ListQuery query) {
    return query.page(
        new ListQuery.Rows<>(schedules::page, schedules::count, ORDERS),
        part -> part.stream().map(schedules::shown).map(ScheduleController::view).toList());
  }

  @GetMapping("/schedules/{vvol}")
  Edited<Schedule> get(@PathVariable UUID vvol) {
    return edited(schedules.require(new VolumeId(vvol)));
  }

  private static Edited<Schedule> edited(SnapshotSchedule schedule) {
    return Edited.of(view(schedule), edition(schedule));
  }

  private static Edition edition(SnapshotSchedule one) {
    return Edition.of(one.volume())
        .with("interval", one.interval())
        .with("retention", one.retention())
        .with("enabled", one.enabled())
        .with("retentionEnabled", one.retentionEnabled());
  }

  @PatchMapping("/schedules/{vvol}")
  @RequiredRole(Role.VM_ADMIN)
  Edited<Schedule> change(
      @PathVariable UUID vvol, @RequestBody ScheduleChange wanted, IfMatch ifMatch) {
    VolumeId volume = new VolumeId(vvol);
    return volumes.alone(volume, () -> edited(changed(volume, wanted, ifMatch)));
  }

  private SnapshotSchedule changed(VolumeId volume, ScheduleChange wanted, IfMatch ifMatch) {
    SnapshotSchedule now = schedules.require(volume);
    ifMatch.require(() -> edition(now));
    return schedules.enable(
        now.volume(),
        Objects.requireNonNullElse(wanted.enabled(), now.enabled()),
        Objects.requireNonNullElse(wanted.retentionEnabled(), now.retentionEnabled()));
  }

  private static Schedule view(SnapshotSchedule schedule) {
    return new Schedule(
        schedule.volume().value(),
        IsoDurations.text(schedule.interval()),
        IsoDurations.text(schedule.retention()),
        schedule.enabled(),
        schedule.retentionEnabled(),
        schedule.next(),
        schedule.last(),
        schedule.lastError());
  }
}
