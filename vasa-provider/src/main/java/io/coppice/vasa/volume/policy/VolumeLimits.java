package io.coppice.vasa.volume.policy;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.limit.GroupLimits;
import io.coppice.scsi.limit.LimitAttributes;
import io.coppice.scsi.limit.Limits;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.store.VolumeChanges;
import io.coppice.vasa.volume.store.VolumeStore;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Service;

/// The limits that the target enforces on virtual volumes and virtual machines, for administrators
/// to see and change. Each change is one record of the pool and counts at once, for running I/O
/// too. Nothing of it is in the database.
@Service
public final class VolumeLimits {

  private final VolumeStore store;
  private final GroupLimits groups;

  public VolumeLimits(VolumeStore store, GroupLimits groups) {
    this.store = store;
    this.groups = groups;
  }

  /// The limits of a volume.
  ///
  /// @throws VasaException (NotFound) if it is unknown
  public LimitAttributes of(VolumeId id) {
    return LimitAttributes.of(
        store
            .engine()
            .find(id)
            .orElseThrow(() -> VasaException.notFound("there is no virtual volume " + id))
            .attributes());
  }

  /// Sets limits of a volume that replace those of its policy, until that is applied again. If the
  /// policy asks for limits, the volume is not compliant meanwhile.
  ///
  /// @throws VasaException (NotFound) if it is unknown; (NotSupported) if it is a snapshot
  /// @throws StorageException if the pool fails
  public LimitAttributes enforce(VolumeId id, Limits limits, int weight) {
    try (var _ = store.locks().hold(id)) {
      VirtualVolume volume = store.requireWritable(id);
      LimitAttributes before = of(id);
      Map<String, String> put = new HashMap<>(LimitAttributes.attributesOf(limits));
      Set<String> remove = new HashSet<>(LimitAttributes.LIMIT_KEYS);
      if (weight == LimitAttributes.DEFAULT_WEIGHT) {
        remove.add(LimitAttributes.WEIGHT);
      } else {
        put.put(LimitAttributes.WEIGHT, Integer.toString(weight));
      }
      remove.removeAll(put.keySet());
      LimitAttributes now =
          LimitAttributes.of(
              store.engine().setAttributes(OperationId.random(), id, put, remove).attributes());
      if (!now.equals(before)) {
        String text = "%s, weight %d".formatted(text(limits), weight);
        store
            .changes()
            .note(VolumeChanges.of(volume, ChangeKind.UPDATE, "Limits", Map.of("limits", text)));
      }
      return now;
    }
  }

  private static String text(Limits limits) {
    String rate = limits.maxIops() == 0 ? "no limit of I/Os" : limits.maxIops() + " I/Os a second";
    String bandwidth =
        limits.maxBandwidth() == 0
            ? "no limit of bytes"
            : limits.maxBandwidth() + " bytes a second";
    return rate + ", " + bandwidth;
  }

  /// The common limits of a virtual machine's volumes; [Limits#NONE] if there are none.
  public Limits ofMachine(String machine) {
    return groups.all().getOrDefault(machine, Limits.NONE);
  }

  /// Sets a common limit of a virtual machine's volumes, beside their own.
  ///
  /// @throws VasaException (InvalidArgument) if the id is too long
  /// @throws StorageException if the pool fails
  public void enforceMachine(String machine, Limits limits) {
    try {
      Limits before = ofMachine(machine);
      groups.limit(OperationId.random(), machine, limits);
      if (!before.equals(limits)) {
        store
            .changes()
            .note(
                NewChange.of(
                    ChangeTopic.POLICY,
                    ChangeKind.UPDATE,
                    new NewChange.Subject(ObjectType.VIRTUAL_MACHINE, machine, "MachineLimits"),
                    Map.of("machine", machine, "limits", text(limits))));
      }
    } catch (IllegalArgumentException e) {
      throw VasaException.invalidArgument(String.valueOf(e.getMessage()));
    }
  }
}
