package io.coppice.cli.timeline;

import io.coppice.api.timeline.MachineRevert;
import io.coppice.api.timeline.MomentClone;
import io.coppice.api.timeline.MomentRevert;
import io.coppice.api.timeline.TimelineMoment;
import io.coppice.api.timeline.TimelineTier;
import io.coppice.api.timeline.TimelineView;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.output.ByteSize;
import io.coppice.cli.output.Column;
import io.coppice.cli.output.Notation;
import io.coppice.cli.output.OutputFormat;
import io.coppice.cli.rest.RestCall;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Common;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Kind;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.Verb;
import io.coppice.cli.verb.View;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The verbs for timelines of volumes, vVols and virtual machines.
public final class TimelineVerbs {

  private static final String OPTION = "--moment";
  private static final int NEWEST = 50;

  private static final Flag MOMENT =
      Flag.of(
          OPTION,
          "MOMENT",
          "when: 14:32:05 (the last one), 2026-11-27T14:32:05 (local) or with an offset");

  private static final Argument NAME = Argument.text("NAME", "its name, once in its container");

  // As text: a table would show whole seconds, which are another moment.
  private static final View<TimelineMoment> MOMENTS =
      View.of(
          TimelineMoment.class,
          TimelineMoment::moment,
          Column.of("MOMENT", one -> one.moment().toString()),
          Column.of("LOCAL", one -> one.moment().atZone(ZoneId.systemDefault()).toLocalDateTime()));

  private TimelineVerbs() {}

  /// The verb that lists moments.
  ///
  /// @param path of the API, such as `/volumes/{id}/timeline`
  public static Verb timeline(Kind kind, String path) {
    List<Flag> flags =
        new ArrayList<>(
            List.of(
                Flag.of("--from", "MOMENT", "from this moment on"),
                Flag.of("--to", "MOMENT", "up to this moment"),
                Flag.of("--order", "ORDER", "newest (usual) or oldest first")
                    .choosing(List.of("newest", "oldest"))));
    flags.addAll(Common.OF_LISTS);
    return new Verb(
        "timeline",
        "lists the moments it can go back to, the newest first (50 by default)",
        List.of(Argument.of(kind, "id")),
        flags,
        List.of("GET " + path),
        (inputs, session) -> show(call(kind, path, inputs), session));
  }

  private static RestCall call(Kind kind, String path, Inputs in) {
    String id = Objects.requireNonNull(in.id(kind.name(), kind));
    RestCall call = RestCall.get(path.replace("{id}", RestCall.segment(id)));
    for (String name : List.of("from", "to")) {
      Instant moment = TypedMoment.of(in, "--" + name);
      call = moment == null ? call : call.with(name, moment);
    }
    String order = in.text("--order");
    return order == null ? call : call.with("order", order);
  }

  private static void show(RestCall call, ClientSession session) {
    OutputFormat format = session.common().format();
    boolean forPeople = format == OutputFormat.TABLE || format == OutputFormat.WIDE;
    if (forPeople && !session.common().dryRun()) {
      session.say(
          sentence(
              Notation.as(session.connection().send(call.with("limit", 1)), TimelineView.class)));
    }
    session.list(call, NEWEST).ifPresent(list -> session.print(MOMENTS, list));
  }

  private static String sentence(TimelineView timeline) {
    String without =
        timeline.without().isEmpty()
            ? ""
            : "no protection policy with continuous points protects "
                + timeline.without().stream()
                    .map(Object::toString)
                    .collect(Collectors.joining(", "));
    if (timeline.tiers().isEmpty()) {
      return "no timeline: " + without;
    }
    String tiers =
        timeline.tiers().stream().map(TimelineVerbs::tier).collect(Collectors.joining(", "));
    String end =
        timeline.endsAt() == null
            ? ""
            : "; no policy protects it any more, and it ends " + timeline.endsAt();
    return "a point %s; back to %s; it keeps %s%s%s"
        .formatted(
            tiers,
            timeline.oldest(),
            ByteSize.text(timeline.kept()),
            end,
            without.isEmpty() ? "" : "; " + without);
  }

  private static String tier(TimelineTier tier) {
    String text = "each %s for %s".formatted(tier.every(), tier.keepFor());
    return tier.endsAt() == null
        ? text
        : text + " (the policy has it no more: up to %s)".formatted(tier.endsAt());
  }

