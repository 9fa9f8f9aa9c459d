package io.coppice.vasa.volume.policy;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.policy.OfferedProfile;
import io.coppice.vasa.policy.StorageProfile;
import io.coppice.vasa.volume.AppliedProfile;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.store.VolumeStore;
import java.util.ArrayList;
import java.util.List;

/// A profile on its way to the volumes of administrators that have an older edition of it, the
/// oldest volumes first. Each is changed for itself: one that is refused keeps what it has, and the
/// others go on. A crash, or a failure that is not about one volume, leaves those that were changed
/// as they are, and another run goes on behind them.
///
/// For one run.
final class RollingPolicy {

  /// Volumes that are read at once.
  private static final int PART = 1000;

  private final VolumeStore store;
  private final VolumePolicies policies;
  private final OfferedProfile profile;
  private final int most;
  private final List<PolicyRollout.Refused> refused = new ArrayList<>();
  private int applied;
  private int ofMachines;
  private int left;

  /// @param most volumes that are tried
  RollingPolicy(VolumeStore store, VolumePolicies policies, OfferedProfile profile, int most) {
    this.store = store;
    this.policies = policies;
    this.profile = profile;
    this.most = most;
  }

  PolicyRollout run() {
    StorageProfile given = profile.asStorageProfile();
    VolumeChoice choice = VolumeChoice.having(profile.id());
    List<VirtualVolume> part = store.rows().page(choice, PART);
    while (!part.isEmpty()) {
      part.stream().filter(this::isOlder).forEach(one -> roll(one, given));
      VirtualVolume last = part.getLast();
      part =
          store.rows().page(choice.from(new VolumeChoice.Place(last.created(), last.id())), PART);
    }
    return new PolicyRollout(applied, refused, ofMachines, left);
  }

  private boolean isOlder(VirtualVolume volume) {
    AppliedProfile now = volume.profile();
    return now != null && now.generation() < profile.generation();
  }

  private void roll(VirtualVolume volume, StorageProfile given) {
    if (volume.origin() != VolumeOrigin.ADMIN) {
      ofMachines++;
    } else if (applied + refused.size() >= most) {
      left++;
    } else {
      apply(volume, given);
    }
  }

  private void apply(VirtualVolume volume, StorageProfile given) {
    VolumeId id = volume.id();
    try {
      FaultTranslation.translated(() -> policies.apply(id, given));
      applied++;
    } catch (VasaException e) {
      switch (e.fault()) {
        case Fault.NotFound _ -> {} // it was deleted meanwhile
        case Fault.OutOfResource _,
            Fault.InvalidProfile _,
            Fault.InvalidArgument _,
            Fault.NotSupported _,
            Fault.ResourceInUse _,
            Fault.VasaProviderBusy _ ->
            refused.add(new PolicyRollout.Refused(volume, String.valueOf(e.getMessage())));
        default -> throw e;
      }
    }
  }
}
