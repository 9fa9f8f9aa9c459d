package io.coppice.cli.noun;

import static io.coppice.cli.noun.Views.MAX_BANDWIDTH;
import static io.coppice.cli.noun.Views.MAX_IOPS;
import static io.coppice.cli.noun.Views.WEIGHT;

import io.coppice.api.volume.Named;
import io.coppice.api.volume.NewPlainVolume;
import io.coppice.api.volume.Vm;
import io.coppice.api.volume.VolumeChange;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.output.Column;
import io.coppice.cli.timeline.TimelineVerbs;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Kind;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.Verb;
import io.coppice.cli.verb.View;

/// Volumes, vVols and virtual machines.
final class VolumeNouns {

  private static final View<Vm> VMS =
      View.of(
          Vm.class,
          Vm::id,
          Column.of("NAME", Vm::name),
          Column.number("VVOLS", vm -> vm.vvols().size()),
          Column.size("PROVISIONED", Vm::provisioned),
          Column.size("USED", Vm::used),
          Column.of("ID", Vm::id),
          Column.<Vm>of("CONTAINER", Vm::container).onlyWide());

  private static final Argument VOLUME = Argument.of(Kind.VOLUME, "id");
  private static final Argument VVOL = Argument.of(Kind.VVOL, "id");
  private static final Argument VM = Argument.of(Kind.VM, "id");
  private static final Argument NAME = Argument.text("NAME", "its name");

  private static final Flag WINDOW =
      Flag.filter("window", "DURATION", "how far back, such as PT5M (the last 15 s by default)");

  private static final Flag POLICY = Flag.of("--policy", Kind.POLICY, "its policy");

  private static final Flag OF_POLICY =
      Flag.filter("policy", Kind.POLICY, "those with a policy, whatever its edition");

  private VolumeNouns() {}

  /// The name and labels of a snapshot or clone.
  static Named named(Inputs in) {
    return new Named(in.need("NAME"), LabelFlags.set(in));
  }

  /// @throws CommandFailedException if it has neither a source nor all that the source would tell
  private static NewPlainVolume created(Inputs in) {
    if (in.text("--source") == null) {
      in.need("--size");
      in.need("--container");
    }
    return cloned("--source", Kind.VVOL, in);
  }

  private static NewPlainVolume cloned(String source, Kind kind, Inputs in) {
    return new NewPlainVolume(
        in.need("NAME"),
        in.uuid(source, kind),
        in.size("--size"),
        in.uuid("--container", Kind.CONTAINER),
        in.uuid("--policy", Kind.POLICY),
        LabelFlags.set(in));
  }

  static Noun volume() {
    return Noun.of(
        "volume",
        "plain volumes, for exports",
        create(),
        RestVerb.of("list", "GET /volumes", "lists volumes")
            .with(
                Flag.filter("container", Kind.CONTAINER, "those of a container"),
                Flag.filter("name", "NAME", "those of a name"),
                OF_POLICY,
                LabelFlags.FILTER)
            .sortedBy("created", "name", "size")
            .list(Views.VOLUMES),
        RestVerb.of("show", "GET /volumes/{id}", "shows all fields of a volume")
            .on(VOLUME)
            .tagged()
            .sheet(Views.VOLUMES),
        RestVerb.of("diagnose", "GET /volumes/{id}/diagnosis", "tells why it is slow")
            .on(VOLUME)
            .with(WINDOW)
            .sheet(Views.DIAGNOSES),
        RestVerb.of(
                "watch", "GET /volumes/{id}/watch", "tells whether its writes look like encryption")
            .on(VOLUME)
            .sheet(Views.WATCHES),
        RestVerb.of("space", "GET /vvols/{id}/space", "shows what a volume holds alone")
            .on(VOLUME)
            .document(),
        RestVerb.of("grow", "PATCH /volumes/{id}", "makes a volume larger, also while exported")
            .on(VOLUME, Argument.text("SIZE", "its new size, such as 20GiB"))
            .guarded()
            .body(in -> new VolumeChange(in.size("SIZE"), null, null, null))
            .row(Views.VOLUMES),
        RestVerb.of("rename", "PATCH /volumes/{id}", "gives a volume another name")
            .on(VOLUME, Argument.text("NAME", "its new name"))
            .guarded()
            .body(in -> new VolumeChange(null, in.need("NAME"), null, null))
            .row(Views.VOLUMES),
        update(),
        TimelineVerbs.either(
            copy(), TimelineVerbs.cloneOf(Kind.VOLUME, LabelFlags.SET, LabelFlags::set)),
        TimelineVerbs.timeline(Kind.VOLUME, "/volumes/{id}/timeline"),
        TimelineVerbs.revert(Kind.VOLUME, "POST /volumes/{id}/revert"),
        RestVerb.of("snapshot", "POST /vvols/{id}/snapshots", "takes a snapshot (job)")
            .on(VOLUME, NAME)
            .with(LabelFlags.SET)
            .body(VolumeNouns::named)
            .job(),
        RestVerb.of("snapshots", "GET /vvols/{id}/snapshots", "lists snapshots of a volume")
            .on(VOLUME)
            .with(Flag.filter("name", "NAME", "those of a name"))
            .sortedBy("created", "name", "size")
            .list(Views.SNAPSHOTS),
        RestVerb.of("limits", "GET /vvols/{id}/limits", "shows limits")
            .on(VOLUME)
            .tagged()
            .document(),
        RestVerb.of("set-limits", "PUT /vvols/{id}/limits", Views.LIMITS)
            .on(VOLUME)
            .guarded()
            .with(MAX_IOPS, MAX_BANDWIDTH, WEIGHT)
            .wholeBody(Views::vvolLimits)
            .document(),
        delete());
  }

