package io.coppice.driver.soap;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// An array as vCenter lists it.
public record StorageArray(
    String id,
    @Nullable String name,
    @Nullable String vendorId,
    @Nullable String modelId,
    @Nullable String firmware,
    long priority,
    List<String> supportedBlocks,
    List<String> supportedProfiles) {
  static StorageArray of(Xml x) {
    return new StorageArray(
        x.required("data:uniqueIdentifier"),
        x.text("data:arrayName"),
        x.text("data:vendorId"),
        x.text("data:modelId"),
        x.text("data:firmware"),
        x.number("data:priority"),
        x.texts("data:supportedBlock"),
        x.texts("data:supportedProfile"));
  }
}
