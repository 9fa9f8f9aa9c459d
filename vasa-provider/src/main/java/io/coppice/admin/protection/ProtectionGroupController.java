package io.coppice.admin.protection;

import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
import io.coppice.admin.field.NameField;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.request.ApiFilter;
import io.coppice.admin.request.RoleCheck;
import io.coppice.api.Page;
import io.coppice.api.Role;
import io.coppice.api.protection.GroupMember;
import io.coppice.api.protection.NewPoint;
import io.coppice.api.protection.NotContinuousVolume;
import io.coppice.api.protection.ProtectionGroupDraft;
import io.coppice.api.protection.ProtectionGroupView;
import io.coppice.api.protection.RecoveryPointView;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.protection.GroupDraft;
import io.coppice.vasa.protection.KeptPoint;
import io.coppice.vasa.protection.PointsEnd;
import io.coppice.vasa.protection.ProtectedGroup;
import io.coppice.vasa.protection.ProtectedGroups;
import io.coppice.vasa.protection.ProtectedMember;
import io.coppice.vasa.protection.ProtectionPolicies;
import io.coppice.vasa.protection.ProtectionPolicy;
import io.coppice.vasa.protection.RecoveryPoints;
import io.coppice.vasa.protection.continuous.ContinuousProtection;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
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

/// Protection groups: what a protection policy protects at one cut.
@RestController
final class ProtectionGroupController {

  private static final Orders<ProtectedGroup> ORDERS =
      Orders.<ProtectedGroup>ofIds("name", ProtectedGroup::id).text("name", ProtectedGroup::name);

  private final ProtectedGroups groups;
  private final ProtectionPolicies policies;
  private final RecoveryPoints points;
  private final ContinuousProtection continuous;

  ProtectionGroupController(
      ProtectedGroups groups,
      ProtectionPolicies policies,
      RecoveryPoints points,
      ContinuousProtection continuous) {
    this.continuous = continuous;
    this.groups = groups;
    this.policies = policies;
    this.points = points;
  }

  @GetMapping("/protection-groups")
  @WithinContainers
  Page<ProtectionGroupView> list(
      @ParameterObject @SortedBy("name") ListQuery query,
      @RequestParam(required = false) @Nullable String name,
      @RequestParam(required = false) @Nullable UUID policy) {
    List<ProtectedGroup> chosen =
        groups.list().stream()
            .filter(one -> name == null || one.name().equals(name))
            .filter(one -> policy == null || one.policy().equals(policy))
            .toList();
    return query.pageAtOnce(chosen, ORDERS, this::views);
  }

  @PostMapping("/protection-groups")
  @WithinContainers
  @RequiredRole(Role.VM_ADMIN)
  Edited<ProtectionGroupView> create(@RequestBody ProtectionGroupDraft wanted) {
    ProtectedGroup made =
        groups.protect(
            new GroupDraft(
                NameField.oneLine(wanted.name()),
                RequestRejectedException.requireField("policy", wanted.policy()),
                members(RequestRejectedException.requireField("members", wanted.members()))));
    return Edited.made(
        URI.create(ApiFilter.ROOT + "/protection-groups/" + made.id()), view(made), edition(made));
  }

  private static List<ProtectedMember> members(List<GroupMember> wanted) {
    if (wanted.stream().anyMatch(Objects::isNull)) {
      throw refused("expected members, got null");
    }
    return wanted.stream().map(ProtectionGroupController::member).toList();
  }

  private static ProtectedMember member(GroupMember wanted) {
    String machine = wanted.vm();
    UUID volume = wanted.volume();
    if (machine != null && volume != null) {
      throw refused("expected either vm or volume of each member, got one with both");
    }
    if (volume != null) {
      return new ProtectedMember.Volume(new VolumeId(volume));
    }
    if (machine != null) {
      return machine(machine);
    }
    throw refused("expected either vm or volume of each member, got one with neither");
  }

  private static ProtectedMember machine(String id) {
    if (id.isBlank()) {
      throw refused("expected ids of virtual machines, got a blank one");
    }
    return new ProtectedMember.Machine(id);
  }

  private static RequestRejectedException refused(String message) {
    return RequestRejectedException.field("members", message);
  }

  @GetMapping("/protection-groups/{id}")
  @WithinContainers
  Edited<ProtectionGroupView> get(@PathVariable UUID id) {
    return edited(groups.require(id));
  }

