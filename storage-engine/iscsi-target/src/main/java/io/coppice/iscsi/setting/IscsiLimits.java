package io.coppice.iscsi.setting;

/// Limits on what one peer, and all peers together, may take of this target.
///
/// | Component | Meaning |
/// |---|---|
/// | `sessions` | how many connections and sessions there may be |
/// | `login` | what a login may agree on |
/// | `commands` | what commands may take |
/// | `waits` | how long an initiator is waited for |
/// | `shutdownTimeoutMs` | milliseconds for which closing waits for commands that run |
public record IscsiLimits(
    SessionLimits sessions,
    LoginLimits login,
    CommandLimits commands,
    IscsiTimeouts waits,
    int shutdownTimeoutMs) {

  public IscsiLimits {
    IscsiTimeouts.check("shutdownTimeoutMs", shutdownTimeoutMs, 0, 3_600_000);
  }

  /// Numbers of connections and sessions.
  ///
  /// | Component | Range | Meaning |
  /// |---|---|---|
  /// | `connections` | 1 and more | open connections of one portal, logged in or not |
  /// | `normal` | 1 to 16384 | normal sessions; one that replaces another does not count twice |
  /// | `discovery` | 1 to 16384 | discovery sessions |
  public record SessionLimits(int connections, int normal, int discovery) {

    public SessionLimits {
      IscsiTimeouts.check("connections", connections, 1, 1 << 20);
      IscsiTimeouts.check("sessions", normal, 1, 16384);
      IscsiTimeouts.check("discoverySessions", discovery, 1, 16384);
    }
  }

  /// Bounds of what a login may agree on.
  ///
  /// | Component | Unit, range | Meaning |
  /// |---|---|---|
  /// | `maxRecvDataSegmentLength` | bytes, 8192 to 2^24-1 | longest data segment we accept |
  /// | `maxBurstLength` | bytes, 512 to 2^24-1 | longest R2T or Data-In sequence |
  /// | `firstBurstLength` | bytes, 512 to `maxBurstLength` | longest unsolicited data of a command |
  /// | `maxOutstandingR2T` | 1 to 255 | R2Ts of one command in flight |
  /// | `textLength` | bytes | text of one login, or of one text exchange |
  public record LoginLimits(
      int maxRecvDataSegmentLength,
      int maxBurstLength,
      int firstBurstLength,
      int maxOutstandingR2T,
      int textLength) {

    public LoginLimits {
      IscsiTimeouts.check("maxRecvDataSegmentLength", maxRecvDataSegmentLength, 8192, 0xff_ffff);
      IscsiTimeouts.check("maxBurstLength", maxBurstLength, 512, 0xff_ffff);
      IscsiTimeouts.check("firstBurstLength", firstBurstLength, 512, maxBurstLength);
      IscsiTimeouts.check("maxOutstandingR2T", maxOutstandingR2T, 1, 255);
      IscsiTimeouts.check("textLength", textLength, 8192, 1 << 20);
    }
  }

  /// Bounds of what commands may take.
  ///
  /// | Component | Unit, range | Meaning |
  /// |---|---|---|
  /// | `window` | commands, 16 to 1024 | commands of one session that wait for an answer |
  /// | `transferLength` | bytes | longest Data-Out of one command; more is refused |
  /// | `dataMemory` | bytes | data of all sessions held at once, Data-Out and Data-In, a quarter of it by one session; beyond it commands end with TASK SET FULL |
  public record CommandLimits(int window, int transferLength, long dataMemory) {

    public CommandLimits {
      IscsiTimeouts.check("commandWindow", window, 16, 1024);
      IscsiTimeouts.check("transferLength", transferLength, 1 << 16, 1 << 28);
      IscsiTimeouts.check("dataMemory", dataMemory, transferLength, Long.MAX_VALUE);
    }

    /// Data that one session may hold, in bytes: at least the longest command.
    public long dataShare() {
      return Math.max(transferLength, dataMemory / 4);
    }
  }

  /// Limits that serve a few dozen hosts.
  public static IscsiLimits defaults() {
    return new IscsiLimits(
        new SessionLimits(512, 256, 32),
        new LoginLimits(262144, 1 << 20, 262144, 4, 65536),
        new CommandLimits(128, 16 << 20, 512L << 20),
        new IscsiTimeouts(15_000, 60_000, 15_000, 30_000, 60_000, 5_000),
        10_000);
  }

  /// These limits with another number of connections at each portal.
  public IscsiLimits withConnections(int connections) {
    SessionLimits next = new SessionLimits(connections, sessions.normal, sessions.discovery);
    return new IscsiLimits(next, login, commands, waits, shutdownTimeoutMs);
  }

  /// These limits with another amount of data memory, in bytes.
  public IscsiLimits withDataMemory(long dataMemory) {
    CommandLimits next = new CommandLimits(commands.window, commands.transferLength, dataMemory);
    return new IscsiLimits(sessions, login, next, waits, shutdownTimeoutMs);
  }

  /// These limits with other waits.
  public IscsiLimits withWaits(IscsiTimeouts waits) {
    return new IscsiLimits(sessions, login, commands, waits, shutdownTimeoutMs);
  }
}
