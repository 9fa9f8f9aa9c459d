package io.coppice.vasa.protection;

import io.coppice.vasa.protection.rule.ClockReading;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A group of members whose volumes are taken at one cut, and the policy that protects them.
///
/// @param handled up to when all moments of the rules are handled
/// @param revision rises with each change of the group or of its policy's rules
/// @param lastError why the last point that was due could not be taken; null if it could
public record ProtectedGroup(
    UUID id,
    String name,
    UUID policy,
    List<ProtectedMember> members,
    ClockReading handled,
    long revision,
    @Nullable String lastError) {
  public ProtectedGroup {
    members = List.copyOf(members);
  }

  /// The same group with these members.
  ProtectedGroup with(List<ProtectedMember> others) {
    return new ProtectedGroup(id, name, policy, others, handled, revision, lastError);
  }
}
