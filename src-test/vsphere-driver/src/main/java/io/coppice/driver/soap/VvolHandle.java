package io.coppice.driver.soap;

/// The address of a bound vVol: through which endpoint and under which secondary id.
public record VvolHandle(String vvolId, InBandId endpoint, String secondaryId) {
  static VvolHandle of(Xml x) {
    return new VvolHandle(
        x.required("data:uniqueIdentifier"),
        InBandId.of(x.one("vvol:peInBandId")),
        x.required("vvol:vvolSecondaryId"));
  }

  void write(XmlText xml) {
    xml.text("data:uniqueIdentifier", vvolId)
        .element("vvol:peInBandId", endpoint::write)
        .text("vvol:vvolSecondaryId", secondaryId);
  }
}
