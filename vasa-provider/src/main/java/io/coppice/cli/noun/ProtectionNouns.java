package io.coppice.cli.noun;

import io.coppice.api.protection.ContinuousTier;
import io.coppice.api.protection.GroupMember;
import io.coppice.api.protection.NewPoint;
import io.coppice.api.protection.PointRule;
import io.coppice.api.protection.PolicyWatch;
import io.coppice.api.protection.ProtectionGroupDraft;
import io.coppice.api.protection.ProtectionGroupView;
import io.coppice.api.protection.ProtectionPolicyDraft;
import io.coppice.api.protection.ProtectionPolicyView;
import io.coppice.api.protection.RecoveryPointView;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.line.RuleLine;
import io.coppice.cli.line.TierLine;
import io.coppice.cli.output.Column;
import io.coppice.cli.output.Notation;
import io.coppice.cli.output.TimeSpan;
import io.coppice.cli.rest.RestCall;
import io.coppice.cli.rest.Tagged;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Kind;
import io.coppice.cli.verb.NamedObject;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.Verb;
import io.coppice.cli.verb.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Protection policies, the groups that they protect, and recovery points.
final class ProtectionNouns {

  private static final View<ProtectionPolicyView> POLICIES =
      View.of(
          ProtectionPolicyView.class,
          ProtectionPolicyView::id,
          Column.of("NAME", ProtectionPolicyView::name),
          Column.of("RULES", one -> one.rules().stream().map(RuleLine::of).toList()),
          Column.of("CONTINUOUS", one -> TierLine.of(one.continuous())),
          Column.of("ID", ProtectionPolicyView::id),
          Column.<ProtectionPolicyView>of("WATCH ALERT", one -> one.watch().alert()).onlyWide(),
          Column.<ProtectionPolicyView>of("WATCH LOCK", one -> one.watch().lockSnapshotFor())
              .onlyWide(),
          Column.<ProtectionPolicyView>number("GENERATION", ProtectionPolicyView::generation)
              .onlyWide(),
          Column.<ProtectionPolicyView>of("DESCRIPTION", ProtectionPolicyView::description)
              .onlyWide(),
          Column.<ProtectionPolicyView>of("AUTHOR", ProtectionPolicyView::author).onlyWide(),
          Column.<ProtectionPolicyView>of("CREATED", ProtectionPolicyView::created).onlyWide());

  private static final View<ProtectionGroupView> GROUPS =
      View.of(
          ProtectionGroupView.class,
          ProtectionGroupView::id,
          Column.of("NAME", ProtectionGroupView::name),
          Column.of("POLICY", ProtectionGroupView::policy),
          Column.number("MEMBERS", one -> one.members().size()),
          Column.of("NEXT", ProtectionGroupView::next),
          Column.of("LAST", ProtectionGroupView::last),
          Column.of("LAST ERROR", ProtectionGroupView::lastError),
          Column.<ProtectionGroupView>number("NOT CONTINUOUS", one -> one.notContinuous().size())
              .onlyWide(),
          Column.of("ID", ProtectionGroupView::id));

  private static final View<RecoveryPointView> POINTS =
      View.of(
          RecoveryPointView.class,
          RecoveryPointView::id,
          Column.of("NAME", RecoveryPointView::name),
          Column.of("TAKEN", RecoveryPointView::taken),
          Column.of("RULES", RecoveryPointView::rules),
          Column.number("SNAPSHOTS", one -> one.snapshots().size()),
          Column.of("LOCKED UNTIL", RecoveryPointView::lockedUntil),
          Column.of("ID", RecoveryPointView::id),
          Column.<RecoveryPointView>of("GROUP", RecoveryPointView::group).onlyWide());

  private static final String PATH = "/protection-policies";

  private static final Argument POLICY = Argument.of(Kind.PROTECTION_POLICY, "id");
  private static final Argument GROUP = Argument.of(Kind.PROTECTION_GROUP, "id");
  private static final Argument POINT = Argument.path("POINT", "id", "its id");

