package io.coppice.scsi.setting;

/// Limits of ROD tokens.
///
/// | Component | Meaning |
/// |---|---|
/// | `tokens` | how many there may be, 1 to 4096: each keeps a snapshot in the engine |
/// | `ranges` | most ranges of one token, and of one WRITE USING TOKEN, 8 to 1024 |
/// | `bytes` | most bytes of one token, and of one WRITE USING TOKEN, 256 MiB to 1 TiB |
/// | `defaultTimeoutInSeconds` | how long a token stays that nobody uses, unless it asks, from 1 |
/// | `maximumTimeoutInSeconds` | what it may ask for, to 3600 |
/// | `lifetimeInSeconds` | how long a token stays though it is used, to 604800 |
public record TokenLimits(
    int tokens,
    int ranges,
    long bytes,
    int defaultTimeoutInSeconds,
    int maximumTimeoutInSeconds,
    int lifetimeInSeconds) {

  private static final long BLOCK = 512;

  public TokenLimits {
    ScsiLimits.check("tokens", tokens, 1, 4096);
    ScsiLimits.check("ranges", ranges, 8, 1024);
    ScsiLimits.check("bytes", bytes, 256L << 20, 1L << 40);
    ScsiLimits.check(
        "defaultTimeoutInSeconds", defaultTimeoutInSeconds, 1, maximumTimeoutInSeconds);
    ScsiLimits.check("maximumTimeoutInSeconds", maximumTimeoutInSeconds, 1, 3600);
    ScsiLimits.check("lifetimeInSeconds", lifetimeInSeconds, maximumTimeoutInSeconds, 604_800);
    if (bytes % BLOCK != 0) {
      throw new IllegalArgumentException("expected bytes in blocks of 512, got " + bytes);
    }
  }

  /// 256 tokens of up to 64 ranges and 4 GiB, unused for 60 s, at most 600 s, for a day.
  public static TokenLimits defaults() {
    return new TokenLimits(256, 64, 4L << 30, 60, 600, 86_400);
  }

  public TokenLimits withTokens(int most) {
    return new TokenLimits(
        most, ranges, bytes, defaultTimeoutInSeconds, maximumTimeoutInSeconds, lifetimeInSeconds);
  }

  public TokenLimits withTimes(
      int defaultTimeoutInSeconds, int maximumTimeoutInSeconds, int lifetimeInSeconds) {
    return new TokenLimits(
        tokens, ranges, bytes, defaultTimeoutInSeconds, maximumTimeoutInSeconds, lifetimeInSeconds);
  }
}
