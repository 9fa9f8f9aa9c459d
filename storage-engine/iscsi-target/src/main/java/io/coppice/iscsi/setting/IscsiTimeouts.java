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

  public IscsiTimeouts {
    check("loginMs", loginMs, 100, 3_600_000);
    check("discoveryMs", discoveryMs, 100, 3_600_000);
    check("nopMs", nopMs, 100, 3_600_000);
    check("outputMs", outputMs, 100, 3_600_000);
    check("dataOutMs", dataOutMs, 100, 3_600_000);
    check("logoutMs", logoutMs, 100, 3_600_000);
  }

  /// Refuses a setting out of its range.
  static void check(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "expected %s from %d to %d, got %d".formatted(name, least, most, value));
    }
  }
}
