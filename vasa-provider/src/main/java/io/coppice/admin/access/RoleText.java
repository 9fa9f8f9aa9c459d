package io.coppice.admin.access;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Role;

/// The text of a role in requests and in the database.
public final class RoleText {

  private RoleText() {}

  /// @throws RequestRejectedException if it is none
  public static Role parse(String text) {
    for (Role role : Role.values()) {
      if (role.text().equals(text)) {
        return role;
      }
    }
    throw RequestRejectedException.field(
        "role",
        "expected admin, storage-admin, vm-admin, operator or volume-admin, got '%s'"
            .formatted(text));
  }
}
