package io.coppice.cli.noun;

import io.coppice.api.protection.GroupMember;
import io.coppice.api.replication.FailOverOrder;
import io.coppice.api.replication.FailOverTest;
import io.coppice.api.replication.MadeReplica;
import io.coppice.api.replication.PointInTime;
import io.coppice.api.replication.ReplicaTier;
import io.coppice.api.replication.ReplicationGroupDraft;
import io.coppice.api.replication.ReplicationGroupView;
import io.coppice.api.replication.WantedReplica;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.line.TierLine;
import io.coppice.cli.output.Column;
import io.coppice.cli.output.TimeSpan;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Kind;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.Verb;
import io.coppice.cli.verb.View;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The noun of what goes to another pool, and what came from one.
final class ReplicationGroupNoun {

  private static final View<ReplicationGroupView> GROUPS =
      View.of(
          ReplicationGroupView.class,
          ReplicationGroupView::id,
          Column.of("NAME", ReplicationGroupView::name),
          Column.of("STATE", ReplicationGroupView::state),
          Column.of("PEER", ReplicationGroupView::peer),
          Column.of("EVERY", one -> TimeSpan.text(one.interval())),
          Column.of("LAG", one -> TimeSpan.text(one.lag())),
          Column.of("RPO", one -> TimeSpan.text(one.rpo())),
          Column.of("NEWEST", ReplicationGroupView::newest),
          Column.of("LAST ERROR", one -> one.cycles() == null ? null : one.cycles().error()),
          Column.of("ID", ReplicationGroupView::id),
          Column.<ReplicationGroupView>of("LAG IS", ReplicationGroupView::lagState).onlyWide(),
          Column.<ReplicationGroupView>of("SINCE", ReplicationGroupView::since).onlyWide(),
          Column.<ReplicationGroupView>of("SETTLED", ReplicationGroupView::settled).onlyWide(),
          Column.<ReplicationGroupView>of("PAUSED", ReplicationGroupView::paused).onlyWide(),
          Column.<ReplicationGroupView>of("KEEP", one -> TierLine.kept(one.keep())).onlyWide(),
          Column.<ReplicationGroupView>number("MEMBERS", one -> one.members().size()).onlyWide(),
          Column.<ReplicationGroupView>of("CONTAINER", ReplicationGroupView::container).onlyWide(),
          Column.<ReplicationGroupView>of("REPLICA", ReplicationGroupView::replica).onlyWide(),
          Column.<ReplicationGroupView>number("VOLUMES", one -> one.volumes().size()).onlyWide(),
          Column.<ReplicationGroupView>of(
                  "TOOK", one -> one.cycles() == null ? null : TimeSpan.text(one.cycles().took()))
              .onlyWide(),
          Column.<ReplicationGroupView>number(
                  "FAILED", one -> one.cycles() == null ? null : one.cycles().failed())
              .onlyWide(),
          Column.<ReplicationGroupView>size(
                  "OVER LINK", one -> one.cycles() == null ? null : one.cycles().linkBytes())
              .onlyWide());

  private static final View<PointInTime> REPLICAS =
      View.of(
          PointInTime.class,
          PointInTime::id,
          Column.number("NUMBER", PointInTime::number),
          Column.of("TAKEN", PointInTime::taken),
          Column.of("NAME", PointInTime::name),
          Column.of("TAGS", PointInTime::tags),
          Column.number("VOLUMES", PointInTime::members),
          Column.size("SIZE", PointInTime::size),
          Column.of("ID", PointInTime::id));

  private static final View<MadeReplica> MADE =
      View.of(MadeReplica.class, MadeReplica::replica, Column.of("REPLICA", MadeReplica::replica));

  private static final String ALL = "/replication/groups";
  private static final String ONE = ALL + "/{id}";

  private static final Argument GROUP = Argument.of(Kind.REPLICATION_GROUP, "id");

  private static final Flag VM =
      Flag.of("--vm", Kind.VM, "a virtual machine in it; repeatable").repeated();
  private static final Flag VOLUME =
      Flag.of("--volume", Kind.VVOL, "a volume or vVol in it; repeatable").repeated();
  private static final Flag RPO =
      Flag.of(
          "--rpo",
          "TIME",
          "how old the newest replica may be, such as 1m (twice --every, 15s at least; 0s for that)");
  private static final Flag KEEP =
      Flag.of(
              "--keep",
              "TIERS",
              "replicas at the target, such as '%s', or none but the newest; repeatable"
                  .formatted(TierLine.EXAMPLE))
          .repeated();
  private static final Flag CONTAINER =
      Flag.of("--container", "NAME", "id or name of a container at the target (its first one)");
  private static final Flag REPLICA = Flag.of("--replica", "ID", "a replica (the newest one)");
  private static final Flag CHECK = Flag.on("--check", "only says if it could be done");

  private ReplicationGroupNoun() {}

