package io.coppice.admin.policy;

import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.access.ChangesNothing;
import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
import io.coppice.admin.edition.Turns;
import io.coppice.admin.field.IsoDurations;
import io.coppice.admin.field.LimitFields;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.request.ApiFilter;
import io.coppice.api.Page;
import io.coppice.api.Role;
import io.coppice.api.policy.Policy;
import io.coppice.api.policy.PolicyApplication;
import io.coppice.api.policy.PolicyDraft;
import io.coppice.api.policy.PolicyPreview;
import io.coppice.vasa.policy.OfferedProfile;
import io.coppice.vasa.policy.PointDemand;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Profiles;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.SpaceEfficiency;
import io.coppice.vasa.volume.policy.VolumePolicies;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Policies: the capability profiles that the array offers.
@RestController
final class PolicyController {

  private static final Orders<OfferedProfile> ORDERS =
      Orders.usually("created", OfferedProfile::id)
          .time("created", OfferedProfile::created)
          .text("name", OfferedProfile::name);

  /// Most volumes that one call applies a policy to: it is to answer in time.
  private static final int MOST_APPLIED = 256;

  private final Profiles profiles;
  private final VolumePolicies policies;
  private final Turns turns;

  PolicyController(Profiles profiles, VolumePolicies policies, Turns turns) {
    this.profiles = profiles;
    this.policies = policies;
    this.turns = turns;
  }

  @GetMapping("/policies")
  @WithinContainers
  Page<Policy> list(
      @ParameterObject @SortedBy({"created", "name"}) ListQuery query,
      @RequestParam(required = false) @Nullable String name) {
    return query.page(
        profiles.list().stream().filter(one -> name == null || one.name().equals(name)).toList(),
        ORDERS,
        PolicyController::view);
  }

  @PostMapping("/policies")
  @RequiredRole(Role.VM_ADMIN)
  Edited<Policy> create(@RequestBody PolicyDraft wanted, HttpServletRequest request) {
    if (wanted.generation() != null) {
      throw RequestRejectedException.field(
          "generation", "expected no generation of a new policy, got one");
    }
    String author = AdminCaller.of(request).map(AdminCaller::name).orElse("");
    OfferedProfile made = profiles.create(draft(wanted), author);
    return Edited.made(
        URI.create(ApiFilter.ROOT + "/policies/" + made.id()), view(made), edition(made));
  }

  @GetMapping("/policies/{id}")
  @WithinContainers
  Edited<Policy> get(@PathVariable UUID id) {
    return edited(profiles.require(id.toString()));
  }

  private static Edited<Policy> edited(OfferedProfile profile) {
    return Edited.of(view(profile), edition(profile));
  }

  private static Edition edition(OfferedProfile one) {
    return Edition.of(one.id())
        .with("generation", one.generation())
        .with("containers", one.containers());
  }

  @PutMapping("/policies/{id}")
  @RequiredRole(Role.VM_ADMIN)
  Edited<Policy> replace(@PathVariable UUID id, @RequestBody PolicyDraft wanted, IfMatch ifMatch) {
    return turns.alone("policies", id, () -> edited(replaced(id, wanted, ifMatch)));
  }

  private OfferedProfile replaced(UUID id, PolicyDraft wanted, IfMatch ifMatch) {
    long generation = RequestRejectedException.requireField("generation", wanted.generation());
    OfferedProfile now = profiles.require(id.toString());
    ifMatch.require(() -> edition(now));
    requireGeneration(now, generation);
    return profiles.update(id.toString(), generation, draft(wanted));
  }

  private static void requireGeneration(OfferedProfile now, long generation) {
    if (now.generation() != generation) {
      throw RequestRejectedException.conflict(
          "generation-changed",
          "generation",
          "expected generation %d of policy %s, got %d"
              .formatted(now.generation(), now.id(), generation));
    }
  }

