package io.coppice.api;

import com.fasterxml.jackson.annotation.JsonValue;

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
}
