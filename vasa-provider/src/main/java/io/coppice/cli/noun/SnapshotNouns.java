package io.coppice.cli.noun;

import io.coppice.api.policy.Schedule;
import io.coppice.api.policy.ScheduleChange;
import io.coppice.api.volume.NewGroup;
import io.coppice.cli.output.Column;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Kind;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.View;
import java.util.ArrayList;

/// Snapshots and their schedules.
final class SnapshotNouns {

  private static final View<Schedule> SCHEDULES =
      View.of(
          Schedule.class,
          Schedule::vvol,
          Column.of("VVOL", Schedule::vvol),
          Column.of("EVERY", Schedule::interval),
          Column.of("KEPT", Schedule::retention),
          Column.of("ENABLED", Schedule::enabled),
          Column.of("EXPIRES", Schedule::retentionEnabled),
          Column.of("NEXT", Schedule::next),
          Column.of("LAST ERROR", Schedule::lastError),
          Column.<Schedule>of("LAST", Schedule::last).onlyWide());

  private static final Argument SNAPSHOT = Argument.of(Kind.SNAPSHOT, "id");

  private SnapshotNouns() {}

  static Noun snapshot() {
    return Noun.of(
        "snapshot",
        "snapshots of volumes and vVols",
        RestVerb.of(
                "create",
                "POST /snapshot-groups",
                "takes snapshots of several volumes at one point in time, all or none (job)")
            .on(
                Argument.text("NAME", "name of each of them"),
                Argument.many("VVOL", "ids or names of vVols or volumes", Kind.VVOL))
            .with(LabelFlags.SET)
            .body(
                in ->
                    new NewGroup(
                        in.need("NAME"),
                        new ArrayList<>(in.uuids("VVOL", Kind.VVOL)),
                        LabelFlags.set(in)))
            .job(),
        RestVerb.of("list", "GET /snapshots", "lists snapshots")
            .with(
                Flag.filter("vvol", Kind.VVOL, "those of a vVol or volume"),
                Flag.filter("vm", Kind.VM, "those of a virtual machine"),
                Flag.filter("name", "NAME", "those of a name"),
                Flag.filter("group", "ID", "those of one point in time"),
                Flag.filter("kind", "KIND", "vasa, manual or scheduled"),
                LabelFlags.FILTER)
            .sortedBy("created", "name", "size")
            .list(Views.SNAPSHOTS),
        RestVerb.of("show", "GET /snapshots/{id}", "shows all fields of a snapshot")
            .on(SNAPSHOT)
            .tagged()
            .sheet(Views.SNAPSHOTS),
        RestVerb.of("space", "GET /snapshots/{id}/space", "shows what a snapshot holds alone")
            .on(SNAPSHOT)
            .document(),
        RestVerb.of("revert", "POST /snapshots/{id}/revert", "takes a volume back to it (job)")
            .on(SNAPSHOT)
            .job(),
        RestVerb.of("clone", "POST /snapshots/{id}/clone", "makes a volume from it (job)")
            .on(SNAPSHOT, Argument.text("NAME", "name of the new volume"))
            .with(LabelFlags.SET)
            .body(VolumeNouns::named)
            .job(),
        RestVerb.of(
                "lock",
                "POST /snapshots/{id}/lock",
                "locks it until a time, before which nobody can delete it, or lengthens its lock")
            .on(SNAPSHOT)
            .with(LockFlags.FOR, LockFlags.UNTIL)
            .body(LockFlags::lock)
            .row(Views.SNAPSHOTS),
        RestVerb.of("delete", "DELETE /snapshots/{id}", "deletes a snapshot, into the recycle bin")
            .on(SNAPSHOT)
            .guarded()
            .with(
                Flag.on("--force", "also one that vCenter manages").asQuery("force"),
                Flag.on("--purge", "for good, past the recycle bin").asQuery("purge"))
            .done("snapshot {SNAPSHOT} is deleted"));
  }

  static Noun schedule() {
    return Noun.of(
        "schedule",
        "scheduled snapshots, as policies ask for them",
        RestVerb.of("list", "GET /schedules", "lists schedules")
            .sortedBy("vvol", "interval", "next")
            .list(SCHEDULES),
        RestVerb.of("show", "GET /schedules/{vvol}", "shows all fields of a schedule")
            .on(Argument.of(Kind.VVOL, "vvol"))
            .tagged()
            .sheet(SCHEDULES),
        RestVerb.of("change", "PATCH /schedules/{vvol}", "switches a schedule on or off")
            .on(Argument.of(Kind.VVOL, "vvol"))
            .guarded()
            .with(
                Flag.of("--enabled", "on|off", "whether snapshots are taken"),
                Flag.of("--retention", "on|off", "whether old ones are deleted"))
            .body(in -> new ScheduleChange(in.onOff("--enabled"), in.onOff("--retention")))
            .row(SCHEDULES));
  }
}
