package io.coppice.vasa.replication.group;

/// The state of a replication group at one end.
public enum GroupState {
  /// Its volumes are here, and cycles take them to the other end.
  SOURCE,
  /// A source whose volumes are out of use until the other end fails over, or this one goes on.
  PREPARED,
  /// Its replicas are here.
  TARGET,
  /// A target that also shows a replica as volumes, for a test.
  INTEST,
  /// A target whose replica became the running volumes.
  FAILEDOVER,
  /// A source whose other end has failed over.
  REMOTE_FAILEDOVER;

  /// Whether the end receives cycles.
  public boolean receives() {
    return this == TARGET || this == INTEST;
  }

  /// Whether the end has the replicas, or had them before it failed over.
  public boolean isTarget() {
    return receives() || this == FAILEDOVER;
  }

  /// Whether cycles go out from the end, at least the one of a preparation.
  public boolean sends() {
    return this == SOURCE || this == PREPARED;
  }

  /// The name in the words of VASA, which knows no prepared source.
  public String vasaName() {
    return this == PREPARED ? SOURCE.name() : name();
  }
}
