package io.coppice.scsi.setting;

/// What units say of their medium where the standard leaves a choice.
///
/// @param physicalBlockInBytes what READ CAPACITY (16) calls a physical block: 4096, as the engine
///   has it, or 512 for hosts that refuse media with both
/// @param writeSameToEnd whether WRITE SAME of 0 blocks means up to the last one (WSNZ = 0), if
///   that is within the limit of WRITE SAME; else it is refused
/// @param softThresholdPercent how much of its capacity the pool has left when hosts of thin units
///   hear that it gets short (38h/07h), in percent, 1 to 99; 0: never
public record MediumSettings(
    int physicalBlockInBytes, boolean writeSameToEnd, int softThresholdPercent) {

  /// Bytes of a logical block of every unit.
  public static final int LOGICAL_BLOCK_IN_BYTES = 512;

  /// 4096, WRITE SAME of 0 blocks is refused, 10 %.
  public static final MediumSettings DEFAULT = new MediumSettings(4096, false, 10);

  public MediumSettings {
    if (physicalBlockInBytes != 512 && physicalBlockInBytes != 4096) {
      throw new IllegalArgumentException(
          "expected a physical block of 512 or 4096 bytes, got " + physicalBlockInBytes);
    }
    if (softThresholdPercent < 0 || softThresholdPercent > 99) {
      throw new IllegalArgumentException(
          "expected a soft threshold of 0 to 99 percent, got " + softThresholdPercent);
    }
  }

  /// LOGICAL BLOCKS PER PHYSICAL BLOCK EXPONENT (SBC-4 §5.19.2).
  public int physicalExponent() {
    return Integer.numberOfTrailingZeros(physicalBlockInBytes / LOGICAL_BLOCK_IN_BYTES);
  }
}
