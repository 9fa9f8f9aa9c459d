package io.coppice.admin.iscsi;

import io.coppice.admin.IscsiPortals;
import io.coppice.admin.problem.RequestRejectedException;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// The iSCSI portals, and what initiators did wrong. Needs no database.
@RestController
final class IscsiController {

  private final IscsiPortals iscsi;

  IscsiController(IscsiPortals iscsi) {
    this.iscsi = iscsi;
  }

  /// @param logins sessions opened since the start
  /// @param redirects logins sent to another portal since the start
  /// @param violations since the start, by kind
  record IscsiState(
      List<IscsiPortals.Portal> portals,
      long logins,
      long redirects,
      Map<String, Long> violations) {}

  @GetMapping("/iscsi")
  IscsiState iscsi() {
    return new IscsiState(iscsi.portals(), iscsi.logins(), iscsi.redirects(), iscsi.violations());
  }

  /// Sends new logins to the other portals and asks the initiators of the sessions there to log
  /// out; answers at once.
  @PostMapping("/iscsi/portals/{number}/drain")
  IscsiPortals.Portal drain(@PathVariable int number) {
    return stateOf(number, iscsi.drain(number));
  }

  /// Puts a portal back: it takes logins again, and initiators that were sent away are asked back.
  @PostMapping("/iscsi/portals/{number}/undrain")
  IscsiPortals.Portal undrain(@PathVariable int number) {
    return stateOf(number, iscsi.undrain(number));
  }

  private IscsiPortals.Portal stateOf(int number, boolean found) {
    if (!found) {
      throw RequestRejectedException.notFound("portal", number);
    }
    return iscsi.portals().stream()
        .filter(it -> it.number() == number)
        .findFirst()
        .orElseThrow(() -> RequestRejectedException.notFound("portal", number));
  }
}
