package io.coppice.vasa.event;

import java.util.Arrays;
import java.util.Optional;

/// The type of an object that an event is about. No event is written with another one, so that
/// those who show objects can have a list of all. Events that an earlier version wrote may have
/// one.
public enum ObjectType {
  ACCOUNT("Account"),
  ALERT("Alert"),
  ALERT_TARGET("AlertTarget"),
  APPROVAL("Approval"),
  /// `EntityTypeEnum` value: a storage policy.
  CAPABILITY_PROFILE("CapabilityProfile"),
  CERTIFICATE("Certificate"),
  EXPORT("Export"),
  HOST("Host"),
  HOST_GROUP("HostGroup"),
  INITIATOR("Initiator"),
  /// In the stream alone: no event is written about one.
  ISCSI_SESSION("IscsiSession"),
  LOCK_LIMIT("LockLimit"),
  /// A pool that this one is paired with.
  PEER("Peer"),
  /// Of the iSCSI target.
  PORTAL("Portal"),
  PROTECTION_GROUP("ProtectionGroup"),
  PROTECTION_POLICY("ProtectionPolicy"),
  /// `EntityTypeEnum` value.
  PROTOCOL_ENDPOINT("ProtocolEndpoint"),
  RECOVERY_POINT("RecoveryPoint"),
  REGISTRATION("Registration"),
  REPLICATION_GROUP("ReplicationGroup"),
  RUNBOOK("Runbook"),
  SCHEDULE("Schedule"),
  SCRUB("Scrub"),
  SESSION("Session"),
  SNAPSHOT("Snapshot"),
  /// `EntityTypeEnum` value: the pool.
  STORAGE_ARRAY("StorageArray"),
  /// `EntityTypeEnum` value.
  STORAGE_CONTAINER("StorageContainer"),
  TEMPORARY_EXPORT("TemporaryExport"),
  TOKEN("Token"),
  VIRTUAL_MACHINE("VirtualMachine"),
  /// `EntityTypeEnum` value: a volume or snapshot, in an event that vCenter gets too.
  VIRTUAL_VOLUME("VirtualVolumeInfo"),
  VOLUME("Volume");

  private final String text;

  ObjectType(String text) {
    this.text = text;
  }

  /// Its name in events and in the contract.
  public String text() {
    return text;
  }

  /// The type with a text; empty if there is none.
  public static Optional<ObjectType> parse(String text) {
    return Arrays.stream(values()).filter(type -> type.text.equals(text)).findFirst();
  }
}
