package io.coppice.iscsi.setting;

/// Limits on what one peer, and all peers together, may take of this target.
///
/// | Component | Unit, range | Meaning |
/// |---|---|---|
/// | `connections` | 1 and more | open connections of one portal, logged in or not |
/// | `sessions` | 1 to 16384 | normal sessions; one that replaces another does not count twice |
/// | `discoverySessions` | 1 to 16384 | discovery sessions |
/// | `commandWindow` | commands, 16 to 1024 | commands of one session that wait for an answer |
/// | `maxRecvDataSegmentLength` | bytes, 8192 to 2^24-1 | longest data segment we accept |
/// | `maxBurstLength` | bytes, 512 to 2^24-1 | longest R2T or Data-In sequence |
/// | `firstBurstLength` | bytes, 512 to `maxBurstLength` | longest unsolicited data of a command |
/// | `maxOutstandingR2T` | 1 to 255 | R2Ts of one command in flight |
/// | `textLength` | bytes | text of one login, or of one text exchange |
/// | `transferLength` | bytes | longest Data-Out of one command; more is refused |
/// | `dataMemory` | bytes | data of all sessions held at once, Data-Out and Data-In, a quarter of it by one session; beyond it commands end with TASK SET FULL |
/// | `waits` | | how long an initiator is waited for |
/// | `shutdownTimeoutMs` | milliseconds | how long closing waits for commands that run |
public record IscsiLimits(
    int connections,
    int sessions,
    int discoverySessions,
    int commandWindow,
    int maxRecvDataSegmentLength,
    int maxBurstLength,
    int firstBurstLength,
    int maxOutstandingR2T,
    int textLength,
    int transferLength,
    long dataMemory,
    IscsiTimeouts waits,
    int shutdownTimeoutMs) {

  /// Limits that serve a few dozen hosts.
  public static final IscsiLimits DEFAULT =
      new IscsiLimits(
          512,
          256,
          32,
          128,
          262144,
          1 << 20,
          262144,
          4,
          65536,
          16 << 20,
          512L << 20,
          IscsiTimeouts.DEFAULT,
          10_000);

  public IscsiLimits {
    check("connections", connections, 1, 1 << 20);
    check("sessions", sessions, 1, 16384);
    check("discoverySessions", discoverySessions, 1, 16384);
    check("commandWindow", commandWindow, 16, 1024);
    check("maxRecvDataSegmentLength", maxRecvDataSegmentLength, 8192, 0xff_ffff);
    check("maxBurstLength", maxBurstLength, 512, 0xff_ffff);
    check("firstBurstLength", firstBurstLength, 512, maxBurstLength);
    check("maxOutstandingR2T", maxOutstandingR2T, 1, 255);
    check("textLength", textLength, 8192, 1 << 20);
    check("transferLength", transferLength, 1 << 16, 1 << 28);
    check("dataMemory", dataMemory, transferLength, Long.MAX_VALUE);
    check("shutdownTimeoutMs", shutdownTimeoutMs, 0, 3_600_000);
  }

  /// These limits with another number of connections at each portal.
  public IscsiLimits withConnections(int connections) {
    return new IscsiLimits(
        connections,
        sessions,
        discoverySessions,
        commandWindow,
        maxRecvDataSegmentLength,
        maxBurstLength,
        firstBurstLength,
        maxOutstandingR2T,
        textLength,
        transferLength,
        dataMemory,
        waits,
        shutdownTimeoutMs);
  }

  /// These limits with another amount of data memory, in bytes.
  public IscsiLimits withDataMemory(long dataMemory) {
    return new IscsiLimits(
        connections,
        sessions,
        discoverySessions,
        commandWindow,
        maxRecvDataSegmentLength,
        maxBurstLength,
        firstBurstLength,
        maxOutstandingR2T,
        textLength,
        transferLength,
        dataMemory,
        waits,
        shutdownTimeoutMs);
  }

  /// These limits with other waits.
  public IscsiLimits withWaits(IscsiTimeouts waits) {
    return new IscsiLimits(
        connections,
        sessions,
        discoverySessions,
        commandWindow,
        maxRecvDataSegmentLength,
        maxBurstLength,
        firstBurstLength,
        maxOutstandingR2T,
        textLength,
        transferLength,
        dataMemory,
        waits,
        shutdownTimeoutMs);
  }

  /// Data that one session may hold, in bytes: at least the longest command.
  public long dataShare() {
    return Math.max(transferLength, dataMemory / 4);
  }

  private static void check(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "expected %s from %d to %d, got %d".formatted(name, min, max, value));
    }
  }
}
