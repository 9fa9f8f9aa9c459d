package io.coppice.cli.verb;

import java.util.Locale;

/// A kind of objects that a person may name instead of writing an id.
public enum Kind {
  VOLUME("/volumes", true),
  VVOL("/vvols", true),
  SNAPSHOT("/snapshots", true),
  CONTAINER("/containers", false),
  POLICY("/policies", false),
  TOKEN("/tokens", false),
  ACCOUNT("/accounts", false),
  ALERT_TARGET("/alert-targets", false),
  PROTECTION_POLICY("/protection-policies", true),
  PROTECTION_GROUP("/protection-groups", true),
  PEER("/replication/peers", true),
  REPLICATION_GROUP("/replication/groups", true),
  RUNBOOK("/replication/runbooks", true),
  HOST("/hosts", true),
  GROUP("/host-groups", true),
  VM("/vms", false);

  private final String list;
  private final boolean filtered;

  Kind(String list, boolean filtered) {
    this.list = list;
    this.filtered = filtered;
  }

  /// The path of the list of all of them.
  String list() {
    return list;
  }

  /// Whether the list has the filter `name`.
  boolean isFiltered() {
    return filtered;
  }

  /// Whether an id may be any text, not only a UUID.
  boolean hasFreeIds() {
    return this == HOST || this == VM;
  }

  /// The word for one of them.
  String word() {
    return switch (this) {
      case VM -> "virtual machine";
      case VVOL -> "vVol";
      case GROUP -> "host group";
      case ALERT_TARGET -> "alert target";
      case PROTECTION_POLICY -> "protection policy";
      case PROTECTION_GROUP -> "protection group";
      case REPLICATION_GROUP -> "replication group";
      case VOLUME, SNAPSHOT, CONTAINER, POLICY, TOKEN, ACCOUNT, PEER, RUNBOOK, HOST ->
          name().toLowerCase(Locale.ROOT);
    };
  }
}
