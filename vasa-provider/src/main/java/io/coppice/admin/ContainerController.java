package io.coppice.admin;

import io.coppice.vasa.container.Containers;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.volume.ContainerSpace;
import io.coppice.vasa.volume.Spaces;
import io.coppice.vasa.volume.VirtualVolumes;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Storage containers.
@RestController
final class ContainerController {

  private final Containers containers;
  private final VirtualVolumes volumes;
  private final Spaces spaces;

  ContainerController(Containers containers, VirtualVolumes volumes, Spaces spaces) {
    this.containers = containers;
    this.volumes = volumes;
    this.spaces = spaces;
  }

  record NewContainer(@Nullable String name, @Nullable Long quota) {}

  record ContainerChange(@Nullable String name, @Nullable Long quota) {}

  /// Sizes in bytes.
  record Container(
      UUID id,
      String name,
      long quota,
      Instant created,
      long vms,
      long vvols,
      long provisioned,
      long used,
      long free) {}

  @GetMapping("/containers")
  Page<Container> list(@ParameterObject ListQuery query) {
    return query.pageAtOnce(
        containers.list(), one -> ListQuery.key(one.created(), one.id()), this::views);
  }

  @PostMapping("/containers")
  ResponseEntity<Container> create(@RequestBody NewContainer wanted) {
    StorageContainer made =
        containers.create(
            Rejection.requireField("name", wanted.name()),
            Rejection.requireField("quota", wanted.quota()));
    return ResponseEntity.created(URI.create(ApiFilter.ROOT + "/containers/" + made.id()))
        .body(view(made));
  }

  @GetMapping("/containers/{id}")
  Container get(@PathVariable UUID id) {
    return view(containers.require(id));
  }

  @PatchMapping("/containers/{id}")
  Container change(@PathVariable UUID id, @RequestBody ContainerChange wanted) {
    StorageContainer now = containers.require(id);
    return view(
        containers.update(
            id,
            Objects.requireNonNullElse(wanted.name(), now.name()),
            Objects.requireNonNullElse(wanted.quota(), now.quotaInBytes())));
  }

  @DeleteMapping("/containers/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable UUID id) {
    containers.delete(id);
  }

  private Container view(StorageContainer container) {
    return views(List.of(container)).getFirst();
  }

  /// In their order; one pass over rows and pool, however many there are.
  private List<Container> views(List<StorageContainer> shown) {
    Map<UUID, VirtualVolumes.Count> counts = volumes.perContainer();
    Map<UUID, ContainerSpace> used = spaces.ofContainers(shown);
    return shown.stream()
        .map(
            one ->
                view(
                    one,
                    counts.getOrDefault(one.id(), VirtualVolumes.Count.NONE),
                    Objects.requireNonNull(used.get(one.id()))))
        .toList();
  }

  private static Container view(
      StorageContainer container, VirtualVolumes.Count inside, ContainerSpace space) {
    return new Container(
        container.id(),
        container.name(),
        container.quotaInBytes(),
        container.created(),
        inside.machines(),
        inside.volumes(),
        space.provisioned(),
        space.used(),
        space.free());
  }
}
