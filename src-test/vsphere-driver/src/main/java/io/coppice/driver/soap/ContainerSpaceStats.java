package io.coppice.driver.soap;

/// Space of a container or of one of its profiles; all values in MB of 2^20 bytes.
public record ContainerSpaceStats(
    String objectId,
    long logicalFree,
    long logicalLimit,
    long logicalUsed,
    long physicalFree,
    long physicalTotal,
    long physicalUsed) {
  static ContainerSpaceStats of(Xml x) {
    return new ContainerSpaceStats(
        x.required("vvol:objectId"),
        x.number("vvol:logicalFree"),
        x.number("vvol:logicalLimit"),
        x.number("vvol:logicalUsed"),
        x.number("vvol:physicalFree"),
        x.number("vvol:physicalTotal"),
        x.number("vvol:physicalUsed"));
  }
}