  static Noun noun() {
    return Noun.of(
        "replication-group",
        "what goes to another pool as of one moment, and what came from one",
        create(),
        RestVerb.of("list", "GET " + ALL, "lists groups, at either end")
            .with(
                Flag.filter("name", "NAME", "those of a name"),
                Flag.filter("peer", Kind.PEER, "those with a peer"))
            .sortedBy("name", "since")
            .list(GROUPS),
        RestVerb.of("show", "GET " + ONE, "shows all fields of a group")
            .on(GROUP)
            .tagged()
            .sheet(GROUPS),
        change(),
        RestVerb.of("remove", "DELETE " + ONE, "ends the replication of a group at this end")
            .on(GROUP)
            .guarded()
            .done("replication group {REPLICATION_GROUP} is removed"),
        RestVerb.of("replicas", "GET " + ONE + "/replicas", "lists replicas, the newest first")
            .on(GROUP)
            .with(Flag.filter("name", "NAME", "those of a name"))
            .sortedBy("number", "taken", "name")
            .list(REPLICAS),
        sync(),
        role("prepare", "takes the volumes out of use for a planned fail-over, at the source")
            .row(GROUPS),
        role("fail-over", "makes a replica the running volumes, at the target")
            .with(REPLICA, Flag.on("--planned", "only if the source has prepared it"), CHECK)
            .body(ReplicationGroupNoun::order)
            .row(GROUPS),
        role("test", "shows a replica as volumes for a test, at the target")
            .with(REPLICA, CHECK)
            .body(ReplicationGroupNoun::test)
            .row(GROUPS),
        RestVerb.of("end-test", "DELETE " + ONE + "/test", "ends a test, and deletes its volumes")
            .on(GROUP)
            .row(GROUPS),
        role("promote", "makes the volumes of a test the running ones").row(GROUPS),
        role("reverse", "makes this end the source, and the other one the target").row(GROUPS));
  }

  private static Verb create() {
    return RestVerb.of("create", "POST " + ALL, "replicates machines and volumes to a peer")
        .on(Argument.text("NAME", "its name"))
        .with(
            Flag.of("--peer", Kind.PEER, "the pool that gets them").needed(),
            Flag.of("--every", "TIME", "from one cycle to the next, such as 15s").needed(),
            RPO,
            VM,
            VOLUME,
            KEEP,
            CONTAINER,
            Flag.on("--paused", "no cycle begins by itself"))
        .body(in -> draft(in.need("NAME"), on("--paused", in), in))
        .row(GROUPS);
  }

  private static Verb change() {
    return RestVerb.of(
            "change",
            "PATCH " + ONE,
            "changes what is given; --vm and --volume replace all members, --keep all tiers")
        .on(GROUP)
        .with(
            Flag.of("--name", "NAME", "a new name"),
            Flag.of("--peer", Kind.PEER, "another pool"),
            Flag.of("--every", "TIME", "from one cycle to the next, such as 15s"),
            RPO,
            VM,
            VOLUME,
            KEEP,
            CONTAINER,
            Flag.of("--paused", "yes|no", "whether no cycle begins by itself")
                .choosing(List.of("yes", "no")))
        .guarded()
        .body(in -> draft(in.text("--name"), paused(in), in))
        .row(GROUPS);
  }

  private static Verb sync() {
    return RestVerb.of(
            "sync", "POST " + ONE + "/synchronize", "runs a cycle now, and waits for its replica")
        .on(GROUP)
        .with(
            Flag.of("--name", "NAME", "name of the replica"),
            Flag.of("--tag", "TAG", "tag of the replica; repeatable").repeated())
        .body(ReplicationGroupNoun::wanted)
        .row(MADE);
  }

  /// A change of roles, at the path of its name.
  private static RestVerb role(String name, String help) {
    return RestVerb.of(name, "POST %s/%s".formatted(ONE, name), help).on(GROUP);
  }

  private static ReplicationGroupDraft draft(
      @Nullable String name, @Nullable Boolean paused, Inputs in) {
    List<GroupMember> members = new ArrayList<>();
    for (String machine : in.ids("--vm", List.of(Kind.VM))) {
      members.add(new GroupMember(machine, null));
    }
    for (UUID volume : in.uuids("--volume", Kind.VVOL)) {
      members.add(new GroupMember(null, volume));
    }
    return new ReplicationGroupDraft(
        name,
        in.uuid("--peer", Kind.PEER),
        in.time("--every"),
        in.time("--rpo"),
        keep(in),
        members.isEmpty() ? null : members,
        in.text("--container"),
        paused);
  }

  /// The tiers that are given, which `none` makes none; null if nothing is.
  private static @Nullable List<ReplicaTier> keep(Inputs in) {
    List<String> lines = in.texts("--keep");
    return lines.isEmpty()
        ? null
        : lines.stream().flatMap(line -> TierLine.keep(line).stream()).toList();
  }

  /// @throws CommandFailedException if it is neither `yes` nor `no`
  private static @Nullable Boolean paused(Inputs in) {
    String text = in.text("--paused");
    if (text == null) {
      return null;
    }
    if (!text.equals("yes") && !text.equals("no")) {
      throw CommandFailedException.usage("expected --paused yes or no, got '%s'", text);
    }
    return text.equals("yes");
  }

  private static @Nullable WantedReplica wanted(Inputs in) {
    String name = in.text("--name");
    List<String> tags = in.texts("--tag");
    return name == null && tags.isEmpty()
        ? null
        : new WantedReplica(name, tags.isEmpty() ? null : tags);
  }

  private static @Nullable FailOverOrder order(Inputs in) {
    FailOverOrder order = new FailOverOrder(replica(in), on("--planned", in), on("--check", in));
    return order.equals(new FailOverOrder(null, null, null)) ? null : order;
  }

  private static @Nullable FailOverTest test(Inputs in) {
    FailOverTest test = new FailOverTest(replica(in), on("--check", in));
    return test.equals(new FailOverTest(null, null)) ? null : test;
  }

  private static @Nullable Boolean on(String flag, Inputs in) {
    return in.isOn(flag) ? true : null;
  }

  /// @throws CommandFailedException if it is no id
  private static @Nullable UUID replica(Inputs in) {
    String text = in.text("--replica");
    try {
      return text == null ? null : UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw CommandFailedException.usage("expected --replica as an id, got '%s'", text);
    }
  }
}
