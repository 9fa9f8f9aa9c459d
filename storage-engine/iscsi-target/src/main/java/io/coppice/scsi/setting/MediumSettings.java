package io.coppice.scsi.setting;

/// The choices that the standard leaves to units in what they say of their medium.
///
/// @param physicalBlockInBytes the physical block of READ CAPACITY (16): 4096, as in the engine, or
///   512 for hosts that refuse media with both
/// @param writeSameToEnd whether WRITE SAME of 0 blocks means up to the last one (WSNZ = 0), if
///   that is within the limit of WRITE SAME; otherwise it is refused
/// @param softThresholdPercent percentage of its capacity, 1 to 99, that the pool has left when
///   hosts of thin units hear that it runs short (38h/07h); 0: never
public record MediumSettings(
    int physicalBlockInBytes, boolean writeSameToEnd, int softThresholdPercent) {

  /// Bytes of a logical block of every unit.
  public static final int LOGICAL_BLOCK_IN_BYTES = 512;

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
