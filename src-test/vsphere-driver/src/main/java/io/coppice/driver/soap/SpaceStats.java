package io.coppice.driver.soap;

/// Space of a vVol in MB of 2^20 bytes; `unshared` counts only if `unsharedValid`.
public record SpaceStats(
    String objectId, long committed, long logical, long unshared, boolean unsharedValid) {
  static SpaceStats of(Xml x) {
    return new SpaceStats(
        x.required("vvol:objectId"),
        x.number("vvol:committed"),
        x.number("vvol:logical"),
        x.number("vvol:unshared"),
        x.flag("vvol:unsharedValid"));
  }
}
