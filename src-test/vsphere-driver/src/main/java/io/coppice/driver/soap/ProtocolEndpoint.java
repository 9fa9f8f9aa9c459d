package io.coppice.driver.soap;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A protocol endpoint.
public record ProtocolEndpoint(
    String id,
    @Nullable String authType,
    String inBandBindCapability,
    InBandId inBandId,
    List<String> transportIpAddresses) {
  static ProtocolEndpoint of(Xml x) {
    return new ProtocolEndpoint(
        x.required("data:uniqueIdentifier"),
        x.text("vvol:authType"),
        x.required("vvol:inBandBindCapability"),
        InBandId.of(x.one("vvol:inBandId")),
        x.texts("vvol:transportIpAddress"));
  }

  void write(XmlText xml) {
    xml.text("data:uniqueIdentifier", id)
        .optional("vvol:authType", authType)
        .text("vvol:inBandBindCapability", inBandBindCapability)
        .element("vvol:inBandId", inBandId::write)
        .each("vvol:transportIpAddress", transportIpAddresses);
  }
}
