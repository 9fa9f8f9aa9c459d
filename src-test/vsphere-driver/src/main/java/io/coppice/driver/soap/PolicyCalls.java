package io.coppice.driver.soap;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Storage policies, contract 5.4.
public final class PolicyCalls {
  private final Exchange exchange;

  PolicyCalls(Exchange exchange) {
    this.exchange = exchange;
  }

  /// The `capprov:CapabilitySchema` elements as they came.
  public List<Xml> queryCapabilityMetadata(List<String> schemaIds) {
    return exchange
        .ask("queryCapabilityMetadata", x -> x.each("ns:schemaId", schemaIds))
        .all("ns:return");
  }

  public List<StorageProfile> queryCapabilityProfile(List<String> profileIds) {
    return exchange.all(
        "queryCapabilityProfile", StorageProfile::of, x -> x.each("ns:profileId", profileIds));
  }

  /// Resource id to the ids of the profiles that it supports.
  public Map<String, List<String>> queryCapabilityProfileForResource(List<String> resourceIds) {
    Map<String, List<String>> byResource = new LinkedHashMap<>();
    Xml reply =
        exchange.ask(
            "queryCapabilityProfileForResource", x -> x.each("ns:resourceId", resourceIds));
    for (Xml pair : reply.all("ns:return")) {
      byResource.merge(
          pair.required("policy:resourceId"),
          List.of(pair.required("policy:profileId")),
          (a, b) -> Stream.concat(a.stream(), b.stream()).toList());
    }
    return byResource;
  }

  /// Default profiles of a container for these vVol types; none means all types.
  public List<StorageProfile> queryDefaultProfileForStorageContainer(
      String containerId, List<String> vvolTypes) {
    return exchange.all(
        "queryDefaultProfileForStorageContainer",
        StorageProfile::of,
        x -> x.text("ns:containerId", containerId).each("ns:entityType", vvolTypes));
  }

  /// Compliance of objects with a profile, null for the one that each has.
  public List<ComplianceResult> queryComplianceResult(
      List<String> objectIds, @Nullable String profileId, long generationId) {
    return exchange.all(
        "queryComplianceResult",
        ComplianceResult::of,
        x ->
            x.element(
                "ns:compliance",
                subject -> {
                  if (profileId != null) {
                    subject.text("compl:generationId", generationId);
                  }
                  subject.each("compl:objectId", objectIds).optional("compl:profileId", profileId);
                }));
  }

  public TaskInfo updateStorageProfileForVirtualVolume(String vvolId, StorageProfile profile) {
    return exchange.one(
        "updateStorageProfileForVirtualVolume",
        TaskInfo::of,
        x ->
            x.text("ns:vvolId", vvolId)
                .element("ns:newStorageProfile", profile::write)
                .absent("ns:containerCookie"));
  }
}
