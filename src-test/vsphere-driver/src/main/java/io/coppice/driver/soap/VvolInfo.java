package io.coppice.driver.soap;

import java.util.Map;

/// A vVol with its metadata.
public record VvolInfo(String vvolId, Map<String, String> metadata) {
  public VvolInfo {
    metadata = Map.copyOf(metadata);
  }

  static VvolInfo of(Xml x) {
    return new VvolInfo(x.required("vvol:vvolId"), Metadata.of(x, "vvol:metadata"));
  }

  void write(XmlText xml) {
    xml.text("data:uniqueIdentifier", vvolId);
    Metadata.write(xml, "vvol:metadata", metadata);
    xml.text("vvol:vvolId", vvolId);
  }
}
