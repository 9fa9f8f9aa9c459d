package io.coppice.scsi;

/// What units say of their medium where the standard leaves a choice.
///
/// @param physicalBlockInBytes what READ CAPACITY (16) calls a physical block: 4096, as the engine
///   has it, or 512 for hosts that refuse media with both
/// @param writeSameToEnd whether WRITE SAME of 0 blocks means up to the last one (WSNZ = 0), if
///   that is within the limit of WRITE SAME; else it is refused
public record MediumSettings(int physicalBlockInBytes, boolean writeSameToEnd) {

  /// 4096, and WRITE SAME of 0 blocks is refused.
  public static final MediumSettings DEFAULT = new MediumSettings(4096, false);

  public MediumSettings {
    if (physicalBlockInBytes != 512 && physicalBlockInBytes != 4096) {
      throw new IllegalArgumentException(
          "expected a physical block of 512 or 4096 bytes, got " + physicalBlockInBytes);
    }
  }

  /// LOGICAL BLOCKS PER PHYSICAL BLOCK EXPONENT (SBC-4 §5.19.2).
  int physicalExponent() {
    return physicalBlockInBytes == VolumeUnit.BLOCK_SIZE ? 0 : VolumeUnit.PHYSICAL_EXPONENT;
  }
}
