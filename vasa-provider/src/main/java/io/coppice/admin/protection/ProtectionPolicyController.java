package io.coppice.admin.protection;

import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.access.ChangesNothing;
import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
import io.coppice.admin.edition.Turns;
import io.coppice.admin.field.IsoDurations;
import io.coppice.admin.field.NameField;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.request.ApiFilter;
import io.coppice.api.Page;
import io.coppice.api.Role;
import io.coppice.api.protection.PolicyWatch;
import io.coppice.api.protection.ProtectionPolicyDraft;
import io.coppice.api.protection.ProtectionPolicyView;
import io.coppice.api.protection.ProtectionPreview;
import io.coppice.engine.SnapshotLocks;
import io.coppice.vasa.protection.ProtectedGroups;
import io.coppice.vasa.protection.ProtectionDraft;
import io.coppice.vasa.protection.ProtectionPolicies;
import io.coppice.vasa.protection.ProtectionPolicy;
import io.coppice.vasa.protection.RecoveryPoints;
import io.coppice.vasa.protection.WatchRule;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
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

/// Protection policies: rules of recovery points, and tiers of continuous ones. They are in no
/// container, so every token that reads may see them.
@RestController
final class ProtectionPolicyController {

  private static final String KIND = "protection-policies";

  private static final Orders<ProtectionPolicy> ORDERS =
      Orders.<ProtectionPolicy>ofIds("name", ProtectionPolicy::id)
          .text("name", ProtectionPolicy::name)
          .time("created", ProtectionPolicy::created);

  private final ProtectionPolicies policies;
  private final ProtectedGroups groups;
  private final RecoveryPoints points;
  private final Turns turns;

  ProtectionPolicyController(
      ProtectionPolicies policies, ProtectedGroups groups, RecoveryPoints points, Turns turns) {
    this.policies = policies;
    this.groups = groups;
    this.points = points;
    this.turns = turns;
  }

  @GetMapping("/protection-policies")
  @WithinContainers
  Page<ProtectionPolicyView> list(
      @ParameterObject @SortedBy({"name", "created"}) ListQuery query,
      @RequestParam(required = false) @Nullable String name) {
    return query.page(
        policies.list().stream().filter(one -> name == null || one.name().equals(name)).toList(),
        ORDERS,
        ProtectionPolicyController::view);
  }

  @PostMapping("/protection-policies")
  Edited<ProtectionPolicyView> create(
      @RequestBody ProtectionPolicyDraft wanted, HttpServletRequest request) {
    if (wanted.generation() != null) {
      throw RequestRejectedException.field(
          "generation", "expected no generation of a new policy, got one");
    }
    String author = AdminCaller.of(request).map(AdminCaller::name).orElse("");
    ProtectionPolicy made = policies.create(draft(wanted), author);
    return Edited.made(
        URI.create("%s/%s/%s".formatted(ApiFilter.ROOT, KIND, made.id())),
        view(made),
        edition(made));
  }

  @GetMapping("/protection-policies/{id}")
  @WithinContainers
  Edited<ProtectionPolicyView> get(@PathVariable UUID id) {
    return edited(policies.require(id));
  }

  /// Replaces a policy. Its groups follow at once; points of a rule that is gone stay.
  @PutMapping("/protection-policies/{id}")
  Edited<ProtectionPolicyView> replace(
      @PathVariable UUID id, @RequestBody ProtectionPolicyDraft wanted, IfMatch ifMatch) {
    return turns.alone(KIND, id, () -> edited(replaced(id, wanted, ifMatch)));
  }

  private ProtectionPolicy replaced(UUID id, ProtectionPolicyDraft wanted, IfMatch ifMatch) {
    long generation = RequestRejectedException.requireField("generation", wanted.generation());
    ProtectionDraft draft = draft(wanted);
    ProtectionPolicy now = policies.require(id);
    ifMatch.require(() -> edition(now));
    requireGeneration(now, generation);
    return policies.update(id, generation, draft);
  }

  private static void requireGeneration(ProtectionPolicy now, long generation) {
    if (now.generation() != generation) {
      throw RequestRejectedException.conflict(
          "generation-changed",
          "generation",
          "expected generation %d of protection policy %s, got %d"
              .formatted(now.generation(), now.id(), generation));
    }
  }

  /// What the groups of a policy would lose if a draft of it took its place now.
  @PostMapping("/protection-policies/{id}/preview")
  @RequiredRole(Role.OPERATOR)
  @ChangesNothing
  ProtectionPreview preview(@PathVariable UUID id, @RequestBody ProtectionPolicyDraft wanted) {
    ProtectionPolicy now = policies.require(id);
    if (wanted.generation() != null) {
      requireGeneration(now, wanted.generation());
    }
    String name = wanted.name() == null ? now.name() : NameField.oneLine(wanted.name());
    return ProtectionPreviews.of(groups.effectOf(id, draft(wanted, name)), points);
  }

  @DeleteMapping("/protection-policies/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable UUID id, IfMatch ifMatch) {
    turns.doAlone(
        KIND,
        id,
        () -> {
          ifMatch.require(() -> edition(policies.require(id)));
          policies.delete(id);
        });
  }

  private static ProtectionDraft draft(ProtectionPolicyDraft wanted) {
    return draft(wanted, NameField.oneLine(wanted.name()));
  }

  private static ProtectionDraft draft(ProtectionPolicyDraft wanted, String name) {
    return new ProtectionDraft(
        name,
        Objects.requireNonNullElse(wanted.description(), ""),
        RuleFields.parse(RequestRejectedException.requireField("rules", wanted.rules())),
        ContinuousFields.parse(wanted.continuous()),
        watch(wanted.watch()));
  }

  private static WatchRule watch(@Nullable PolicyWatch wanted) {
    if (wanted == null) {
      return WatchRule.USUAL;
    }
    Duration lock = IsoDurations.parse("watch", wanted.lockSnapshotFor());
    if (lock != null && (!lock.isPositive() || lock.compareTo(SnapshotLocks.LONGEST) > 0)) {
      throw RequestRejectedException.field(
          "watch",
          "expected lockSnapshotFor of more than 0 s, at most %d days, got '%s'"
              .formatted(SnapshotLocks.LONGEST.toDays(), wanted.lockSnapshotFor()));
    }
    return new WatchRule(
        wanted.alert() == null || wanted.alert(), lock == null ? Duration.ZERO : lock);
  }

  private static PolicyWatch view(WatchRule watch) {
    return new PolicyWatch(
        watch.alert(), watch.lock().isZero() ? null : IsoDurations.text(watch.lock()));
  }

  private static Edited<ProtectionPolicyView> edited(ProtectionPolicy policy) {
    return Edited.of(view(policy), edition(policy));
  }

  private static Edition edition(ProtectionPolicy one) {
    return Edition.of(one.id())
        .with("name", one.name())
        .with("description", one.description())
        .with("generation", one.generation())
        .with("rules", RuleFields.views(one.rules()).stream().map(RuleFields::text).toList())
        .with("continuous", one.continuous().text())
        .with("watch", one.watch().toString());
  }

  private static ProtectionPolicyView view(ProtectionPolicy policy) {
    return new ProtectionPolicyView(
        policy.id(),
        policy.name(),
        policy.description(),
        policy.generation(),
        RuleFields.views(policy.rules()),
        ContinuousFields.views(policy.continuous()),
        view(policy.watch()),
        policy.author(),
        policy.created());
  }
}
