package io.coppice.admin.alert;

import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.request.ApiFilter;
import io.coppice.api.Page;
import io.coppice.api.Role;
import io.coppice.api.alert.AlertTarget;
import io.coppice.api.alert.AlertTargetDraft;
import io.coppice.vasa.alert.delivery.AlertTargets;
import io.coppice.vasa.alert.delivery.Target;
import java.net.URI;
import java.util.Locale;
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

/// The places where alerts are sent. For administrators alone, since what they get may hold names,
/// and a target makes this machine call others.
@RestController
final class AlertTargetController {

  private static final int HTTPS = 443;

  private static final Orders<AlertTargets.Known> ORDERS =
      Orders.<AlertTargets.Known>ofIds("name", one -> one.target().id())
          .text("name", one -> one.target().name())
          .text("severity", one -> one.target().least().text());

  private final AlertTargets targets;

  AlertTargetController(AlertTargets targets) {
    this.targets = targets;
  }

  @GetMapping("/alert-targets")
  @RequiredRole(Role.ADMIN)
  Page<AlertTarget> list(
      @ParameterObject @SortedBy({"name", "severity"}) ListQuery query,
      @RequestParam(required = false) @Nullable String name) {
    return query.page(
        targets.all().stream()
            .filter(one -> name == null || one.target().name().equals(name))
            .toList(),
        ORDERS,
        AlertTargetController::view);
  }

  @PostMapping("/alert-targets")
  @RequiredRole(Role.ADMIN)
  Edited<AlertTarget> create(@RequestBody AlertTargetDraft wanted) {
    Target asked = TargetFields.made(wanted);
    AlertTargets.Known made =
        targets.alone(
            () -> {
              requireFree(asked);
              return targets.add(asked);
            });
    return Edited.made(
        URI.create(ApiFilter.ROOT + "/alert-targets/" + asked.id()), view(made), edition(made));
  }

  private void requireFree(Target wanted) {
    boolean taken =
        targets.all().stream()
            .map(AlertTargets.Known::target)
            .anyMatch(one -> one.name().equals(wanted.name()) && !one.id().equals(wanted.id()));
    if (taken) {
      throw RequestRejectedException.conflict(
          "name-taken",
          "name",
          "expected a name that no alert target has, but '%s' is taken".formatted(wanted.name()));
    }
  }

  @GetMapping("/alert-targets/{id}")
  @RequiredRole(Role.ADMIN)
  Edited<AlertTarget> get(@PathVariable UUID id) {
    return edited(targets.require(id));
  }

  @PatchMapping("/alert-targets/{id}")
  @RequiredRole(Role.ADMIN)
  Edited<AlertTarget> change(
      @PathVariable UUID id, @RequestBody AlertTargetDraft wanted, IfMatch ifMatch) {
    return targets.alone(
        () -> {
          AlertTargets.Known now = targets.require(id);
          ifMatch.require(() -> edition(now));
          Target next = TargetFields.changed(now.target(), wanted);
          requireFree(next);
          return edited(targets.change(id, _ -> next));
        });
  }

  /// Forgets a target, with what waits for it.
  @DeleteMapping("/alert-targets/{id}")
  @RequiredRole(Role.ADMIN)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable UUID id, IfMatch ifMatch) {
    targets.alone(
        () -> {
          ifMatch.require(() -> edition(targets.require(id)));
          targets.delete(id);
          return id;
        });
  }

  /// Sends a test. It answers at once; `test` of the target tells what becomes of it.
  @PostMapping("/alert-targets/{id}/test")
  @RequiredRole(Role.ADMIN)
  AlertTarget test(@PathVariable UUID id) {
    return view(targets.test(id));
  }

  private static Edited<AlertTarget> edited(AlertTargets.Known one) {
    return Edited.of(view(one), edition(one));
  }

  private static Edition edition(AlertTargets.Known one) {
    Target target = one.target();
    return Edition.of(target.id())
        .with("name", target.name())
        .with("enabled", target.enabled())
        .with("severity", target.least().text())
        .with("generation", target.generation());
  }

  private static AlertTarget view(AlertTargets.Known one) {
    Target target = one.target();
    Target.Mail mail = target.way() instanceof Target.Mail way ? way : null;
    AlertTargets.Test test = one.test();
    return new AlertTarget(
        target.id(),
        target.name(),
        TargetFields.kind(target),
        target.enabled(),
        target.least().text(),
        server(target.way()),
        mail == null ? null : mail.security().name().toLowerCase(Locale.ROOT),
        mail == null ? null : mail.user(),
        mail == null ? null : mail.from(),
        mail == null ? null : mail.to(),
        target.ca(),
        target.secret() != null,
        one.waiting(),
        one.lost(),
        one.obstacle(),
        one.delivered(),
        test == null
            ? null
            : new AlertTarget.AlertTargetTest(test.id(), test.at(), test.outcome(), test.reason()));
  }

  private static String server(Target.Way way) {
    return switch (way) {
      case Target.Mail mail -> TargetFields.server(mail);
      case Target.Webhook webhook -> {
        int port = webhook.url().getPort();
        yield "%s:%d".formatted(webhook.url().getHost(), port < 0 ? HTTPS : port);
      }
    };
  }
}
