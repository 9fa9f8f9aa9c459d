package io.coppice.vasa.protection;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.protection.rule.ContinuousRule;
import io.coppice.vasa.protection.rule.ProtectionRule;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Changes of protection, as the history of changes has them.
final class ProtectionChanges {

  private static final int SHOWN_MEMBERS = 8;

  private ProtectionChanges() {}

  static NewChange of(ProtectionPolicy policy, ChangeKind kind) {
    return change(
        ChangeTopic.POLICY,
        kind,
        ObjectType.PROTECTION_POLICY,
        policy.id(),
        Map.of(
            "policy",
            named(policy.name(), policy.id()),
            "generation",
            Long.toString(policy.generation()),
            "rules",
            rules(policy)));
  }

  /// The names of the rules, and the tiers of continuous points.
  private static String rules(ProtectionPolicy policy) {
    Stream<String> rules = policy.rules().rules().stream().map(ProtectionRule::name);
    ContinuousRule continuous = policy.continuous();
    return Stream.concat(
            rules,
            continuous.isEmpty()
                ? Stream.empty()
                : Stream.of("continuous (%s)".formatted(continuous.text())))
        .collect(Collectors.joining(", "));
  }

  /// @param policy name of the protection policy
  static NewChange of(ProtectedGroup group, ChangeKind kind, String policy) {
    return change(
        ChangeTopic.POLICY,
        kind,
        ObjectType.PROTECTION_GROUP,
        group.id(),
        Map.of("group", named(group.name(), group.id()), "policy", policy, "members", text(group)));
  }

  private static String text(ProtectedGroup group) {
    String shown =
        group.members().stream()
            .limit(SHOWN_MEMBERS)
            .map(ProtectionChanges::text)
            .collect(Collectors.joining(", "));
    int more = group.members().size() - SHOWN_MEMBERS;
    return more > 0 ? "%s and %d more".formatted(shown, more) : shown;
  }

  private static String text(ProtectedMember member) {
    return switch (member) {
      case ProtectedMember.Machine(String id) -> "virtual machine " + id;
      case ProtectedMember.Volume(VolumeId id) -> "volume " + id;
    };
  }

  static NewChange of(KeptPoint point, ChangeKind kind, String group) {
    String message =
        kind == ChangeKind.NEW && point.point().rules().isEmpty() ? "Demanded" : kind.wireName();
    return NewChange.of(
        ChangeTopic.VOLUME,
        kind,
        new NewChange.Subject(
            ObjectType.RECOVERY_POINT, point.point().id().toString(), "RecoveryPoint" + message),
        Map.of(
            "point",
            named(point.name(), point.point().id()),
            "group",
            named(group, point.group()),
            "rules",
            point.point().rules().stream().sorted().collect(Collectors.joining(", "))));
  }

  private static NewChange change(
      ChangeTopic topic,
      ChangeKind kind,
      ObjectType type,
      UUID id,
      Map<String, String> parameters) {
    return NewChange.of(
        topic,
        kind,
        new NewChange.Subject(type, id.toString(), type.text() + kind.wireName()),
        parameters);
  }

  private static String named(String name, UUID id) {
    return "%s (%s)".formatted(name, id);
  }
}
