package io.coppice.vasa.protection;

import java.util.List;
import java.util.UUID;

/// A protected group as somebody wants it.
///
/// @param policy the protection policy that is to protect it
public record GroupDraft(String name, UUID policy, List<ProtectedMember> members) {
  public GroupDraft {
    members = List.copyOf(members);
  }
}
