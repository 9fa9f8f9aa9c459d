package io.coppice.admin.volume;

import io.coppice.admin.field.NameField;
import io.coppice.admin.job.Jobs;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.request.ApiFilter;
import io.coppice.api.Page;
import io.coppice.api.volume.NewPlainVolume;
import io.coppice.api.volume.VolumeChange;
import io.coppice.api.volume.Vvol;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.policy.Profiles;
import io.coppice.vasa.policy.StorageProfile;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.net.URI;
import java.util.Map;
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
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Volumes that an administrator makes, for plain logical units.
@RestController
final class VolumeController {

  private final VirtualVolumes volumes;
  private final Profiles profiles;
  private final VolumeViews views;
  private final Containers containers;
  private final VolumeNames names;

  VolumeController(
      VirtualVolumes volumes,
      Profiles profiles,
      VolumeViews views,
      Containers containers,
      VolumeNames names) {
    this.names = names;
    this.volumes = volumes;
    this.profiles = profiles;
    this.views = views;
    this.containers = containers;
  }

  @GetMapping("/volumes")
  Page<Vvol> list(
      @ParameterObject ListQuery query,
      @RequestParam(required = false) @Nullable UUID container,
      @RequestParam(required = false) @Nullable String name) {
    return query.page(
        VolumeRows.of(
            VolumeChoice.plain(container, name), VolumeChoice::from, volumes::page, volumes::count),
        views::of);
  }

  @GetMapping("/volumes/{id}")
  Vvol get(@PathVariable UUID id) {
    return views.of(require(id));
  }

  /// Renames and grows a volume, also while it is exported: its initiators hear of the new
  /// capacity. A size or a name that is refused changes nothing. If the name cannot be stored after
  /// that, the volume has grown.
  @PatchMapping("/volumes/{id}")
  Vvol change(@PathVariable UUID id, @RequestBody VolumeChange wanted) {
    VirtualVolume volume = require(id);
    if (wanted.name() == null) {
      grow(volume, wanted.size());
    } else {
      names.rename(volume, NameField.checked(wanted.name()), () -> grow(volume, wanted.size()));
    }
    return views.of(volumes.require(volume.id()));
  }

  private void grow(VirtualVolume volume, @Nullable Long size) {
    if (size != null && size != volume.sizeInBytes()) {
      RequestRejectedException.about("size", () -> volumes.resize(volume.id(), size));
    }
  }

  private VirtualVolume require(UUID id) {
    VirtualVolume volume = volumes.require(new VolumeId(id));
    if (volume.snapshot() || volume.origin() != VolumeOrigin.ADMIN) {
      throw RequestRejectedException.conflict(
          "not-plain",
          id.toString(),
          "expected a volume that an administrator made, but %s is a %s of a virtual machine"
              .formatted(id, volume.snapshot() ? "snapshot" : "vVol"));
    }
    return volume;
  }

  @PostMapping("/volumes")
  ResponseEntity<Vvol> create(@RequestBody NewPlainVolume wanted) {
    String name = NameField.checked(wanted.name());
    NewVolume volume =
        new NewVolume(
            RequestRejectedException.requireField("container", wanted.container()),
            VolumeType.OTHER,
            VolumeOrigin.ADMIN,
            policy(wanted.policy()),
            RequestRejectedException.requireField("size", wanted.size()),
            Map.of(VmId.NAME_KEY, name));
    RequestRejectedException.about("container", () -> containers.require(volume.container()));
    VasaTask task = names.claim(volume.container(), name, () -> volumes.create(volume));
    VolumeId made = Jobs.madeBy(task);
    return ResponseEntity.created(URI.create(ApiFilter.ROOT + "/vvols/" + made))
        .body(views.of(volumes.require(made)));
  }

  private @Nullable StorageProfile policy(@Nullable UUID id) {
    return id == null
        ? null
        : RequestRejectedException.about("policy", () -> profiles.requireOffered(id.toString()));
  }

  @DeleteMapping("/volumes/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable UUID id) {
    volumes.delete(require(id).id());
  }
}
