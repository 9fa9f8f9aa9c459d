package io.coppice.api;

import com.fasterxml.jackson.annotation.JsonValue;

/// A role of a token or an account. Each role but the last allows what it names and everything that
/// the roles after it allow.
public enum Role {
  /// Everything.
  ADMIN("admin"),
  /// Everything but tokens.
  STORAGE_ADMIN("storage-admin"),
  /// Snapshots and policies.
  VM_ADMIN("vm-admin"),
  /// Reads.
  OPERATOR("operator"),
  /// Plain volumes of some storage containers, and what hangs on them. It stands beside the others:
  /// the operations that it may call are marked one by one.
  VOLUME_ADMIN("volume-admin");

  private final String text;

  Role(String text) {
    this.text = text;
  }

  @JsonValue
  public String text() {
    return text;
  }

  /// Whether a token of this role is bound to storage containers.
  public boolean isBound() {
    return this == VOLUME_ADMIN;
  }

  /// Whether everything that another role allows is allowed to this one, too. That of a role that
  /// is bound is, if the containers are.
  public boolean covers(Role other) {
    return other.isBound() ? isBound() || includes(STORAGE_ADMIN) : includes(other);
  }

  public boolean includes(Role needed) {
    return isBound() ? needed == this : compareTo(needed) <= 0;
  }
}
