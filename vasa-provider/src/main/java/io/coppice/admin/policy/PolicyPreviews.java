package io.coppice.admin.policy;

import io.coppice.admin.field.SizeText;
import io.coppice.admin.field.ViolationText;
import io.coppice.api.policy.PolicyPreview;
import io.coppice.api.policy.UnkeptVolume;
import io.coppice.vasa.volume.SnapshotGrid;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.policy.PolicyEffect;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Effects of drafts of policies as REST shows them.
final class PolicyPreviews {

  private PolicyPreviews() {}

  static PolicyPreview of(PolicyEffect effect) {
    return new PolicyPreview(
        effect.using(),
        effect.compliant(),
        effect.broken(),
        effect.already(),
        effect.older(),
        effect.setAside(),
        sentence(effect),
        effect.unkept().stream().map(PolicyPreviews::item).toList());
  }

  private static UnkeptVolume item(PolicyEffect.Unkept one) {
    VirtualVolume volume = one.volume();
    return new UnkeptVolume(
        volume.id().value(),
        volume.metadata().get(VolumeChoice.NAME_KEY),
        Optional.ofNullable(volume.metadata().get(SnapshotGrid.MACHINE_KEY))
            .filter(vm -> !vm.isBlank())
            .orElse(null),
        Objects.requireNonNullElseGet(one.refusal(), () -> ViolationText.of(one.violations())),
        one.already());
  }

  private static String sentence(PolicyEffect effect) {
    if (effect.using() == 0) {
      return "No volume has this policy.";
    }
    int failing = effect.broken() + effect.already();
    List<String> parts = new ArrayList<>();
    parts.add(
        failing == 0
            ? "%s would comply if it were applied now".formatted(all(effect.using()))
            : "%d of %s would not comply if it were applied now"
                .formatted(failing, volumes(effect.using())));
    if (effect.already() > 0) {
      parts.add(
          effect.already() == 1
              ? "1 of these does not comply now either"
              : "%d of these do not comply now either".formatted(effect.already()));
    }
    if (effect.older() > 0) {
      parts.add("an older edition is in force for %d".formatted(effect.older()));
    }
    if (effect.setAside() > 0) {
      parts.add("%s would be set aside".formatted(SizeText.of(effect.setAside())));
    }
    return String.join("; ", parts) + ".";
  }

  private static String all(int number) {
    return number == 1 ? "The only volume" : "All %d volumes".formatted(number);
  }

  private static String volumes(int number) {
    return number == 1 ? "1 volume" : "%d volumes".formatted(number);
  }
}
