package io.coppice.admin.replication;

import io.coppice.admin.field.IsoDurations;
import io.coppice.admin.field.NameField;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.protection.GroupMember;
import io.coppice.api.replication.ReplicaTier;
import io.coppice.api.replication.ReplicationGroupDraft;
import io.coppice.vasa.protection.rule.PointTier;
import io.coppice.vasa.replication.group.GroupPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Plans of replication groups, from and to their fields in JSON.
final class GroupFields {

  private GroupFields() {}

  /// The plan of a new group.
  ///
  /// @throws RequestRejectedException if a field is missing or has another form
  static GroupPlan parse(ReplicationGroupDraft wanted) {
    Members members = members(RequestRejectedException.requireField("members", wanted.members()));
    return new GroupPlan(
        NameField.oneLine(wanted.name()),
        RequestRejectedException.requireField("peer", wanted.peer()),
        time("interval", RequestRejectedException.requireField("interval", wanted.interval())),
        rpo(wanted.rpo(), null),
        tiers(Objects.requireNonNullElse(wanted.keep(), List.of())),
        members.machines(),
        members.volumes(),
        container(wanted.container()),
        Boolean.TRUE.equals(wanted.paused()));
  }

  /// A plan with what is given in place of what it had.
  ///
  /// @throws RequestRejectedException as [#parse]
  static GroupPlan change(GroupPlan now, ReplicationGroupDraft wanted) {
    Members members =
        wanted.members() == null
            ? new Members(now.machines(), now.volumes())
            : members(wanted.members());
    return new GroupPlan(
        wanted.name() == null ? now.name() : NameField.oneLine(wanted.name()),
        wanted.peer() == null ? now.peer() : wanted.peer(),
        wanted.interval() == null ? now.interval() : time("interval", wanted.interval()),
        rpo(wanted.rpo(), now.rpo()),
        wanted.keep() == null ? now.keep() : tiers(wanted.keep()),
        members.machines(),
        members.volumes(),
        wanted.container() == null ? now.container() : container(wanted.container()),
        wanted.paused() == null ? now.paused() : wanted.paused());
  }

  /// Virtual machines and volumes.
  private record Members(List<String> machines, List<UUID> volumes) {}

  private static Members members(List<GroupMember> wanted) {
    List<String> machines = new ArrayList<>();
    List<UUID> volumes = new ArrayList<>();
    for (GroupMember member : wanted) {
      String machine = member == null ? null : member.vm();
      UUID volume = member == null ? null : member.volume();
      if ((machine == null) == (volume == null) || (machine != null && machine.isBlank())) {
        throw RequestRejectedException.field(
            "members", "expected either vm or volume of each member, got another one");
      }
      if (machine != null) {
        machines.add(machine);
      } else {
        volumes.add(volume);
      }
    }
    return new Members(machines.stream().distinct().toList(), volumes.stream().distinct().toList());
  }

  private static List<PointTier> tiers(List<ReplicaTier> wanted) {
    return wanted.stream()
        .map(
            tier -> {
              if (tier == null || tier.every() == null || tier.keepFor() == null) {
                throw RequestRejectedException.field(
                    "keep", "expected 'every' and 'keepFor' of each tier, got less");
              }
              return new PointTier(time("keep", tier.every()), time("keep", tier.keepFor()));
            })
        .toList();
  }

  /// The RPO of a text; no time at all asks for the usual one.
  ///
  /// @param now what it is without a text
  private static @Nullable Duration rpo(@Nullable String text, @Nullable Duration now) {
    if (text == null) {
      return now;
    }
    Duration rpo = time("rpo", text);
    return rpo.isZero() ? null : rpo;
  }

  private static Duration time(String field, String text) {
    return Objects.requireNonNull(IsoDurations.parse(field, text));
  }

  private static @Nullable String container(@Nullable String text) {
    return text == null || text.isBlank() ? null : text;
  }

  static List<ReplicaTier> views(List<PointTier> tiers) {
    return tiers.stream()
        .map(
            tier ->
                new ReplicaTier(IsoDurations.text(tier.every()), IsoDurations.text(tier.keepFor())))
        .toList();
  }

  static List<GroupMember> members(GroupPlan plan) {
    List<GroupMember> members = new ArrayList<>();
    plan.machines().forEach(id -> members.add(new GroupMember(id, null)));
    plan.volumes().forEach(id -> members.add(new GroupMember(null, id)));
    return members;
  }
}
