package io.coppice.admin.protection;

import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
import io.coppice.admin.field.LockFields;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.request.RoleCheck;
import io.coppice.api.Page;
import io.coppice.api.Role;
import io.coppice.api.protection.RecoveryPointView;
import io.coppice.api.volume.SnapshotLock;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.protection.KeptPoint;
import io.coppice.vasa.protection.PointChoice;
import io.coppice.vasa.protection.ProtectedGroups;
import io.coppice.vasa.protection.RecoveryPoints;
import io.coppice.vasa.volume.snapshot.LockedSnapshots;
import jakarta.servlet.http.HttpServletRequest;
import java.util.UUID;
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

/// Recovery points of protection groups.
@RestController
final class RecoveryPointController {

  private static final Orders<KeptPoint> ORDERS =
      Orders.<KeptPoint>ofIds("-taken", one -> one.point().id())
          .time("taken", one -> one.point().taken())
          .text("name", KeptPoint::name);

  private final RecoveryPoints points;
  private final ProtectedGroups groups;
  private final LockedSnapshots locks;

  RecoveryPointController(RecoveryPoints points, ProtectedGroups groups, LockedSnapshots locks) {
    this.locks = locks;
    this.points = points;
    this.groups = groups;
  }

  @GetMapping("/recovery-points")
  @WithinContainers
  Page<RecoveryPointView> list(
      @ParameterObject @SortedBy({"-taken", "name"}) ListQuery query,
      @RequestParam(required = false) @Nullable UUID group,
      @RequestParam(required = false) @Nullable String rule,
      @RequestParam(required = false) @Nullable String name) {
    PointChoice choice = new PointChoice(group, rule, name);
    return query.page(
        new ListQuery.Rows<>(
            (order, limit) -> points.page(choice, order, limit),
            () -> points.count(choice),
            ORDERS),
        part -> part.stream().map(one -> view(one, points)).toList());
  }

  @GetMapping("/recovery-points/{id}")
  @WithinContainers
  Edited<RecoveryPointView> get(@PathVariable UUID id) {
    KeptPoint point = points.require(id);
    return Edited.of(view(point, points), edition(point));
  }

  /// Locks the snapshots of a point, or lengthens their locks.
  @PostMapping("/recovery-points/{id}/lock")
  @RequiredRole(Role.STORAGE_ADMIN)
  RecoveryPointView lock(@PathVariable UUID id, @RequestBody SnapshotLock wanted) {
    groups.lockPoint(id, LockFields.end(wanted, locks.now()));
    return view(points.require(id), points);
  }

  /// Deletes a point with its snapshots.
  @DeleteMapping("/recovery-points/{id}")
  @WithinContainers
  @RequiredRole(Role.VM_ADMIN)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(
      @PathVariable UUID id,
      @RequestParam(defaultValue = "false") boolean purge,
      IfMatch ifMatch,
      HttpServletRequest request) {
    RoleCheck.requirePurging(purge, request);
    groups.alone(
        points.require(id).group(),
        () -> {
          ifMatch.require(() -> edition(points.require(id)));
          groups.deletePoint(id, purge);
          return id;
        });
  }

  static Edition edition(KeptPoint one) {
    return Edition.of(one.point().id()).with("name", one.name()).with("group", one.group());
  }

  static RecoveryPointView view(KeptPoint point, RecoveryPoints points) {
    return new RecoveryPointView(
        point.point().id(),
        point.group(),
        point.name(),
        points.onTheClock(point.point().taken()),
        point.point().rules().stream().sorted().toList(),
        point.snapshots().stream().map(VolumeId::value).toList(),
        points.lockedUntil(point).orElse(null));
  }
}