  private static final Flag RULE =
      Flag.of("--rule", "RULE", "such as '" + RuleLine.EXAMPLE + "'; repeatable").repeated();
  private static final Flag CONTINUOUS =
      Flag.of(
          "--continuous",
          "TIERS",
          "points without snapshots, such as '" + TierLine.EXAMPLE + "', or none");
  private static final Flag DESCRIPTION = Flag.of("--description", "TEXT", "a text for people");
  private static final Flag WATCH_ALERT =
      Flag.of("--watch-alert", "yes|no", "whether a suspicion of the ransomware watch is an alert")
          .choosing(List.of("yes", "no"));
  private static final Flag WATCH_LOCK =
      Flag.of(
          "--watch-lock",
          "TIME",
          "how long the recovery point of a suspicion is locked, such as 48h, or none");
  private static final Flag NAME = Flag.of("--name", "NAME", "a new name");
  private static final Flag VM =
      Flag.of("--vm", Kind.VM, "a virtual machine in it; repeatable").repeated();
  private static final Flag VOLUME =
      Flag.of("--volume", Kind.VVOL, "a volume or vVol in it; repeatable").repeated();

  private ProtectionNouns() {}

  static Noun policy() {
    return Noun.of(
        "protection-policy",
        "policies of recovery points: when they are taken, and how long they are kept",
        new Verb(
            "apply",
            "makes the policy of a file, or changes the one of its name",
            List.of(),
            List.of(
                Flag.of("--file", "FILE", "fields of a policy in YAML or JSON; - is the input")
                    .needed()),
            NamedObject.operations(PATH),
            ProtectionNouns::apply),
        RestVerb.of(
                "preview",
                "POST /protection-policies/{id}/preview",
                "tells what the policy of a file would do to the groups; nothing changes")
            .on(POLICY)
            .with(
                Flag.of("--file", "FILE", "fields of a policy in YAML or JSON; - is the input")
                    .needed())
            .body(in -> draft(in.need("--file"), in.file("--file")))
            .document(),
        RestVerb.of("create", "POST /protection-policies", "makes a policy")
            .on(Argument.text("NAME", "its name"))
            .with(RULE, CONTINUOUS, DESCRIPTION, WATCH_ALERT, WATCH_LOCK)
            .body(ProtectionNouns::made)
            .row(POLICIES),
        RestVerb.of("list", "GET /protection-policies", "lists policies")
            .with(Flag.filter("name", "NAME", "those of a name"))
            .sortedBy("name", "created")
            .list(POLICIES),
        RestVerb.of("show", "GET /protection-policies/{id}", "shows all fields of a policy")
            .on(POLICY)
            .tagged()
            .sheet(POLICIES),
        new Verb(
            "change",
            "changes what is given; --rule replaces all rules",
            List.of(POLICY),
            List.of(NAME, DESCRIPTION, RULE, CONTINUOUS, WATCH_ALERT, WATCH_LOCK),
            List.of("PUT /protection-policies/{id}", "GET /protection-policies/{id}"),
            ProtectionNouns::change),
        RestVerb.of("delete", "DELETE /protection-policies/{id}", "deletes a policy")
            .on(POLICY)
            .guarded()
            .done("protection policy {PROTECTION_POLICY} is deleted"));
  }

  private static ProtectionPolicyDraft made(Inputs in) {
    List<PointRule> rules = rules(in);
    List<ContinuousTier> tiers = tiers(in, List.of());
    if (rules.isEmpty() && tiers.isEmpty()) {
      throw CommandFailedException.usage("expected --rule or --continuous, got neither");
    }
    return new ProtectionPolicyDraft(
        in.need("NAME"), in.text("--description"), null, rules, tiers, watch(in, null));
  }

  private static void apply(Inputs in, ClientSession session) {
    ProtectionPolicyDraft wanted = draft(in.need("--file"), in.file("--file"));
    NamedObject policy =
        new NamedObject(
            PATH,
            "protection policy",
            String.valueOf(wanted.name()),
            now ->
                new ProtectionPolicyDraft(
                    wanted.name(),
                    wanted.description(),
                    Objects.requireNonNullElse(wanted.generation(), now),
                    wanted.rules(),
                    wanted.continuous(),
                    wanted.watch()));
    session
        .change(policy.call(session, wanted))
        .ifPresent(answer -> session.printRow(POLICIES, answer));
  }

