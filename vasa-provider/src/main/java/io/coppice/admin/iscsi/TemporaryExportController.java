package io.coppice.admin.iscsi;

import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
import io.coppice.admin.edition.Turns;
import io.coppice.admin.field.IsoDurations;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.request.ApiFilter;
import io.coppice.api.Page;
import io.coppice.api.iscsi.NewTemporaryExport;
import io.coppice.api.iscsi.TemporaryExportChange;
import io.coppice.api.iscsi.TemporaryExportView;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.export.temporary.TemporaryExport;
import io.coppice.vasa.export.temporary.TemporaryExports;
import io.coppice.vasa.protection.KeptPoint;
import io.coppice.vasa.protection.RecoveryPoints;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Exports of recovery points and snapshots that end by themselves.
@RestController
final class TemporaryExportController {

  private static final String KEEP = "keepFor";

  private static final Orders<TemporaryExport> ORDERS =
      Orders.<TemporaryExport>ofIds("ends", TemporaryExport::id)
          .time("ends", TemporaryExport::ends)
          .time("created", TemporaryExport::created);

  private final TemporaryExports exports;
  private final TemporaryExportViews views;
  private final RecoveryPoints points;
  private final Turns turns;

  TemporaryExportController(
      TemporaryExports exports, TemporaryExportViews views, RecoveryPoints points, Turns turns) {
    this.exports = exports;
    this.views = views;
    this.points = points;
    this.turns = turns;
  }

  @GetMapping("/temporary-exports")
  @WithinContainers
  Page<TemporaryExportView> list(@ParameterObject @SortedBy({"ends", "created"}) ListQuery query) {
    return query.page(exports.list(), ORDERS, views::of);
  }

  @GetMapping("/temporary-exports/{id}")
  @WithinContainers
  Edited<TemporaryExportView> get(@PathVariable UUID id) {
    return edited(exports.require(id));
  }

  private Edited<TemporaryExportView> edited(TemporaryExport one) {
    return Edited.of(views.of(one), edition(one));
  }

  private static Edition edition(TemporaryExport one) {
    return Edition.of(one.id()).with("ends", one.ends()).with("snapshots", one.snapshots());
  }

  /// Exports all snapshots of a recovery point, or some snapshots, to a host, for a time.
  @PostMapping("/temporary-exports")
  @WithinContainers
  Edited<TemporaryExportView> create(@RequestBody NewTemporaryExport wanted) {
    KeptPoint point = wanted.point() == null ? null : points.require(wanted.point());
    TemporaryExports.Wanted checked =
        new TemporaryExports.Wanted(
            wanted.point(),
            point == null ? "temporary" : shortened(point.name()),
            snapshots(wanted.snapshots(), point),
            Boolean.TRUE.equals(wanted.writable()),
            IsoDurations.parse(KEEP, wanted.keepFor()),
            ExportController.audience(wanted.initiators(), wanted.hosts(), wanted.groups()));
    TemporaryExport made =
        RequestRejectedException.about("initiators", () -> exports.make(checked));
    return Edited.made(
        URI.create(ApiFilter.ROOT + "/temporary-exports/" + made.id()),
        views.of(made),
        edition(made));
  }

  /// Leaves room for the end that makes the name of a clone one of its own.
  private static String shortened(String name) {
    int most = 60;
    return name.length() <= most ? name : name.substring(0, most);
  }

  private static List<VolumeId> snapshots(@Nullable List<UUID> named, @Nullable KeptPoint point) {
    if (named == null) {
      if (point == null) {
        throw RequestRejectedException.field(
            "point", "expected a recovery point or snapshots, got neither");
      }
      return counted(point.snapshots());
    }
    if (named.stream().anyMatch(Objects::isNull)) {
      throw RequestRejectedException.field("snapshots", "expected ids, got null");
    }
    Set<VolumeId> chosen = new LinkedHashSet<>();
    named.forEach(id -> chosen.add(new VolumeId(id)));
    for (VolumeId id : chosen) {
      if (point != null && !point.snapshots().contains(id)) {
        throw RequestRejectedException.field(
            "snapshots",
            "expected snapshots of recovery point %s, got %s".formatted(point.point().id(), id));
      }
    }
    return counted(List.copyOf(chosen));
  }

  private static List<VolumeId> counted(List<VolumeId> some) {
    if (some.isEmpty() || some.size() > StorageEngine.MAX_GROUP) {
      throw RequestRejectedException.field(
          "snapshots",
          "expected 1 to %d snapshots, got %d".formatted(StorageEngine.MAX_GROUP, some.size()));
    }
    return some;
  }

  /// Lets one end earlier or later.
  @PatchMapping("/temporary-exports/{id}")
  @WithinContainers
  Edited<TemporaryExportView> change(
      @PathVariable UUID id, @RequestBody TemporaryExportChange wanted, IfMatch ifMatch) {
    Duration keep =
        Objects.requireNonNull(
            IsoDurations.parse(
                KEEP, RequestRejectedException.requireField(KEEP, wanted.keepFor())));
    return turns.alone(
        "temporary-exports",
        id,
        () -> {
          ifMatch.require(() -> edition(exports.require(id)));
          return edited(exports.keep(id, keep));
        });
  }

  /// Ends one now: its exports, and the clones that were made for it.
  @DeleteMapping("/temporary-exports/{id}")
  @WithinContainers
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable UUID id, IfMatch ifMatch) {
    turns.doAlone(
        "temporary-exports",
        id,
        () -> {
          ifMatch.require(() -> edition(exports.require(id)));
          exports.end(id);
        });
  }
}
