package io.coppice.admin.policy;

import io.coppice.admin.access.RequiredRole;
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

  LimitController(VolumeLimits limits, VirtualVolumes volumes) {
    this.limits = limits;
    this.volumes = volumes;
  }

  @GetMapping("/vvols/{id}/limits")
  VvolLimits get(@PathVariable UUID id) {
    return view(limits.of(volumes.require(new VolumeId(id)).id()));
  }

  @PutMapping("/vvols/{id}/limits")
  @RequiredRole(Role.VM_ADMIN)
  VvolLimits replace(@PathVariable UUID id, @RequestBody VvolLimits wanted) {
    Limits parsed = LimitFields.parse(wanted.maxIops(), wanted.maxBandwidth());
    Integer weight = wanted.weight();
    if (weight != null
        && (weight < LimitAttributes.MIN_WEIGHT || weight > LimitAttributes.MAX_WEIGHT)) {
      throw RequestRejectedException.field(
          "weight",
          "expected a weight from %d to %d, got %d"
              .formatted(LimitAttributes.MIN_WEIGHT, LimitAttributes.MAX_WEIGHT, weight));
    }
    return view(
        limits.enforce(
            new VolumeId(id), parsed, weight == null ? LimitAttributes.DEFAULT_WEIGHT : weight));
  }

  @GetMapping("/vms/{id}/limits")
  VmLimits ofMachine(@PathVariable String id) {
    return view(limits.ofMachine(known(id)));
  }

  @PutMapping("/vms/{id}/limits")
  @RequiredRole(Role.VM_ADMIN)
  VmLimits replaceOfMachine(@PathVariable String id, @RequestBody VmLimits wanted) {
    Limits parsed = LimitFields.parse(wanted.maxIops(), wanted.maxBandwidth());
    // The limit of a machine that is gone may still be taken away.
    limits.enforceMachine(parsed.isNone() ? id : known(id), parsed);
    return view(parsed);
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