  /// The policy of a file. A rule is a line as on the command line, or has the fields of REST,
  /// whose times may be written as on the command line. So is a tier of continuous points; all of
  /// them may be one line, too. The rules may be left out beside tiers.
  ///
  /// @throws CommandFailedException if it is no policy with a name, and with rules or tiers
  static ProtectionPolicyDraft draft(String file, String text) {
    if (!(Notation.parse(file, text) instanceof ObjectNode fields)) {
      throw CommandFailedException.usage("expected the fields of a protection policy in %s", file);
    }
    try {
      if (fields.path("continuous").isString()) {
        fields.set(
            "continuous", Notation.tree(TierLine.parse(fields.path("continuous").asString())));
      } else if (fields.path("continuous") instanceof ArrayNode tiers) {
        spellOut(tiers, TierLine::tier, List.of("every", "keepFor"));
      }
      if (fields.path("rules").isMissingNode() && !fields.path("continuous").isEmpty()) {
        fields.putArray("rules");
      }
      if (!(fields.path("rules") instanceof ArrayNode rules)) {
        throw CommandFailedException.usage(
            "expected the fields of a protection policy in %s, with a list of rules or tiers",
            file);
      }
      spellOut(rules, RuleLine::parse, List.of("interval", "keepFor", "lock"));
      ProtectionPolicyDraft draft = Notation.asExactly(fields, ProtectionPolicyDraft.class);
      if (draft.name() == null) {
        throw CommandFailedException.usage("expected the field name in %s, got none", file);
      }
      return draft;
    } catch (JacksonException e) {
      throw CommandFailedException.usage(
          "expected the fields of a protection policy in %s, but %s", file, e.getOriginalMessage());
    }
  }

  /// Replaces each element that is a line by its fields, and short times by those of REST.
  private static void spellOut(
      ArrayNode all, Function<String, Object> parse, List<String> timeFields) {
    for (int place = 0; place < all.size(); place++) {
      JsonNode element = all.get(place);
      if (element.isString()) {
        all.set(place, Notation.tree(parse.apply(element.asString())));
      } else if (element instanceof ObjectNode one) {
        for (String time : timeFields) {
          if (one.path(time).isString()) {
            one.put(time, TimeSpan.parse(time, one.path(time).asString()).toString());
          }
        }
      }
    }
  }

  private static List<PointRule> rules(Inputs in) {
    return in.texts("--rule").stream().map(RuleLine::parse).toList();
  }

  /// The tiers that are given, or those that are there now.
  private static List<ContinuousTier> tiers(Inputs in, List<ContinuousTier> now) {
    String text = in.text("--continuous");
    return text == null ? now : TierLine.parse(text);
  }

  /// What is given; the rest as it is.
  private static @Nullable PolicyWatch watch(Inputs in, @Nullable PolicyWatch now) {
    String alert = in.text("--watch-alert");
    String lock = in.text("--watch-lock");
    if (alert == null && lock == null) {
      return now;
    }
    PolicyWatch before = now == null ? new PolicyWatch(null, null) : now;
    return new PolicyWatch(
        alert == null ? before.alert() : Boolean.valueOf(alert.equals("yes")),
        lock == null ? before.lockSnapshotFor() : lockTime(lock));
  }

  private static @Nullable String lockTime(String lock) {
    return lock.equals("none") ? null : TimeSpan.parse("--watch-lock", lock).toString();
  }

  /// Replaces the policy as it is now; refused if somebody changes it first.
  private static void change(Inputs in, ClientSession session) {
    String id = Objects.requireNonNull(in.id(POLICY.label(), Kind.PROTECTION_POLICY));
    List<PointRule> rules = rules(in);
    String path = "/protection-policies/" + RestCall.segment(id);
    Tagged read = session.connection().read(RestCall.get(path));
    ProtectionPolicyView now = Notation.as(read.body(), ProtectionPolicyView.class);
    ProtectionPolicyDraft wanted =
        new ProtectionPolicyDraft(
            Objects.requireNonNullElse(in.text("--name"), now.name()),
            Objects.requireNonNullElse(in.text("--description"), now.description()),
            now.generation(),
            rules.isEmpty() ? now.rules() : rules,
            tiers(in, now.continuous()),
            watch(in, now.watch()));
    RestCall call =
        new RestCall("PUT", path, List.of(), Notation.write(wanted)).onlyFor(read.tag());
    session.change(call).ifPresent(answer -> session.printRow(POLICIES, answer));
  }

