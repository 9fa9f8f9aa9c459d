package io.coppice.admin;

import com.fasterxml.jackson.annotation.JsonValue;

/// What a token allows: its own and everything that the roles after it allow.
enum Role {
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
  String text() {
    return text;
  }

  boolean includes(Role needed) {
    return compareTo(needed) <= 0;
  }

  static Role parse(String text) {
    for (Role role : values()) {
      if (role.text.equals(text)) {
        return role;
      }
    }
    throw Rejection.field(
        "role", "expected admin, storage-admin, vm-admin or operator, got '%s'".formatted(text));
  }
}
