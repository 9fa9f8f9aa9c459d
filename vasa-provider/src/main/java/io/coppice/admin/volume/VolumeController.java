package io.coppice.admin.volume;

import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
import io.coppice.admin.edition.Turns;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.request.ApiFilter;
import io.coppice.admin.request.RoleCheck;
import io.coppice.api.Page;
import io.coppice.api.volume.NewPlainVolume;
import io.coppice.api.volume.VolumeChange;
import io.coppice.api.volume.Vvol;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.export.BinnedExports;
import io.coppice.vasa.volume.AppliedProfile;
import io.coppice.vasa.volume.LabelFilter;
import io.coppice.vasa.volume.Labels;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpStatus;
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
  private final PlainVolumes plain;
  private final BinnedExports exports;
  private final VolumeViews views;
  private final Turns turns;

  VolumeController(
      VirtualVolumes volumes,
      PlainVolumes plain,
      BinnedExports exports,
      VolumeViews views,
      Turns turns) {
    this.exports = exports;
    this.turns = turns;
    this.volumes = volumes;
    this.plain = plain;
    this.views = views;
  }

  @GetMapping("/volumes")
  @WithinContainers
  Page<Vvol> list(
      @ParameterObject @SortedBy({"created", "name", "size"}) ListQuery query,
      @RequestParam(required = false) @Nullable UUID container,
      @RequestParam(required = false) @Nullable String name,
      @RequestParam(required = false) @Nullable UUID policy,
      @RequestParam(required = false) @Nullable List<String> label) {
    VolumeChoice choice =
        VolumeChoice.plain(container, name)
            .ofPolicy(policy == null ? null : policy.toString())
            .labelled(LabelFilter.parse(label));
    return query.page(VolumeRows.of(choice, volumes::page, volumes::count), views::of);
  }

  @GetMapping("/volumes/{id}")
  @WithinContainers
  Edited<Vvol> get(@PathVariable UUID id) {
    return edited(require(id));
  }

  private Edited<Vvol> edited(VirtualVolume volume) {
    return Edited.of(views.of(volume), edition(volume));
  }

  private static Edition edition(VirtualVolume one) {
    AppliedProfile profile = one.profile();
    return Edition.of(one.id())
        .with("name", VmId.nameOf(one))
        .with("size", one.sizeInBytes())
        .with("policy", profile, profile == null ? null : text(profile))
        .with("labels", Labels.in(one.metadata()));
  }

  private static String text(AppliedProfile profile) {
    return "%s, generation %d".formatted(profile.id(), profile.generation());
  }

  /// Changes a volume, also while it is exported: its initiators hear of a new capacity. What is
  /// refused changes nothing, unless [PlainVolumes#change] says otherwise.
  @PatchMapping("/volumes/{id}")
  @WithinContainers
  Edited<Vvol> change(@PathVariable UUID id, @RequestBody VolumeChange wanted, IfMatch ifMatch) {
    return turns.alone("volumes", id, () -> edited(changed(id, wanted, ifMatch)));
  }

  private VirtualVolume changed(UUID id, VolumeChange wanted, IfMatch ifMatch) {
    VirtualVolume volume = require(id);
    ifMatch.require(() -> edition(volume));
    plain.change(volume, wanted);
    return volumes.require(volume.id());
  }

  private VirtualVolume require(UUID id) {
    VirtualVolume volume = volumes.require(new VolumeId(id));
    if (!VolumeViews.isPlain(volume)) {
      throw RequestRejectedException.conflict(
          "not-plain",
          id.toString(),
          "expected a volume that an administrator made, but %s is a %s of a virtual machine"
              .formatted(id, volume.snapshot() ? "snapshot" : "vVol"));
    }
    return volume;
  }

  /// Makes a volume, empty or as a clone, of which nothing is copied.
  @PostMapping("/volumes")
  @WithinContainers
  Edited<Vvol> create(@RequestBody NewPlainVolume wanted) {
    VirtualVolume made = plain.make(wanted);
    return Edited.made(
        URI.create(ApiFilter.ROOT + "/vvols/" + made.id()), views.of(made), edition(made));
  }

  /// Deletes a volume; with `unexport` also one that is exported, to which nobody is connected.
  @DeleteMapping("/volumes/{id}")
  @WithinContainers
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(
      @PathVariable UUID id,
      @RequestParam(defaultValue = "false") boolean purge,
      @RequestParam(defaultValue = "false") boolean unexport,
      IfMatch ifMatch,
      HttpServletRequest request) {
    RoleCheck.requirePurging(purge, request);
    turns.doAlone(
        "volumes",
        id,
        () -> {
          VirtualVolume volume = require(id);
          ifMatch.require(() -> edition(volume));
          if (unexport) {
            exports.delete(volume.id(), purge);
          } else {
            delete(volumes, volume.id(), purge);
          }
        });
  }

  /// @param purge whether it goes at once, past the recycle bin
  static void delete(VirtualVolumes volumes, VolumeId id, boolean purge) {
    if (purge) {
      volumes.deleteForGood(id);
    } else {
      volumes.delete(id);
    }
  }
}
