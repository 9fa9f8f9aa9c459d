package io.coppice.driver.soap;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A capability with its constraints: OR between constraints, AND between the properties of one.
public record Capability(
    String namespace, String id, List<Map<String, PropertyValue>> constraints) {
  public Capability {
    constraints = List.copyOf(constraints);
  }

  /// A capability with one constraint of one property that has the capability's own name.
  public static Capability of(String namespace, String id, PropertyValue value) {
    return new Capability(namespace, id, List.of(Map.of(id, value)));
  }

  static Capability of(Xml x) {
    return new Capability(
        x.required("cap:capabilityId/cap:namespace"),
        x.required("cap:capabilityId/cap:id"),
        x.all("cap:constraint").stream().map(Capability::properties).toList());
  }

  private static Map<String, PropertyValue> properties(Xml constraint) {
    Map<String, PropertyValue> properties = new LinkedHashMap<>();
    for (Xml property : constraint.all("cap:propertyInstance")) {
      properties.put(property.required("cap:id"), PropertyValue.of(property.one("cap:value")));
    }
    return properties;
  }

  void write(XmlText xml) {
    xml.element("cap:capabilityId", x -> x.text("cap:id", id).text("cap:namespace", namespace));
    for (Map<String, PropertyValue> constraint : constraints) {
      xml.element("cap:constraint", x -> constraint.forEach((key, v) -> property(x, key, v)));
    }
  }

  private static void property(XmlText xml, String key, PropertyValue value) {
    xml.element(
        "cap:propertyInstance",
        x -> {
          x.text("cap:id", key);
          value.write(x, "cap:value");
        });
  }
}
