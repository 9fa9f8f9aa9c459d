package io.coppice.admin.iscsi;

import io.coppice.admin.IscsiPortals;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Page;
import io.coppice.api.iscsi.IscsiPortal;
import io.coppice.api.iscsi.IscsiSession;
import io.coppice.api.iscsi.IscsiState;
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

  private final IscsiPortals iscsi;

  IscsiController(IscsiPortals iscsi) {
    this.iscsi = iscsi;
  }

  @GetMapping("/iscsi")
  IscsiState iscsi() {
    return new IscsiState(iscsi.portals(), iscsi.logins(), iscsi.redirects(), iscsi.violations());
  }

  /// The sessions that are open now, discovery sessions too.
  @GetMapping("/iscsi/sessions")
  Page<IscsiSession> sessions(
      @ParameterObject ListQuery query,
      @RequestParam(required = false) @Nullable String initiator,
      @RequestParam(required = false) @Nullable String target) {
    return query.page(
        iscsi.sessions().stream()
            .filter(one -> initiator == null || one.initiator().equals(initiator))
            .filter(one -> target == null || target.equals(one.target()))
            .toList(),
        one -> String.join(" ", one.initiator(), one.isid(), String.valueOf(one.target())),
        one -> one);
  }

  /// Sends new logins to the other portals and asks the initiators of the sessions there to log
  /// out; answers at once.
  @PostMapping("/iscsi/portals/{number}/drain")
  IscsiPortal drain(@PathVariable int number) {
    return stateOf(number, iscsi.drain(number));
  }

  /// Puts a portal back: it takes logins again, and initiators that were sent away are asked back.
  @PostMapping("/iscsi/portals/{number}/undrain")
  IscsiPortal undrain(@PathVariable int number) {
    return stateOf(number, iscsi.undrain(number));
  }

  private IscsiPortal stateOf(int number, boolean found) {
    if (!found) {
      throw RequestRejectedException.notFound("portal", number);
    }
    return iscsi.portals().stream()
        .filter(it -> it.number() == number)
        .findFirst()
        .orElseThrow(() -> RequestRejectedException.notFound("portal", number));
  }
}
