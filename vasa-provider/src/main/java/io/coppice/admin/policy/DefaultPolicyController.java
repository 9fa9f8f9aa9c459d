package io.coppice.admin.policy;

import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
import io.coppice.admin.edition.Turns;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.policy.DefaultPolicy;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.policy.Profiles;
import io.coppice.vasa.volume.VolumeType;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Default policies of virtual volumes, by container and type, for volumes that come without one.
@RestController
final class DefaultPolicyController {

  private final Containers containers;
  private final Profiles profiles;
  private final Turns turns;

  DefaultPolicyController(Containers containers, Profiles profiles, Turns turns) {
    this.containers = containers;
    this.profiles = profiles;
    this.turns = turns;
  }

  /// Ids of policies by type of virtual volume.
  @GetMapping("/containers/{id}/default-policies")
  @WithinContainers
  Edited<Map<String, String>> get(@PathVariable UUID id) {
    Map<String, String> now = defaults(id);
    return Edited.of(now, edition(id, now));
  }

  private static Edition edition(UUID container, Map<String, String> defaults) {
    return Edition.of(container).with("defaultPolicies", defaults);
  }

  private Map<String, String> defaults(UUID id) {
    containers.require(id);
    Map<String, String> defaults = new TreeMap<>();
    profiles.defaults(id).forEach((type, profile) -> defaults.put(type, profile.id()));
    return defaults;
  }

  @PutMapping("/containers/{id}/default-policies/{type}")
  Edited<Map<String, String>> set(
      @PathVariable UUID id,
      @PathVariable String type,
      @RequestBody DefaultPolicy wanted,
      IfMatch ifMatch) {
    containers.require(id);
    String policy = RequestRejectedException.requireField("policy", wanted.policy()).toString();
    return change(id, VolumeType.parse(type).text(), policy, ifMatch);
  }

  /// The tag is that of all defaults of the container, as [#get] answers them.
  private Edited<Map<String, String>> change(
      UUID id, String type, @Nullable String policy, IfMatch ifMatch) {
    return turns.alone(
        "default-policies",
        id,
        () -> {
          ifMatch.require(() -> edition(id, defaults(id)));
          profiles.setDefault(id, type, policy);
          return get(id);
        });
  }

  @DeleteMapping("/containers/{id}/default-policies/{type}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void clear(@PathVariable UUID id, @PathVariable String type, IfMatch ifMatch) {
    containers.require(id);
    change(id, VolumeType.parse(type).text(), null, ifMatch);
  }
}
