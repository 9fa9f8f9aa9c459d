package io.coppice.iscsi.setting;

/// Limits to the time that this target waits for an initiator before it goes on without it. Every
/// such wait has an end. All in milliseconds, 100 to 3,600,000.
///
/// | Component | Meaning |
/// |---|---|
/// | `loginMs` | from connection to full feature phase; then the connection is dropped |
/// | `discoveryMs` | how long a discovery session may last |
/// | `nopMs` | silence after which we ping; as much again and the connection is dropped. Only while we read and nothing waits to be sent |
/// | `outputMs` | while output waits for the peer: the time in which it takes 64 KiB of it, or what there is; the time for all of it where the connection ends. Then the connection is dropped |
/// | `dataOutMs` | how long the next data of a write command, or a command number that was left out, may take; then the command ends, or the connection is dropped |
/// | `logoutMs` | how long an initiator that was asked to log out may take; then its connection is dropped |
public record IscsiTimeouts(
    int loginMs, int discoveryMs, int nopMs, int outputMs, int dataOutMs, int logoutMs) {

  /// The defaults.
  public static final IscsiTimeouts DEFAULT =
      new IscsiTimeouts(15_000, 60_000, 15_000, 30_000, 60_000, 5_000);

  public IscsiTimeouts {
    check("loginMs", loginMs);
    check("discoveryMs", discoveryMs);
    check("nopMs", nopMs);
    check("outputMs", outputMs);
    check("dataOutMs", dataOutMs);
    check("logoutMs", logoutMs);
  }

  private static void check(String name, int value) {
    if (value < 100 || value > 3_600_000) {
      throw new IllegalArgumentException(
          "expected %s from 100 to 3600000, got %d".formatted(name, value));
    }
  }
}
