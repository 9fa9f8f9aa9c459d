package io.coppice.admin.iscsi;

import io.coppice.admin.IscsiPortals;
import io.coppice.admin.Readiness;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Page;
import io.coppice.api.iscsi.IscsiPortal;
import io.coppice.api.iscsi.IscsiSession;
import io.coppice.api.iscsi.IscsiState;
import io.coppice.api.iscsi.RefusedLogin;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// The iSCSI portals, and what initiators did wrong. Needs no database.
@RestController
final class IscsiController {

  private static final Orders<IscsiSession> SESSIONS =
      Orders.<IscsiSession>usually(
              "initiator",
              one -> String.join(" ", one.initiator(), one.isid(), String.valueOf(one.target())))
          .text("initiator", IscsiSession::initiator)
          .text("portal", IscsiSession::portal)
          .time("since", IscsiSession::since)
          .text("target", IscsiSession::target);

  private static final Orders<RefusedLogin> REFUSED =
      Orders.<RefusedLogin>usually(
              "-last",
              one ->
                  String.join(
                      "\n",
                      one.address(),
                      String.valueOf(one.initiator()),
                      String.valueOf(one.target()),
                      one.sentence()))
          .time("last", RefusedLogin::last)
          .time("first", RefusedLogin::first)
          .text("address", RefusedLogin::address)
          .text("initiator", RefusedLogin::initiator)
          .number("times", RefusedLogin::times);

  private final IscsiPortals iscsi;
  private final Readiness readiness;
  private final ChangeLog changes;

  IscsiController(IscsiPortals iscsi, Readiness readiness, ChangeLog changes) {
    this.iscsi = iscsi;
    this.readiness = readiness;
    this.changes = changes;
  }

  @GetMapping("/iscsi")
  IscsiState iscsi() {
    return new IscsiState(iscsi.portals(), iscsi.logins(), iscsi.redirects(), iscsi.violations());
  }

  /// The sessions that are open now, discovery sessions too.
  @GetMapping("/iscsi/sessions")
  Page<IscsiSession> sessions(
      @ParameterObject @SortedBy({"initiator", "portal", "since", "target"}) ListQuery query,
      @RequestParam(required = false) @Nullable String initiator,
      @RequestParam(required = false) @Nullable String target) {
    return query.page(
        iscsi.sessions().stream()
            .filter(one -> initiator == null || one.initiator().equals(initiator))
            .filter(one -> target == null || target.equals(one.target()))
            .toList(),
        SESSIONS,
        one -> one);
  }

  /// The last logins that were not let in.
  @GetMapping("/iscsi/refused-logins")
  Page<RefusedLogin> refusedLogins(
      @ParameterObject @SortedBy({"-last", "first", "address", "initiator", "times"})
          ListQuery query) {
    return query.page(iscsi.refusedLogins(), REFUSED, one -> one);
  }

  /// Sends new logins to the other portals and asks the initiators of the sessions there to log
  /// out; answers at once.
  @PostMapping("/iscsi/portals/{number}/drain")
  IscsiPortal drain(@PathVariable int number) {
    return steered(number, true);
  }

  /// Puts a portal back: it takes logins again, and initiators that were sent away are asked back.
  @PostMapping("/iscsi/portals/{number}/undrain")
  IscsiPortal undrain(@PathVariable int number) {
    return steered(number, false);
  }

  private IscsiPortal steered(int number, boolean drain) {
    boolean before = stateOf(number).draining();
    boolean found = drain ? iscsi.drain(number) : iscsi.undrain(number);
    if (!found) {
      throw RequestRejectedException.notFound("portal", number);
    }
    IscsiPortal now = stateOf(number);
    if (now.draining() != before) {
      note(now, drain);
    }
    return now;
  }

  /// Answers at once, also without a database: only the log of the process has the change then.
  private void note(IscsiPortal portal, boolean drain) {
    NewChange change =
        NewChange.of(
            ChangeTopic.ACCESS,
            ChangeKind.UPDATE,
            new NewChange.Subject(
                ObjectType.PORTAL,
                Integer.toString(portal.number()),
                drain ? "PortalDrained" : "PortalUndrained"),
            Map.of("portal", "%d (%s)".formatted(portal.number(), portal.address())));
    if (readiness.obstacle().isEmpty()) {
      changes.note(change);
    } else {
      changes.missed(change);
    }
  }

  private IscsiPortal stateOf(int number) {
    return iscsi.portals().stream()
        .filter(it -> it.number() == number)
        .findFirst()
        .orElseThrow(() -> RequestRejectedException.notFound("portal", number));
  }
}