  /// What would become of the volumes of a policy if a draft of it were applied to all of them now.
  @PostMapping("/policies/{id}/preview")
  @RequiredRole(Role.OPERATOR)
  @ChangesNothing
  PolicyPreview preview(@PathVariable UUID id, @RequestBody PolicyDraft wanted) {
    OfferedProfile now = profiles.require(id.toString());
    if (wanted.generation() != null) {
      requireGeneration(now, wanted.generation());
    }
    String name = Objects.requireNonNullElse(wanted.name(), now.name());
    return PolicyPreviews.of(policies.effectOf(profiles.next(now.id(), draft(wanted, name))));
  }

  /// Gives the present edition of a policy to the plain volumes that have an older one.
  ///
  /// @param generation the edition that is meant; null for whichever is the present one
  @PostMapping("/policies/{id}/apply")
  PolicyApplication apply(
      @PathVariable UUID id, @RequestParam(required = false) @Nullable Long generation) {
    return turns.alone(
        "policies",
        id,
        () -> {
          OfferedProfile now = profiles.require(id.toString());
          if (generation != null) {
            requireGeneration(now, generation);
          }
          return PolicyApplications.of(now.generation(), policies.rollOut(now, MOST_APPLIED));
        });
  }

  @DeleteMapping("/policies/{id}")
  @RequiredRole(Role.VM_ADMIN)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable UUID id, IfMatch ifMatch) {
    turns.doAlone(
        "policies",
        id,
        () -> {
          ifMatch.require(() -> edition(profiles.require(id.toString())));
          profiles.delete(id.toString());
        });
  }

  private static ProfileDraft draft(PolicyDraft wanted) {
    return draft(wanted, RequestRejectedException.requireField("name", wanted.name()));
  }

  private static ProfileDraft draft(PolicyDraft wanted, String name) {
    return new ProfileDraft(
        name,
        Objects.requireNonNullElse(wanted.description(), ""),
        new Requirements(
            space(wanted.spaceEfficiency()),
            IsoDurations.parse("snapshotInterval", wanted.snapshotInterval()),
            IsoDurations.parse("snapshotRetention", wanted.snapshotRetention()),
            LimitFields.parse(wanted.maxIops(), wanted.maxBandwidth()),
            new PointDemand(
                IsoDurations.parse("recoveryPointAge", wanted.recoveryPointAge()),
                IsoDurations.parse("recoveryPointsKept", wanted.recoveryPointsKept()),
                IsoDurations.parse("recoveryPointsLocked", wanted.recoveryPointsLocked()))),
        containers(wanted.containers()));
  }

  private static Set<UUID> containers(@Nullable List<UUID> wanted) {
    if (wanted == null) {
      return Set.of();
    }
    if (wanted.isEmpty() || wanted.stream().anyMatch(Objects::isNull)) {
      throw RequestRejectedException.field(
          "containers", "expected ids of containers, or null for all");
    }
    return Set.copyOf(wanted);
  }

  private static @Nullable SpaceEfficiency space(@Nullable String text) {
    if (text == null) {
      return null;
    }
    for (SpaceEfficiency one : SpaceEfficiency.values()) {
      if (text(one).equals(text)) {
        return one;
      }
    }
    throw RequestRejectedException.field(
        "spaceEfficiency", "expected thin or thick, got '%s'".formatted(text));
  }

  private static String text(SpaceEfficiency space) {
    return space.text().toLowerCase(Locale.ROOT);
  }

  private static Policy view(OfferedProfile profile) {
    SpaceEfficiency space = profile.requirements().space();
    PointDemand points = profile.requirements().points();
    return new Policy(
        profile.id(),
        profile.name(),
        profile.description(),
        profile.generation(),
        space == null ? null : text(space),
        IsoDurations.text(profile.requirements().snapshotInterval()),
        IsoDurations.text(profile.requirements().snapshotRetention()),
        LimitFields.orNull(profile.requirements().limits().maxIops()),
        LimitFields.orNull(profile.requirements().limits().maxBandwidth()),
        IsoDurations.text(points.age()),
        IsoDurations.text(points.kept()),
        IsoDurations.text(points.locked()),
        profile.containers().isEmpty() ? null : profile.containers().stream().sorted().toList(),
        profile.author(),
        profile.created());
  }
}
