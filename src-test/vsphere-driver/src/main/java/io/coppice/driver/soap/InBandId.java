package io.coppice.driver.soap;

import org.jspecify.annotations.Nullable;

/// The identifier of a protocol endpoint on its wire; `lunId` is `naa.…` for SCSI.
public record InBandId(String type, @Nullable String lunId) {
  static InBandId of(Xml x) {
    return new InBandId(x.required("vvol:protocolEndpointType"), x.text("vvol:lunId"));
  }

  void write(XmlText xml) {
    xml.absent("vvol:ipAddress")
        .optional("vvol:lunId", lunId)
        .text("vvol:protocolEndpointType", type)
        .absent("vvol:serverMajor")
        .absent("vvol:serverMinor")
        .absent("vvol:serverMount")
        .absent("vvol:serverScope");
  }
}
