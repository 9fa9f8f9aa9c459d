package io.coppice.scsi.setting;

/// Settings of [FairQueues].
///
/// | Component | Unit, range | Meaning |
/// |---|---|---|
/// | `burstMs` | milliseconds, 2 to 1000 | how much unused time a volume may save up: so much more than its rate it may do at once |
/// | `waitingIos` | 1 to 4096 | I/Os of one volume that may wait |
/// | `longestWaitMs` | milliseconds, 100 to 60000 | an I/O that would wait longer is refused instead; well below the time after which hosts give a command up |
/// | `groupAttribute` | attribute name | the attribute of a volume that names the group whose limit it shares; the owner of the attributes chooses it |
public record LimitSettings(int burstMs, int waitingIos, int longestWaitMs, String groupAttribute) {

  public LimitSettings {
    ScsiLimits.check("burstMs", burstMs, 2, 1000);
    ScsiLimits.check("waitingIos", waitingIos, 1, 4096);
    ScsiLimits.check("longestWaitMs", longestWaitMs, 100, 60_000);
  }

  /// 20 ms of burst, 256 waiting, 15 s; the group is in the attribute `qos.group`.
  public static LimitSettings defaults() {
    return new LimitSettings(20, 256, 15_000, "qos.group");
  }

  public LimitSettings withGroupAttribute(String name) {
    return new LimitSettings(burstMs, waitingIos, longestWaitMs, name);
  }
}
