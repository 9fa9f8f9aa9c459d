package io.coppice.admin.access;

import com.fasterxml.jackson.annotation.JsonValue;
import io.coppice.admin.problem.RequestRejectedException;

/// A role of a token. Each role allows what it names and everything that the roles after it allow.
public enum Role {
  /// Everything.
  ADMIN("admin"),
  /// Everything but tokens.
  STORAGE_ADMIN("storage-admin"),
  /// Snapshots and policies.
  VM_ADMIN("vm-admin"),
  /// Reads.
  OPERATOR("operator");

  private final String text;

  Role(String text) {
    this.text = text;
  }

  @JsonValue
  public String text() {
    return text;
  }

  public boolean includes(Role needed) {
    return compareTo(needed) <= 0;
  }

  public static Role parse(String text) {
    for (Role role : values()) {
      if (role.text.equals(text)) {
        return role;
      }
    }
    throw RequestRejectedException.field(
        "role", "expected admin, storage-admin, vm-admin or operator, got '%s'".formatted(text));
  }
}