  /// The verb that reverts to a moment.
  ///
  /// @param operation of the API, such as `POST /volumes/{id}/revert`
  public static Verb revert(Kind kind, String operation) {
    return RestVerb.of("revert", operation, "takes it back to a moment of its timeline (job)")
        .on(Argument.of(kind, "id"))
        .with(MOMENT.needed())
        .body(in -> new MomentRevert(TypedMoment.of(in, OPTION)))
        .job();
  }

  /// The verb that reverts a machine to a moment, or to a snapshot.
  public static Verb revertMachine() {
    Flag snapshot =
        Flag.of(
            "--snapshot",
            Kind.SNAPSHOT,
            "a snapshot of one of its disks; the others go back to those of the same moment");
    return RestVerb.of(
            "revert",
            "POST /vms/{id}/revert",
            "takes its disks back to a moment of its timeline or to a snapshot, all or none (job)")
        .on(Argument.of(Kind.VM, "id"))
        .with(MOMENT, snapshot)
        .body(in -> machineRevert(in, snapshot))
        .job();
  }

  private static MachineRevert machineRevert(Inputs in, Flag snapshot) {
    if (in.isOn(OPTION) == in.isOn(snapshot.name())) {
      throw CommandFailedException.usage(
          "expected %s or %s, got %s",
          OPTION, snapshot.name(), in.isOn(OPTION) ? "both" : "neither");
    }
    return new MachineRevert(TypedMoment.of(in, OPTION), in.uuid(snapshot.name(), Kind.SNAPSHOT));
  }

  /// The verb that makes a volume of what another one held at a moment.
  ///
  /// @param labels option with labels of the new one
  /// @param labelled reads them
  public static Verb cloneOf(
      Kind kind, Flag labels, Function<Inputs, @Nullable Map<String, @Nullable String>> labelled) {
    return RestVerb.of(
            "clone", "POST /volumes/{id}/clone", "makes a volume of what it held at a moment (job)")
        .on(Argument.of(kind, "id"), NAME)
        .with(MOMENT.needed(), labels)
        .body(in -> wanted(in, labelled))
        .job();
  }

  /// The verb that makes volumes of what the disks of a machine held at a moment.
  ///
  /// @param labels option with labels of the new ones
  /// @param labelled reads them
  public static Verb cloneMachine(
      Flag labels, Function<Inputs, @Nullable Map<String, @Nullable String>> labelled) {
    return RestVerb.of(
            "clone",
            "POST /vms/{id}/clone",
            "makes volumes NAME-1, NAME-2 and so on of what its disks held at a moment")
        .on(Argument.of(Kind.VM, "id"), Argument.text("NAME", "the beginning of their names"))
        .with(MOMENT.needed(), labels)
        .body(in -> wanted(in, labelled))
        .document();
  }

  private static MomentClone wanted(
      Inputs in, Function<Inputs, @Nullable Map<String, @Nullable String>> labelled) {
    return new MomentClone(TypedMoment.of(in, OPTION), in.need("NAME"), labelled.apply(in));
  }

  /// A verb that does something else if a moment is typed.
  ///
  /// @param usual what it does without one
  /// @param atMoment what it does with one; options of `usual` alone are refused then
  public static Verb either(Verb usual, Verb atMoment) {
    List<String> known = atMoment.flags().stream().map(Flag::name).toList();
    List<Flag> own = usual.flags().stream().filter(flag -> !known.contains(flag.name())).toList();
    return new Verb(
        usual.name(),
        usual.help(),
        usual.arguments(),
        Stream.concat(own.stream(), atMoment.flags().stream())
            .map(flag -> flag.name().equals(OPTION) ? MOMENT : flag)
            .toList(),
        Stream.concat(usual.calls().stream(), atMoment.calls().stream()).toList(),
        (inputs, session) -> {
          if (inputs.isOn(OPTION)) {
            own.forEach(flag -> requireAbsent(inputs, flag));
            atMoment.action().run(inputs, session);
          } else {
            usual.action().run(inputs, session);
          }
        });
  }

  private static void requireAbsent(Inputs inputs, Flag flag) {
    if (inputs.isOn(flag.name())) {
      throw CommandFailedException.usage("expected %s without %s, got both", OPTION, flag.name());
    }
  }
}