  static Noun group() {
    return Noun.of(
        "protection-group",
        "what protection policies protect at one cut",
        RestVerb.of("create", "POST /protection-groups", "protects machines and volumes")
            .on(Argument.text("NAME", "its name"))
            .with(policyFlag("the protection policy").needed(), VM, VOLUME)
            .body(in -> draft(in.need("NAME"), in))
            .row(GROUPS),
        RestVerb.of("list", "GET /protection-groups", "lists groups")
            .with(
                Flag.filter("name", "NAME", "those of a name"),
                Flag.filter("policy", Kind.PROTECTION_POLICY, "those of a protection policy"))
            .sortedBy("name")
            .list(GROUPS),
        RestVerb.of("show", "GET /protection-groups/{id}", "shows all fields of a group")
            .on(GROUP)
            .tagged()
            .sheet(GROUPS),
        RestVerb.of(
                "change",
                "PATCH /protection-groups/{id}",
                "changes what is given; --vm and --volume replace all members")
            .on(GROUP)
            .with(NAME, policyFlag("another protection policy"), VM, VOLUME)
            .guarded()
            .body(in -> draft(in.text("--name"), in))
            .row(GROUPS),
        RestVerb.of("take", "POST /protection-groups/{id}/points", "takes a recovery point now")
            .on(GROUP, Argument.text("NAME", "name of its snapshots"))
            .body(in -> new NewPoint(in.need("NAME")))
            .row(POINTS),
        RestVerb.of("delete", "DELETE /protection-groups/{id}", "ends the protection of a group")
            .on(GROUP)
            .guarded()
            .with(
                Flag.filter(
                        "points",
                        "keep|delete|purge",
                        "whether its snapshots stay, as they do, or go into the recycle bin, or"
                            + " for good")
                    .choosing(List.of("keep", "delete", "purge")))
            .done("protection group {PROTECTION_GROUP} is deleted"));
  }

  private static Flag policyFlag(String help) {
    return Flag.of("--policy", Kind.PROTECTION_POLICY, help);
  }

  private static ProtectionGroupDraft draft(@Nullable String name, Inputs in) {
    List<GroupMember> members = new ArrayList<>();
    for (String machine : in.ids("--vm", List.of(Kind.VM))) {
      members.add(new GroupMember(machine, null));
    }
    for (UUID volume : in.uuids("--volume", Kind.VVOL)) {
      members.add(new GroupMember(null, volume));
    }
    return new ProtectionGroupDraft(
        name, in.uuid("--policy", Kind.PROTECTION_POLICY), members.isEmpty() ? null : members);
  }

  static Noun point() {
    return Noun.of(
        "recovery-point",
        "recovery points of protection groups",
        RestVerb.of("list", "GET /recovery-points", "lists points, the newest first")
            .with(
                Flag.filter("group", Kind.PROTECTION_GROUP, "those of a group"),
                Flag.filter("rule", "RULE", "those that a rule wanted"),
                Flag.filter("name", "NAME", "those of a name"))
            .sortedBy("taken", "name")
            .list(POINTS),
        RestVerb.of("show", "GET /recovery-points/{id}", "shows all fields of a point")
            .on(POINT)
            .tagged()
            .sheet(POINTS),
        RestVerb.of(
                "lock",
                "POST /recovery-points/{id}/lock",
                "locks its snapshots until a time, or lengthens their locks")
            .on(POINT)
            .with(LockFlags.FOR, LockFlags.UNTIL)
            .body(LockFlags::lock)
            .row(POINTS),
        RestVerb.of(
                "delete",
                "DELETE /recovery-points/{id}",
                "deletes it with its snapshots, into the recycle bin")
            .on(POINT)
            .guarded()
            .with(Flag.on("--purge", "for good, past the recycle bin").asQuery("purge"))
            .done("recovery point {POINT} is deleted"));
  }
}
