package io.coppice.admin.volume;

import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.field.CamelCase;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.api.Page;
import io.coppice.api.volume.OrphanView;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.housekeeping.Orphans;
import io.coppice.vasa.volume.Orphan;
import io.coppice.vasa.volume.OrphanChoice;
import io.coppice.vasa.volume.VirtualVolume;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Orphans: what nobody seems to need any more. Nothing is deleted here.
@RestController
final class OrphanController {

  private static final Orders<Orphan> ORDERS =
      Orders.<Orphan>ofIds("created", one -> one.volume().id())
          .time("created", one -> one.volume().created())
          .text("name", one -> VmId.nameOf(one.volume()))
          .number("size", one -> one.volume().sizeInBytes());

  private final Orphans orphans;

  OrphanController(Orphans orphans) {
    this.orphans = orphans;
  }

  /// Reads all volumes and snapshots.
  @GetMapping("/orphans")
  @WithinContainers
  Page<OrphanView> list(
      @ParameterObject @SortedBy({"created", "name", "size"}) ListQuery query,
      @RequestParam(required = false) @Nullable UUID container,
      @RequestParam(required = false) @Nullable String name) {
    OrphanChoice choice = new OrphanChoice(container, name);
    return query.page(
        ListQuery.Rows.tested((order, limit) -> orphans.candidates(choice, order, limit), ORDERS),
        orphans::unneeded,
        part -> part.stream().map(this::view).toList());
  }

  private OrphanView view(Orphan orphan) {
    VirtualVolume volume = orphan.volume();
    VolumeId parent = volume.snapshot() ? volume.parent() : null;
    return new OrphanView(
        volume.id().value(),
        kind(volume),
        VmId.nameOf(volume),
        CamelCase.of(orphan.reason()),
        OrphanSentence.why(orphan),
        OrphanSentence.isOfAdministrators(volume) ? "administrator" : "vcenter",
        OrphanSentence.remedy(orphan),
        parent == null ? null : parent.value(),
        VmId.of(volume).orElse(null),
        volume.container(),
        volume.sizeInBytes(),
        orphans.frees(volume.id()).orElse(null),
        volume.created());
  }

  private static String kind(VirtualVolume volume) {
    if (volume.snapshot()) {
      return "snapshot";
    }
    return VolumeViews.isPlain(volume) ? "volume" : "vvol";
  }
}
