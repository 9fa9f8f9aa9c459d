package io.coppice.driver.soap;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// VasaProviderInfo. Numbers that the provider left out are -1.
public record ProviderInfo(
    String uid,
    @Nullable String name,
    @Nullable String sessionId,
    @Nullable String apiVersion,
    @Nullable String providerVersion,
    @Nullable String defaultNamespace,
    long sessionTimeoutSeconds,
    long maxBatchSize,
    long maxConcurrentRequests,
    boolean retainCertificate,
    boolean needsExplicitActivation,
    List<String> supportedProfiles) {
  public ProviderInfo {
    supportedProfiles = List.copyOf(supportedProfiles);
  }

  static ProviderInfo of(Xml x) {
    return new ProviderInfo(
        x.required("data:uid"),
        x.text("data:name"),
        x.text("data:sessionId"),
        x.text("data:vasaApiVersion"),
        x.text("data:vasaProviderVersion"),
        x.text("data:defaultNamespace"),
        x.number("data:defaultSessionTimeoutInSeconds", -1),
        x.number("data:maxBatchSize", -1),
        x.number("data:maxConcurrentRequestsPerSession", -1),
        x.flag("data:retainVasaProviderCertificate"),
        x.flag("data:needsExplicitActivation"),
        x.texts("data:supportedProfile"));
  }
}
