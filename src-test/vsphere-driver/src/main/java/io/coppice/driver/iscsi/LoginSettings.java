package io.coppice.driver.iscsi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The offer of an initiator at its login, and its patience. Lengths are in bytes.
///
/// | Component | Meaning |
/// |---|---|
/// | `isid` | the low 48 bits identify the initiator port; the same name and ISID reinstate a session |
/// | `unsolicitedData` | offer InitialR2T=No |
/// | `digests` | ask for CRC32C header and data digests and for nothing else |
/// | `commandTimeout` | how long a command may take before it counts as lost |
public record LoginSettings(
    String initiatorName,
    long isid,
    @Nullable Chap chap,
    boolean immediateData,
    boolean unsolicitedData,
    int maxRecvDataSegmentLength,
    int firstBurstLength,
    int maxBurstLength,
    int maxOutstandingR2T,
    boolean digests,
    Duration commandTimeout) {

  private static final int RANDOM_ISID = 0x80;

  public LoginSettings {
    if (firstBurstLength < 512 || maxBurstLength < firstBurstLength) {
      throw new IllegalArgumentException(
          "expected 512 <= FirstBurstLength <= MaxBurstLength, got %d and %d"
              .formatted(firstBurstLength, maxBurstLength));
    }
  }

  /// What ESXi offers by default, with larger segments; `port` tells ports of one host apart.
  public static LoginSettings of(String initiatorName, int port) {
    long isid = ((long) RANDOM_ISID << 40) | Integer.toUnsignedLong(port);
    return new LoginSettings(
        initiatorName,
        isid,
        null,
        true,
        false,
        262_144,
        262_144,
        1_048_576,
        8,
        false,
        Duration.ofSeconds(30));
  }

  public LoginSettings withChap(Chap credentials) {
    return copy(credentials, immediateData, unsolicitedData, digests, commandTimeout);
  }

  /// Offers ImmediateData and InitialR2T=No or their opposites.
  public LoginSettings withData(boolean immediate, boolean unsolicited) {
    return copy(chap, immediate, unsolicited, digests, commandTimeout);
  }

  public LoginSettings withDigests(boolean wanted) {
    return copy(chap, immediateData, unsolicitedData, wanted, commandTimeout);
  }

  public LoginSettings withCommandTimeout(Duration timeout) {
    return copy(chap, immediateData, unsolicitedData, digests, timeout);
  }

  private LoginSettings copy(
      @Nullable Chap credentials,
      boolean immediate,
      boolean unsolicited,
      boolean withDigests,
      Duration timeout) {
    return new LoginSettings(
        initiatorName,
        isid,
        credentials,
        immediate,
        unsolicited,
        maxRecvDataSegmentLength,
        firstBurstLength,
        maxBurstLength,
        maxOutstandingR2T,
        withDigests,
        timeout);
  }
}
