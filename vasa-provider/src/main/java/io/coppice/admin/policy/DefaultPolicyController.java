package io.coppice.admin.policy;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.policy.DefaultPolicy;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.policy.Profiles;
import io.coppice.vasa.volume.VolumeType;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
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

  DefaultPolicyController(Containers containers, Profiles profiles) {
    this.containers = containers;
    this.profiles = profiles;
  }

  /// Ids of policies by type of virtual volume.
  @GetMapping("/containers/{id}/default-policies")
  Map<String, String> get(@PathVariable UUID id) {
    containers.require(id);
    Map<String, String> defaults = new TreeMap<>();
    profiles.defaults(id).forEach((type, profile) -> defaults.put(type, profile.id()));
    return defaults;
  }

  @PutMapping("/containers/{id}/default-policies/{type}")
  Map<String, String> set(
      @PathVariable UUID id, @PathVariable String type, @RequestBody DefaultPolicy wanted) {
    containers.require(id);
    String policy = RequestRejectedException.requireField("policy", wanted.policy()).toString();
    profiles.setDefault(id, VolumeType.parse(type).text(), policy);
    return get(id);
  }

  @DeleteMapping("/containers/{id}/default-policies/{type}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void clear(@PathVariable UUID id, @PathVariable String type) {
    containers.require(id);
    profiles.setDefault(id, VolumeType.parse(type).text(), null);
  }
}
