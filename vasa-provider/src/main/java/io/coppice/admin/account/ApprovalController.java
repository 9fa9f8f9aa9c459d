package io.coppice.admin.account;

import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.access.BearerToken;
import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.request.ApiFilter;
import io.coppice.api.Page;
import io.coppice.api.Role;
import io.coppice.api.account.ApprovalRequest;
import io.coppice.api.account.ApprovalView;
import io.coppice.vasa.approval.Approval;
import io.coppice.vasa.approval.Approvals;
import io.coppice.vasa.approval.Approver;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Locale;
import java.util.UUID;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/// The changes that take two accounts of administrators. Only a session proves a person, so a token
/// can look and refuse, and neither ask nor approve.
@RestController
final class ApprovalController {

  private static final Orders<ApprovalView> ORDERS =
      Orders.<ApprovalView>ofIds("-asked", ApprovalView::id).time("asked", ApprovalView::asked);

  private final Approvals approvals;

  ApprovalController(Approvals approvals) {
    this.approvals = approvals;
  }

  @GetMapping("/approvals")
  @RequiredRole(Role.ADMIN)
  Page<ApprovalView> list(@ParameterObject @SortedBy("-asked") ListQuery query) {
    return query.page(
        approvals.list().stream().map(ApprovalController::view).toList(), ORDERS, one -> one);
  }

  @GetMapping("/approvals/{id}")
  @RequiredRole(Role.ADMIN)
  ApprovalView get(@PathVariable UUID id) {
    return view(approvals.require(id));
  }

  /// Asks for a change.
  @PostMapping("/approvals")
  @RequiredRole(Role.ADMIN)
  ResponseEntity<ApprovalView> ask(
      @RequestBody ApprovalRequest wanted, HttpServletRequest request) {
    String action = RequestRejectedException.requireField("action", wanted.action());
    String value = RequestRejectedException.requireField("value", wanted.value());
    ApprovalView made = view(approvals.ask(action, value, person(request)));
    return ResponseEntity.created(URI.create(ApiFilter.ROOT + "/approvals/" + made.id()))
        .body(made);
  }

  /// Approves a change that another account asked for, and makes it.
  @PostMapping("/approvals/{id}/approve")
  @RequiredRole(Role.ADMIN)
  ApprovalView approve(@PathVariable UUID id, HttpServletRequest request) {
    return view(approvals.approve(id, person(request)));
  }

  /// Refuses a change, or takes back one's own.
  @PostMapping("/approvals/{id}/refuse")
  @RequiredRole(Role.ADMIN)
  ApprovalView refuse(@PathVariable UUID id, HttpServletRequest request) {
    AdminCaller caller = caller(request);
    return view(approvals.refuse(id, new Approver(caller.id(), caller.name())));
  }

  private static AdminCaller caller(HttpServletRequest request) {
    return AdminCaller.of(request).orElseThrow(BearerToken::unknown);
  }

  private static Approver person(HttpServletRequest request) {
    AdminCaller caller = caller(request);
    if (caller.session() == null) {
      throw new RequestRejectedException(
          HttpStatus.FORBIDDEN,
          "forbidden",
          null,
          "expected the session of a person, got token '%s', which does not say who sends it"
              .formatted(caller.name()));
    }
    return new Approver(caller.id(), caller.name());
  }

  private static ApprovalView view(Approval one) {
    Approver ended = one.ended();
    return new ApprovalView(
        one.id(),
        one.action(),
        one.value(),
        one.state().name().toLowerCase(Locale.ROOT),
        one.asked().name(),
        one.askedAt(),
        one.expires(),
        ended == null ? null : ended.name(),
        one.endedAt());
  }
}
