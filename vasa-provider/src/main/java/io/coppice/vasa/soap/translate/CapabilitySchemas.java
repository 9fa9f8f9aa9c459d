package io.coppice.vasa.soap.translate;

import io.coppice.vasa.policy.Capabilities;
import io.coppice.vasa.policy.Capability;
import io.coppice.vasa.policy.CapabilityId;
import io.coppice.vasa.policy.CapabilityValue;
import io.coppice.wsdl.capability.CapabilityMetadata;
import io.coppice.wsdl.capability.GenericTypeInfo;
import io.coppice.wsdl.capability.ObjectFactory;
import io.coppice.wsdl.capability.PropertyMetadata;
import io.coppice.wsdl.capability.TypeInfo;
import io.coppice.wsdl.capability.provider.CapabilityMetadataPerCategory;
import io.coppice.wsdl.capability.provider.CapabilitySchema;
import io.coppice.wsdl.capability.provider.NamespaceInfo;
import io.coppice.wsdl.capability.provider.VendorInfo;
import io.coppice.wsdl.policy.ExtendedElementDescription;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The capabilities of [Capabilities#offered] as schemas on the wire: one per namespace.
public final class CapabilitySchemas {

  private static final ObjectFactory CAPABILITY = new ObjectFactory();
  private static final String VENDOR = "1d1e6c5a-0f0b-4d5b-9a52-3b7a1c7f2e90";

  /// Label and summary of a capability, as in the Policy catalog.
  private record Words(String category, String label, String summary) {}

  private static final Map<CapabilityId, Words> WORDS =
      Map.of(
          Capabilities.SPACE_EFFICIENCY,
          new Words(
              "Storage",
              "Space efficiency",
              "Thin takes space as it is written, thick sets all of it aside"),
          Capabilities.SNAPSHOT_INTERVAL,
          new Words("Protection", "Snapshot interval", "How often the array takes a snapshot"),
          Capabilities.SNAPSHOT_RETENTION,
          new Words(
              "Protection",
              "Snapshot retention",
              "How long the array keeps such a snapshot before it deletes it"),
          Capabilities.MAX_IOPS,
          new Words("Performance", "Maximum IOPS", "The most I/Os a second that a disk may do"),
          Capabilities.MAX_BANDWIDTH,
          new Words(
              "Performance",
              "Maximum bandwidth",
              "The most bytes a second that a disk may read and write"),
          Capabilities.POINT_AGE,
          new Words(
              "Protection",
              "Age of the youngest recovery point",
              "The most that the youngest recovery point may be old"),
          Capabilities.POINTS_KEPT,
          new Words(
              "Protection",
              "Recovery points kept",
              "The least time for which recovery points are kept"),
          Capabilities.POINTS_LOCKED,
          new Words(
              "Protection",
              "Recovery points locked",
              "The least time for which nobody can delete a recovery point"),
          Capabilities.POINT_CONSISTENCY,
          new Words(
              "Protection",
              "Consistency of recovery points",
              "A recovery point has a disk as after a loss of power; guests are not quiesced"));

  private CapabilitySchemas() {}

  public static List<CapabilitySchema> all() {
    Map<String, CapabilitySchema> schemas = new LinkedHashMap<>();
    for (Capability offered : Capabilities.offered()) {
      CapabilitySchema schema =
          schemas.computeIfAbsent(offered.id().namespace(), CapabilitySchemas::empty);
      category(schema, words(offered.id()).category())
          .getCapabilityMetadata()
          .add(metadata(offered));
    }
    return List.copyOf(schemas.values());
  }

  private static CapabilitySchema empty(String namespace) {
    NamespaceInfo info = new NamespaceInfo();
    info.setNamespace(namespace);
    info.setVersion(Capabilities.VERSION);
    VendorInfo vendor = new VendorInfo();
    vendor.setVendorUuid(VENDOR);
    vendor.setInfo(
        description("io.coppice.policy.vendor", "vendor", "Coppice", "Coppice virtual volumes"));
    CapabilitySchema schema = new CapabilitySchema();
    schema.setNamespaceInfo(info);
    schema.setSchemaId(namespace);
    schema.setVendorInfo(vendor);
    return schema;
  }

  private static CapabilityMetadataPerCategory category(CapabilitySchema schema, String name) {
    return schema.getCapabilityMetadataPerCategory().stream()
        .filter(category -> category.getCategory().equals(name))
        .findFirst()
        .orElseGet(
            () -> {
              CapabilityMetadataPerCategory category = new CapabilityMetadataPerCategory();
              category.setCategory(name);
              schema.getCapabilityMetadataPerCategory().add(category);
              return category;
            });
  }

  private static CapabilityMetadata metadata(Capability offered) {
    CapabilityId id = offered.id();
    CapabilityMetadata metadata = CAPABILITY.createCapabilityMetadata();
    metadata.setAllowMultipleConstraints(false);
    metadata.setCapabilityId(ProfileMapper.bean(id));
    metadata.setHint(false);
    metadata.setKeyId(CAPABILITY.createCapabilityMetadataKeyId(id.id()));
    metadata.setMandatory(false);
    metadata.setSummary(description(id, ""));
    offered
        .constraints()
        .getFirst()
        .properties()
        .forEach((name, value) -> metadata.getPropertyMetadata().add(property(id, name, value)));
    return metadata;
  }

  private static PropertyMetadata property(CapabilityId id, String name, CapabilityValue value) {
    PropertyMetadata property = CAPABILITY.createPropertyMetadata();
    property.setId(name);
    property.setMandatory(true);
    property.setHint(false);
    property.getAllowedValue().add(ProfileMapper.bean(value));
    property.setSummary(description(id, ".value"));
    property.setType(type(value));
    return property;
  }

  private static TypeInfo type(CapabilityValue value) {
    return switch (value) {
      case CapabilityValue.OneOf _ -> {
        GenericTypeInfo type = CAPABILITY.createGenericTypeInfo();
        type.setTypeName("XSD_STRING");
        type.setGenericTypeName("VMW_SET");
        yield type;
      }
      case CapabilityValue.Between(CapabilityValue min, CapabilityValue _) -> type(min);
      case CapabilityValue.Span _ -> simple("XSD_DURATION");
      case CapabilityValue.Text _ -> simple("XSD_STRING");
      case CapabilityValue.Number _ -> simple("XSD_LONG");
      case CapabilityValue.Real _ -> simple("XSD_DOUBLE");
      case CapabilityValue.Flag _ -> simple("XSD_BOOLEAN");
    };
  }

  private static TypeInfo simple(String name) {
    TypeInfo type = CAPABILITY.createTypeInfo();
    type.setTypeName(name);
    return type;
  }

  private static Words words(CapabilityId id) {
    Words words = WORDS.get(id);
    if (words == null) {
      throw new IllegalStateException("capability " + id + " has no words");
    }
    return words;
  }

  private static ExtendedElementDescription description(CapabilityId id, String suffix) {
    Words words = words(id);
    return description(
        id.namespace() + "." + id.id() + suffix, id.id(), words.label(), words.summary());
  }

  private static ExtendedElementDescription description(
      String prefix, String key, String label, String summary) {
    ExtendedElementDescription description = new ExtendedElementDescription();
    description.setKey(key);
    description.setLabel(label);
    description.setMessageCatalogKeyPrefix(prefix);
    description.setSummary(summary);
    return description;
  }
}
