package io.coppice.engine.supply;

/// The choice of how the files of a pool get their place on the file system.
///
/// | Component | Meaning |
/// |---|---|
/// | `thin` | whether a file that is made for a second copy is sparse; else all of it is allocated |
/// | `aheadBytes` | how much that is free is kept written once before the log comes to it, 0 or more |
/// | `deviceTimePercent` | most of the device's time that this takes while others use it, 1 to 100 |
/// | `all` | whether everything that is free is written once, at once, however much that slows others |
public record Provisioning(boolean thin, long aheadBytes, int deviceTimePercent, boolean all) {

  public Provisioning {
    if (aheadBytes < 0 || deviceTimePercent < 1 || deviceTimePercent > 100) {
      throw new IllegalArgumentException(
          "expected 0 bytes or more to prepare and 1 to 100 percent of the device's time, got %d, %d"
              .formatted(aheadBytes, deviceTimePercent));
    }
  }

  /// Sparse files, with nothing written ahead.
  public static Provisioning sparse() {
    return new Provisioning(true, 0, 20, false);
  }

  boolean prepares() {
    return all || aheadBytes > 0;
  }
}
