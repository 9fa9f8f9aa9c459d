package io.coppice.admin.volume;

import io.coppice.admin.field.CapabilityText;
import io.coppice.admin.field.ViolationText;
import io.coppice.api.volume.Breach;
import io.coppice.api.volume.ComplianceState;
import io.coppice.api.volume.PolicyEdition;
import io.coppice.api.volume.Space;
import io.coppice.api.volume.Vvol;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpace;
import io.coppice.vasa.binding.Bindings;
import io.coppice.vasa.export.Exports;
import io.coppice.vasa.policy.Compliance;
import io.coppice.vasa.policy.Violation;
import io.coppice.vasa.volume.AppliedProfile;
import io.coppice.vasa.volume.Labels;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.policy.VolumePolicies;
import io.coppice.vasa.volume.snapshot.Ancestry;
import io.coppice.vasa.volume.space.SpaceStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Virtual volumes as REST shows them.
@Component
final class VolumeViews {

  private static final VolumeSpace NOTHING = new VolumeSpace(0, 0, 0);

  private final SpaceStatistics spaces;
  private final Bindings bindings;
  private final Exports exports;
  private final VolumePolicies policies;
  private final Ancestry ancestry;

  VolumeViews(
      SpaceStatistics spaces,
      Bindings bindings,
      Exports exports,
      VolumePolicies policies,
      Ancestry ancestry) {
    this.ancestry = ancestry;
    this.spaces = spaces;
    this.bindings = bindings;
    this.exports = exports;
    this.policies = policies;
  }

  Vvol of(VirtualVolume volume) {
    return of(List.of(volume)).getFirst();
  }

  /// Views in the given order; a few statements, whatever their number.
  List<Vvol> of(List<VirtualVolume> volumes) {
    Map<VolumeId, ComplianceState> compliance = compliance(volumes);
    Map<VolumeId, VolumeId> bases = ancestry.bases();
    return volumes.stream()
        .map(one -> view(one, compliance.get(one.id()), bases.get(one.id())))
        .toList();
  }

  private Vvol view(
      VirtualVolume volume, @Nullable ComplianceState compliance, @Nullable VolumeId base) {
    VolumeSpace space = space(volume.id());
    return new Vvol(
        volume.id().value(),
        exports.naaOf(volume.id()),
        VmId.nameOf(volume),
        volume.type().text(),
        isPlain(volume),
        VmId.of(volume).orElse(null),
        volume.container(),
        base == null ? null : base.value(),
        volume.sizeInBytes(),
        space.mapped(),
        space.unique(),
        space.reserved(),
        policy(volume.profile()),
        compliance,
        !bindings.of(volume.id()).isEmpty(),
        exports.isExported(volume.id()),
        volume.created(),
        Labels.in(volume.metadata()),
        withoutLabels(volume.metadata()));
  }

  /// Whether an administrator made it: no vVol of vCenter, and no snapshot.
  static boolean isPlain(VirtualVolume volume) {
    return !volume.snapshot() && volume.origin() == VolumeOrigin.ADMIN;
  }

  private static Map<String, String> withoutLabels(Map<String, String> metadata) {
    Map<String, String> others = new HashMap<>(metadata);
    others.keySet().removeIf(Labels::isLabel);
    return others;
  }

  static @Nullable PolicyEdition policy(@Nullable AppliedProfile profile) {
    return profile == null ? null : new PolicyEdition(profile.id(), profile.generation());
  }

  /// Compliance by volume, without volumes that have no policy and snapshots, which need nothing.
  Map<VolumeId, ComplianceState> compliance(List<VirtualVolume> volumes) {
    Map<VolumeId, ComplianceState> states = new HashMap<>();
    policies
        .compliance(volumes.stream().filter(one -> !one.snapshot()).toList())
        .forEach((id, found) -> states.put(id, state(found)));
    return states;
  }

  private static ComplianceState state(Compliance found) {
    return new ComplianceState(
        found.status().text(),
        found.checked(),
        found.violations().stream().map(VolumeViews::breach).toList(),
        found.violations().isEmpty() ? null : ViolationText.of(found.violations()));
  }

  private static Breach breach(Violation violation) {
    return new Breach(
        violation.expected().id().id(),
        CapabilityText.of(violation.expected()),
        CapabilityText.of(violation.current()));
  }

  /// Costs a look into maps for volumes that share blocks outside of their family. Refused if the
  /// pool has no such volume.
  Space spaceOf(VirtualVolume volume) {
    VolumeSpace space = spaces.require(volume.id());
    return new Space(
        volume.sizeInBytes(),
        space.mapped(),
        space.mapped() - space.unique(),
        space.unique(),
        space.reserved(),
        spaces.freedIfDeleted(volume.id()));
  }

  /// The space of a volume in the pool. A snapshot that is only prepared has none yet.
  VolumeSpace space(VolumeId volume) {
    return spaces.find(volume).orElse(NOTHING);
  }
}
