package io.coppice.admin.volume;

import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.field.NameField;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Page;
import io.coppice.api.Role;
import io.coppice.api.bin.BinItem;
import io.coppice.api.bin.Restore;
import io.coppice.api.bin.Restored;
import io.coppice.api.bin.RestoredMachine;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.vasa.export.BinnedExports;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.volume.BinChoice;
import io.coppice.vasa.volume.BinnedVolume;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.bin.RecycleBin;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.snapshot.Reverts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// The recycle bin: what was deleted, and its way back.
@RestController
final class BinController {

  private static final Orders<BinnedVolume> ORDERS =
      Orders.<BinnedVolume>ofIds("deleted", BinnedVolume::id)
          .time("deleted", one -> one.binning().since())
          .time("until", one -> one.binning().until())
          .text("name", one -> VmId.nameOf(one.volume()))
          .number("size", one -> one.volume().sizeInBytes());

  /// Most of a virtual machine that is restored by one call.
  private static final int MOST_OF_MACHINE = 1000;

  private static final String KINDS =
      String.join(", ", Stream.of(BinChoice.Kind.values()).map(BinChoice.Kind::text).toList());

  private final RecycleBin bin;
  private final VirtualVolumes volumes;
  private final Reverts reverts;
  private final VolumeViews views;
  private final VolumeNames names;
  private final BinnedExports exports;

  BinController(
      RecycleBin bin,
      VirtualVolumes volumes,
      Reverts reverts,
      VolumeViews views,
      VolumeNames names,
      BinnedExports exports) {
    this.exports = exports;
    this.volumes = volumes;
    this.reverts = reverts;
    this.bin = bin;
    this.views = views;
    this.names = names;
  }

  @GetMapping("/bin")
  @WithinContainers
  Page<BinItem> list(
      @ParameterObject @SortedBy({"deleted", "until", "name", "size"}) ListQuery query,
      @RequestParam(required = false) @Nullable UUID container,
      @RequestParam(required = false) @Nullable String vm,
      @RequestParam(required = false) @Nullable String name,
      @RequestParam(required = false) @Nullable String kind) {
    BinChoice choice = new BinChoice(container, vm, name, kind == null ? null : parsed(kind));
    return query.page(
        new ListQuery.Rows<>(
            (order, limit) -> bin.page(choice, order, limit), () -> bin.count(choice), ORDERS),
        part -> part.stream().map(this::view).toList());
  }

  private static BinChoice.Kind parsed(String kind) {
    BinChoice.Kind known = BinChoice.Kind.parse(kind);
    if (known == null) {
      throw RequestRejectedException.field(
          "kind", "expected one of %s, got '%s'".formatted(KINDS, kind));
    }
    return known;
  }

  @GetMapping("/bin/{id}")
  @WithinContainers
  BinItem get(@PathVariable UUID id) {
    return view(bin.require(new VolumeId(id)));
  }

  private BinItem view(BinnedVolume one) {
    VirtualVolume volume = one.volume();
    VolumeId parent = volume.snapshot() ? volume.parent() : null;
    var space = views.space(volume.id());
    return new BinItem(
        volume.id().value(),
        VmId.nameOf(volume),
        BinChoice.Kind.of(one).text(),
        parent == null ? null : parent.value(),
        VmId.of(volume).orElse(null),
        volume.container(),
        volume.type().text(),
        volume.sizeInBytes(),
        space.unique() + space.reserved(),
        volume.created(),
        bin.shown(one.binning().since()),
        bin.shown(one.binning().until()),
        one.binning().author());
  }

  /// Brings something back as it was when it was deleted. A volume that was deleted with its export
  /// has that again, unless the export is refused: the answer says so then.
  @PostMapping("/bin/{id}/restore")
  @WithinContainers
  @RequiredRole(Role.VM_ADMIN)
  Restored restore(@PathVariable UUID id, @RequestBody(required = false) @Nullable Restore wanted) {
    String name = wanted == null || wanted.name() == null ? null : NameField.checked(wanted.name());
    return restored(bin.require(new VolumeId(id)), name);
  }

  private Restored restored(BinnedVolume one, @Nullable String name) {
    VirtualVolume volume = one.volume();
    BinChoice.Kind kind = BinChoice.Kind.of(one);
    if (kind == BinChoice.Kind.SAFETY_COPY) {
      return undone(one, name);
    }
    String own = name == null ? VmId.nameOf(volume) : name;
    Optional<String> export = exports.of(volume.id());
    VirtualVolume back =
        kind == BinChoice.Kind.VOLUME && own != null
            ? names.claim(volume.container(), own, () -> bin.restore(volume.id(), name))
            : bin.restore(volume.id(), name);
    return export.map(kept -> exportedAgain(back, kept)).orElseGet(() -> restored(back, kind));
  }

  private Restored exportedAgain(VirtualVolume volume, String kept) {
    try {
      Integer lun = exports.resume(volume.id(), kept).map(Export::lun).orElse(null);
      return restored(volume, BinChoice.Kind.VOLUME, lun, null);
    } catch (VasaException | RefusedException e) {
      return restored(volume, BinChoice.Kind.VOLUME, null, String.valueOf(e.getMessage()));
    }
  }

  private Restored undone(BinnedVolume copy, @Nullable String name) {
    if (name != null) {
      throw RequestRejectedException.field(
          "name", "expected no name for a safety copy, because its volume keeps its own");
    }
    VolumeId volume = Objects.requireNonNull(copy.volume().parent());
    reverts.undo(copy.id());
    return restored(volumes.require(volume), BinChoice.Kind.SAFETY_COPY);
  }

  private static Restored restored(VirtualVolume volume, BinChoice.Kind kind) {
    return restored(volume, kind, null, null);
  }

  /// @param lun of its export that is made again; null for none
  /// @param refused why the export it had is not made again; null if it is, or it had none
  private static Restored restored(
      VirtualVolume volume, BinChoice.Kind kind, @Nullable Integer lun, @Nullable String refused) {
    return new Restored(
        volume.id().value(), VmId.nameOf(volume), kind.text(), volume.container(), lun, refused);
  }

  /// Brings back what is in the bin of a virtual machine, its volumes first. What is refused stays
  /// there and stops nothing else.
  @PostMapping("/vms/{id}/restore")
  @RequiredRole(Role.VM_ADMIN)
  RestoredMachine restoreMachine(@PathVariable String id) {
    List<BinnedVolume> all =
        bin
            .page(new BinChoice(null, id, null, null), RowOrder.by("deleted"), MOST_OF_MACHINE)
            .stream()
            .filter(one -> !one.binning().isSafetyCopy())
            .sorted(Comparator.comparing(one -> one.volume().snapshot()))
            .toList();
    if (all.isEmpty()) {
      throw RequestRejectedException.notFound("virtual machine in the recycle bin,", id);
    }
    List<Restored> restored = new ArrayList<>();
    List<RestoredMachine.Left> left = new ArrayList<>();
    for (BinnedVolume one : all) {
      try {
        restored.add(restored(one, null));
      } catch (VasaException | RequestRejectedException e) {
        left.add(new RestoredMachine.Left(one.id().value(), String.valueOf(e.getMessage())));
      }
    }
    return new RestoredMachine(restored, left);
  }

  /// Deletes something in the bin for good.
  @DeleteMapping("/bin/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void purge(@PathVariable UUID id) {
    bin.purge(new VolumeId(id));
  }
}