  @PatchMapping("/protection-groups/{id}")
  @WithinContainers
  @RequiredRole(Role.VM_ADMIN)
  Edited<ProtectionGroupView> change(
      @PathVariable UUID id, @RequestBody ProtectionGroupDraft wanted, IfMatch ifMatch) {
    String name = wanted.name() == null ? null : NameField.oneLine(wanted.name());
    List<ProtectedMember> members = wanted.members() == null ? null : members(wanted.members());
    return groups.alone(
        id,
        () -> {
          ifMatch.require(() -> edition(groups.require(id)));
          return edited(
              groups.change(
                  id,
                  now ->
                      new GroupDraft(
                          name == null ? now.name() : name,
                          wanted.policy() == null ? now.policy() : wanted.policy(),
                          members == null ? now.members() : members)));
        });
  }

  /// Ends the protection. The snapshots of its points stay unless the caller says otherwise. To
  /// delete them past the recycle bin takes the role storage-admin.
  @DeleteMapping("/protection-groups/{id}")
  @WithinContainers
  @RequiredRole(Role.VM_ADMIN)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(
      @PathVariable UUID id,
      @RequestParam(defaultValue = "keep") String points,
      IfMatch ifMatch,
      HttpServletRequest request) {
    PointsEnd end = end(points);
    RoleCheck.requirePurging(end == PointsEnd.PURGE, request);
    groups.alone(
        id,
        () -> {
          ifMatch.require(() -> edition(groups.require(id)));
          groups.release(id, end);
          return id;
        });
  }

  private static PointsEnd end(String points) {
    return switch (points) {
      case "keep" -> PointsEnd.KEEP;
      case "delete" -> PointsEnd.DELETE;
      case "purge" -> PointsEnd.PURGE;
      default ->
          throw RequestRejectedException.field(
              "points", "expected keep, delete or purge, got '%s'".formatted(points));
    };
  }

  /// Takes a recovery point now. No rule gives it up.
  @PostMapping("/protection-groups/{id}/points")
  @WithinContainers
  @RequiredRole(Role.VM_ADMIN)
  Edited<RecoveryPointView> take(@PathVariable UUID id, @RequestBody NewPoint wanted) {
    KeptPoint point = groups.takeNow(id, NameField.oneLine(wanted.name()));
    return Edited.made(
        URI.create(ApiFilter.ROOT + "/recovery-points/" + point.point().id()),
        RecoveryPointController.view(point, points),
        RecoveryPointController.edition(point));
  }

  private Edited<ProtectionGroupView> edited(ProtectedGroup group) {
    return Edited.of(view(group), edition(group));
  }

  private static Edition edition(ProtectedGroup one) {
    return Edition.of(one.id())
        .with("name", one.name())
        .with("policy", one.policy())
        .with(
            "members",
            one.members().stream().map(ProtectionGroupController::text).sorted().toList());
  }

  private static String text(ProtectedMember member) {
    return switch (member) {
      case ProtectedMember.Machine(String id) -> "vm " + id;
      case ProtectedMember.Volume(VolumeId id) -> "volume " + id;
    };
  }

  private ProtectionGroupView view(ProtectedGroup group) {
    return views(List.of(group)).stream()
        .findFirst()
        .orElseThrow(() -> RequestRejectedException.notFound("protection group", group.id()));
  }

  /// Views in the given order, a few statements whatever their number. One whose policy is gone is
  /// gone itself meanwhile.
  private List<ProtectionGroupView> views(List<ProtectedGroup> shown) {
    Map<UUID, ProtectionPolicy> own =
        policies.find(shown.stream().map(ProtectedGroup::policy).collect(Collectors.toSet()));
    Map<UUID, Instant> youngest = points.youngest(shown.stream().map(ProtectedGroup::id).toList());
    List<ProtectionGroupView> views = new ArrayList<>();
    for (ProtectedGroup group : shown) {
      ProtectionPolicy policy = own.get(group.policy());
      if (policy != null) {
        views.add(view(group, policy, youngest.get(group.id())));
      }
    }
    return views;
  }

  private ProtectionGroupView view(
      ProtectedGroup group, ProtectionPolicy policy, @Nullable Instant last) {
    return new ProtectionGroupView(
        group.id(),
        group.name(),
        group.policy(),
        group.members().stream().map(ProtectionGroupController::view).toList(),
        groups.next(group, policy.rules()).orElse(null),
        last,
        group.lastError(),
        continuous.refused(group.id()).stream()
            .map(one -> new NotContinuousVolume(one.volume().value(), one.reason()))
            .toList());
  }

  private static GroupMember view(ProtectedMember member) {
    return switch (member) {
      case ProtectedMember.Machine(String id) -> new GroupMember(id, null);
      case ProtectedMember.Volume(VolumeId id) -> new GroupMember(null, id.value());
    };
  }
}