  private static Verb delete() {
    return RestVerb.of("delete", "DELETE /volumes/{id}", "deletes a volume, into the recycle bin")
        .on(VOLUME)
        .guarded()
        .with(
            Flag.on("--purge", "for good, past the recycle bin").asQuery("purge"),
            Flag.on("--unexport", "with its export, which a restore makes again")
                .asQuery("unexport"))
        .done("volume {VOLUME} is deleted");
  }

  private static Verb create() {
    return RestVerb.of("create", "POST /volumes", "makes a volume")
        .on(Argument.text("NAME", "its name, once in its container"))
        .with(
            Flag.of(
                "--source",
                Kind.VVOL,
                "volume or vVol whose content it gets, without a copy; or the id of a snapshot"),
            Flag.of(
                "--size",
                "SIZE",
                "such as 10GiB or 528KiB, in steps of 4 KiB (that of its source)"),
            Flag.of("--container", Kind.CONTAINER, "where it is stored (that of its source)"),
            POLICY,
            LabelFlags.SET)
        .body(VolumeNouns::created)
        .row(Views.VOLUMES);
  }

  private static Verb update() {
    return RestVerb.of("update", "PATCH /volumes/{id}", "changes a volume, also while exported")
        .on(VOLUME)
        .guarded()
        .with(
            Flag.of("--size", "SIZE", "its new size, such as 20GiB"),
            Flag.of("--name", "NAME", "its new name"),
            POLICY,
            LabelFlags.SET,
            LabelFlags.REMOVE)
        .body(
            in ->
                new VolumeChange(
                    in.size("--size"),
                    in.text("--name"),
                    in.uuid("--policy", Kind.POLICY),
                    LabelFlags.change(in)))
        .row(Views.VOLUMES);
  }

  private static Verb copy() {
    return RestVerb.of(
            "clone", "POST /volumes", "makes a volume with the same content, without a copy")
        .on(
            Argument.of(Kind.VOLUME, "id"),
            Argument.text("NAME", "its name, once in its container"))
        .with(
            Flag.of("--size", "SIZE", "a larger size"),
            Flag.of("--container", Kind.CONTAINER, "another container"),
            POLICY,
            LabelFlags.SET)
        .body(in -> cloned("VOLUME", Kind.VOLUME, in))
        .row(Views.VOLUMES);
  }

