package io.coppice.admin.policy;

import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
import io.coppice.admin.edition.Turns;
import io.coppice.admin.field.LimitFields;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Role;
import io.coppice.api.policy.VmLimits;
import io.coppice.api.policy.VvolLimits;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.limit.LimitAttributes;
import io.coppice.scsi.limit.Limits;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.policy.VolumeLimits;
import java.util.List;
import java.util.UUID;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/// Limits as the target enforces them, of vVols and of virtual machines.
@RestController
final class LimitController {

  private final VolumeLimits limits;
  private final VirtualVolumes volumes;
  private final Turns turns;

  LimitController(VolumeLimits limits, VirtualVolumes volumes, Turns turns) {
    this.limits = limits;
    this.turns = turns;
    this.volumes = volumes;
  }

  @GetMapping("/vvols/{id}/limits")
  @WithinContainers
  Edited<VvolLimits> get(@PathVariable UUID id) {
    return edited(id, limits.of(volumes.require(new VolumeId(id)).id()));
  }

  private static Edited<VvolLimits> edited(UUID id, LimitAttributes qos) {
    return Edited.of(view(qos), edition(id, qos));
  }

  private static Edition edition(UUID id, LimitAttributes qos) {
    return edition(id.toString(), qos.limits()).with("weight", qos.weight());
  }

  @PutMapping("/vvols/{id}/limits")
  @WithinContainers
  @RequiredRole(Role.VM_ADMIN)
  Edited<VvolLimits> replace(
      @PathVariable UUID id, @RequestBody VvolLimits wanted, IfMatch ifMatch) {
    Limits parsed = LimitFields.parse(wanted.maxIops(), wanted.maxBandwidth());
    Integer weight = wanted.weight();
    if (weight != null
        && (weight < LimitAttributes.MIN_WEIGHT || weight > LimitAttributes.MAX_WEIGHT)) {
      throw RequestRejectedException.field(
          "weight",
          "expected a weight from %d to %d, got %d"
              .formatted(LimitAttributes.MIN_WEIGHT, LimitAttributes.MAX_WEIGHT, weight));
    }
    int share = weight == null ? LimitAttributes.DEFAULT_WEIGHT : weight;
    VolumeId volume = new VolumeId(id);
    return volumes.alone(
        volume,
        () -> {
          ifMatch.require(() -> edition(id, limits.of(volumes.require(volume).id())));
          return edited(id, limits.enforce(volume, parsed, share));
        });
  }

  @GetMapping("/vms/{id}/limits")
  Edited<VmLimits> ofMachine(@PathVariable String id) {
    return edited(id, limits.ofMachine(known(id)));
  }

  private static Edited<VmLimits> edited(String id, Limits limits) {
    return Edited.of(view(limits), edition(id, limits));
  }

  private static Edition edition(String id, Limits limits) {
    return Edition.of(id)
        .with("maxIops", limits.maxIops())
        .with("maxBandwidth", limits.maxBandwidth());
  }

  @PutMapping("/vms/{id}/limits")
  @RequiredRole(Role.VM_ADMIN)
  Edited<VmLimits> replaceOfMachine(
      @PathVariable String id, @RequestBody VmLimits wanted, IfMatch ifMatch) {
    Limits parsed = LimitFields.parse(wanted.maxIops(), wanted.maxBandwidth());
    return turns.alone(
        "vms",
        id,
        () -> {
          ifMatch.require(() -> edition(id, limits.ofMachine(known(id))));
          // The limit of a machine that is gone may still be taken away.
          limits.enforceMachine(parsed.isNone() ? id : known(id), parsed);
          return edited(id, parsed);
        });
  }

  private String known(String machine) {
    boolean found =
        !limits.ofMachine(machine).isNone() || !volumes.ofMachines(List.of(machine)).isEmpty();
    if (!found) {
      throw RequestRejectedException.notFound("virtual machine", machine);
    }
    return machine;
  }

  private static VvolLimits view(LimitAttributes qos) {
    return new VvolLimits(
        LimitFields.orNull(qos.limits().maxIops()),
        LimitFields.orNull(qos.limits().maxBandwidth()),
        qos.weight());
  }

  private static VmLimits view(Limits limits) {
    return new VmLimits(
        LimitFields.orNull(limits.maxIops()), LimitFields.orNull(limits.maxBandwidth()));
  }
}
