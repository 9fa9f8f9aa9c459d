package io.coppice.scsi.limit;

/// The most that a volume, or all volumes of a group together, may do.
///
/// | Component | Unit, range | Meaning |
/// |---|---|---|
/// | `maxIops` | I/Os a second, [#MIN_IOPS] to [#MAX_IOPS], 0 for any | one command that touches the medium is one I/O |
/// | `maxBandwidth` | bytes a second, [#MIN_BANDWIDTH] to [#MAX_BANDWIDTH], 0 for any | what reads and writes move |
public record Limits(long maxIops, long maxBandwidth) {

  /// A lower limit would let a host's queue outlast the host's patience.
  public static final long MIN_IOPS = 10;

  public static final long MAX_IOPS = 10_000_000;

  /// 1 MiB/s.
  public static final long MIN_BANDWIDTH = 1L << 20;

  /// 1 TiB/s.
  public static final long MAX_BANDWIDTH = 1L << 40;

  /// No limit.
  public static final Limits NONE = new Limits(0, 0);

  public Limits {
    check("maxIops", maxIops, MIN_IOPS, MAX_IOPS);
    check("maxBandwidth", maxBandwidth, MIN_BANDWIDTH, MAX_BANDWIDTH);
  }

  public boolean isNone() {
    return maxIops == 0 && maxBandwidth == 0;
  }

  private static void check(String name, long value, long least, long most) {
    if (value != 0 && (value < least || value > most)) {
      throw new IllegalArgumentException(
          "expected %s of 0 or from %d to %d, got %d".formatted(name, least, most, value));
    }
  }
}