  static Noun vvol() {
    return Noun.of(
        "vvol",
        "virtual volumes, as vCenter and hosts make them",
        RestVerb.of("list", "GET /vvols", "lists vVols, plain volumes among them")
            .with(
                Flag.filter("container", Kind.CONTAINER, "those of a container"),
                Flag.filter("vm", Kind.VM, "those of a virtual machine"),
                Flag.filter("name", "NAME", "those of a name"),
                OF_POLICY,
                Flag.filter("type", "TYPE", "Config, Data, Swap, Memory or Other"),
                Flag.filter("compliance", "STATE", "compliant, nonCompliant or unknown"))
            .sortedBy("created", "name", "size")
            .list(Views.VVOLS),
        RestVerb.of("show", "GET /vvols/{id}", "shows all fields of a vVol")
            .on(VVOL)
            .sheet(Views.VVOLS),
        RestVerb.of("diagnose", "GET /volumes/{id}/diagnosis", "tells why it is slow")
            .on(VVOL)
            .with(WINDOW)
            .sheet(Views.DIAGNOSES),
        RestVerb.of(
                "watch", "GET /volumes/{id}/watch", "tells whether its writes look like encryption")
            .on(VVOL)
            .sheet(Views.WATCHES),
        RestVerb.of("space", "GET /vvols/{id}/space", "shows what a vVol holds alone")
            .on(VVOL)
            .document(),
        RestVerb.of("snapshot", "POST /vvols/{id}/snapshots", "takes a snapshot (job)")
            .on(VVOL, NAME)
            .with(LabelFlags.SET)
            .body(VolumeNouns::named)
            .job(),
        RestVerb.of("snapshots", "GET /vvols/{id}/snapshots", "lists snapshots of a vVol")
            .on(VVOL)
            .with(Flag.filter("name", "NAME", "those of a name"))
            .sortedBy("created", "name", "size")
            .list(Views.SNAPSHOTS),
        TimelineVerbs.timeline(Kind.VVOL, "/volumes/{id}/timeline"),
        TimelineVerbs.revert(Kind.VVOL, "POST /volumes/{id}/revert"),
        TimelineVerbs.cloneOf(Kind.VVOL, LabelFlags.SET, LabelFlags::set),
        RestVerb.of("limits", "GET /vvols/{id}/limits", "shows limits")
            .on(VVOL)
            .tagged()
            .document(),
        RestVerb.of("set-limits", "PUT /vvols/{id}/limits", Views.LIMITS)
            .on(VVOL)
            .guarded()
            .with(MAX_IOPS, MAX_BANDWIDTH, WEIGHT)
            .wholeBody(Views::vvolLimits)
            .document());
  }

  static Noun vm() {
    return Noun.of(
        "vm",
        "virtual machines",
        RestVerb.of("list", "GET /vms", "lists virtual machines")
            .with(
                Flag.filter("container", Kind.CONTAINER, "those of a container"),
                Flag.filter("name", "NAME", "those of a name"))
            .sortedBy("id", "name", "provisioned")
            .list(VMS),
        RestVerb.of("show", "GET /vms/{id}", "shows all fields of a virtual machine")
            .on(VM)
            .sheet(VMS),
        RestVerb.of("diagnose", "GET /vms/{id}/diagnosis", "tells why it is slow")
            .on(VM)
            .with(WINDOW)
            .sheet(Views.DIAGNOSES),
        RestVerb.of(
                "snapshot",
                "POST /vms/{id}/snapshots",
                "takes a snapshot of all its disks at one point in time (job)")
            .on(VM, NAME)
            .with(LabelFlags.SET)
            .body(VolumeNouns::named)
            .job(),
        RestVerb.of("snapshots", "GET /vms/{id}/snapshots", "lists its snapshots")
            .on(VM)
            .with(Flag.filter("name", "NAME", "those of a name"))
            .sortedBy("created", "name", "size")
            .list(Views.SNAPSHOTS),
        TimelineVerbs.timeline(Kind.VM, "/vms/{id}/timeline"),
        TimelineVerbs.revertMachine(),
        TimelineVerbs.cloneMachine(LabelFlags.SET, LabelFlags::set),
        RestVerb.of("limits", "GET /vms/{id}/limits", "shows limits").on(VM).tagged().document(),
        RestVerb.of("set-limits", "PUT /vms/{id}/limits", Views.LIMITS)
            .on(VM)
            .guarded()
            .with(MAX_IOPS, MAX_BANDWIDTH)
            .wholeBody(Views::vmLimits)
            .document());
  }
}
