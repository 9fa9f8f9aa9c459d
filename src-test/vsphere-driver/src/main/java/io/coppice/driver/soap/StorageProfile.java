package io.coppice.driver.soap;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A storage policy as vCenter hands it down. OR between sub-profiles, AND within one.
public record StorageProfile(
    String profileId,
    String name,
    long generationId,
    @Nullable String description,
    List<SubProfile> subProfiles) {
  /// A named set of capabilities that must all be met.
  public record SubProfile(String name, List<Capability> capabilities) {
    public SubProfile {
      capabilities = List.copyOf(capabilities);
    }
  }

  public StorageProfile {
    subProfiles = List.copyOf(subProfiles);
  }

  /// A policy with one sub-profile and a new id.
  public static StorageProfile of(String name, List<Capability> capabilities) {
    return new StorageProfile(
        UUID.randomUUID().toString(),
        name,
        1,
        null,
        List.of(new SubProfile("Rule-Set 1", capabilities)));
  }

  /// vCenter's "no requirements" policy.
  public static StorageProfile noRequirements() {
    return new StorageProfile(
        "f4e5bade-15a2-4805-bf8e-52318c4ce443", "vVol No Requirements Policy", 0, null, List.of());
  }

  static StorageProfile of(Xml x) {
    return new StorageProfile(
        x.required("prof:profileId"),
        x.required("prof:name"),
        x.number("prof:generationId"),
        x.text("prof:description"),
        x.all("prof:constraints/prof:subProfiles").stream()
            .map(
                sub ->
                    new SubProfile(
                        sub.required("prof:name"),
                        sub.all("prof:capability").stream().map(Capability::of).toList()))
            .toList());
  }

  void write(XmlText xml) {
    if (subProfiles.isEmpty()) {
      xml.absent("prof:constraints");
    } else {
      xml.element("prof:constraints", x -> subProfiles.forEach(sub -> write(x, sub)));
    }
    xml.text("prof:createdBy", "VSPHERE.LOCAL\\Administrator");
    xml.text("prof:creationTime", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    xml.optional("prof:description", description)
        .text("prof:generationId", generationId)
        .absent("prof:lastUpdatedBy")
        .absent("prof:lastUpdatedTime")
        .text("prof:name", name)
        .text("prof:profileId", profileId);
  }

  private static void write(XmlText xml, SubProfile sub) {
    xml.element(
        "prof:subProfiles",
        x -> {
          sub.capabilities().forEach(c -> x.element("prof:capability", c::write));
          x.text("prof:name", sub.name());
        });
  }

  /// Writes an optional profile argument.
  static void writeOptional(XmlText xml, String name, @Nullable StorageProfile profile) {
    if (profile == null) {
      xml.absent(name);
    } else {
      xml.element(name, profile::write);
    }
  }
}
