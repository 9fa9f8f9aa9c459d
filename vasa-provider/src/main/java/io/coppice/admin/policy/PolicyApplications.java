package io.coppice.admin.policy;

import io.coppice.api.policy.PolicyApplication;
import io.coppice.api.policy.RefusedApplication;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.policy.PolicyRollout;
import java.util.ArrayList;
import java.util.List;

/// Outcomes of applications of policies as REST shows them.
final class PolicyApplications {

  private PolicyApplications() {}

  static PolicyApplication of(long generation, PolicyRollout rollout) {
    return new PolicyApplication(
        generation,
        rollout.applied(),
        rollout.refused().size(),
        rollout.ofMachines(),
        rollout.left(),
        sentence(rollout),
        rollout.refused().stream().map(PolicyApplications::item).toList());
  }

  private static RefusedApplication item(PolicyRollout.Refused one) {
    VirtualVolume volume = one.volume();
    return new RefusedApplication(
        volume.id().value(), volume.metadata().get(VolumeChoice.NAME_KEY), one.reason());
  }

  private static String sentence(PolicyRollout rollout) {
    List<String> parts = new ArrayList<>();
    parts.add(
        rollout.applied() == 0
            ? "No plain volume was given the present edition"
            : counted(rollout.applied(), "plain volume")
                + (rollout.applied() == 1 ? " has" : " have")
                + " the present edition now");
    if (!rollout.refused().isEmpty()) {
      parts.add(counted(rollout.refused().size(), "plain volume") + " could not be given it");
    }
    if (rollout.left() > 0) {
      parts.add(counted(rollout.left(), "plain volume") + " left: ask again");
    }
    if (rollout.ofMachines() > 0) {
      parts.add(
          counted(rollout.ofMachines(), "vVol")
              + (rollout.ofMachines() == 1 ? " keeps" : " keep")
              + " an older edition until the policy is re-applied in vCenter");
    }
    return String.join("; ", parts) + ".";
  }

  private static String counted(int number, String what) {
    return number == 1 ? "1 " + what : "%d %ss".formatted(number, what);
  }
}
