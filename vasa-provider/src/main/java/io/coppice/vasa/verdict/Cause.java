package io.coppice.vasa.verdict;

/// A cause for a provider to be offline. An earlier one explains a later one: if the clock is
/// wrong, certificates are not valid either. `docs/operations.md` lists the exit statuses.
public enum Cause {
  SETTINGS(2),
  HOME(10),
  POOL(11),
  POOL_LOCKED(12),
  POOL_STOPPED(30),
  PORT(13),
  DATABASE(14),
  SCHEMA(15),
  POOL_LINK(16),
  CLOCK(17),
  DNS(18),
  CERTIFICATE(19),
  EXPIRED(20),
  CHAIN(21),
  NAME(22),
  STOPPED(23),
  SERVICE(24),
  TARGET(25),
  VCENTER(26),
  UNREGISTERED(27),
  TRUST(28),
  REFUSED(29);

  private final int exitStatus;

  Cause(int exitStatus) {
    this.exitStatus = exitStatus;
  }

  /// The status of the tool `doctor` with this cause.
  public int exitStatus() {
    return exitStatus;
  }
}
