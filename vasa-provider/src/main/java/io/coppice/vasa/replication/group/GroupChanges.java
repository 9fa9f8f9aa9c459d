package io.coppice.vasa.replication.group;

import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.time.TimeText;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Changes of replication groups, as the history of changes has them.
final class GroupChanges {

  private GroupChanges() {}

  /// A group was made, changed or removed.
  static NewChange of(ReplicatedGroup group, ChangeKind kind) {
    GroupPlan plan = group.plan();
    return change(
        group,
        kind,
        kind.wireName(),
        Map.of(
            "group",
            named(group),
            "members",
            "%d virtual machine(s) and %d volume(s)"
                .formatted(plan.machines().size(), plan.volumes().size()),
            "peer",
            plan.peer().toString(),
            "interval",
            TimeText.iso(plan.interval())));
  }

  /// Something was done with a group.
  ///
  /// @param what the last part of the message's key
  /// @param replica that it is about; null for none
  static NewChange of(ReplicatedGroup group, String what, @Nullable UUID replica) {
    return change(
        group,
        ChangeKind.UPDATE,
        what,
        replica == null
            ? Map.of("group", named(group))
            : Map.of("group", named(group), "replica", replica.toString()));
  }

  private static NewChange change(
      ReplicatedGroup group, ChangeKind kind, String message, Map<String, String> parameters) {
    return NewChange.of(
        ChangeTopic.CONFIG,
        kind,
        new NewChange.Subject(
            ObjectType.REPLICATION_GROUP, group.id().toString(), "ReplicationGroup" + message),
        parameters);
  }

  private static String named(ReplicatedGroup group) {
    return "%s (%s)".formatted(group.plan().name(), group.id());
  }
}
