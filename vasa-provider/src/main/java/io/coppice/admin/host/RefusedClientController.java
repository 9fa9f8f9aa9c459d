package io.coppice.admin.host;

import io.coppice.api.host.RefusedClient;
import io.coppice.api.host.RefusedClientList;
import io.coppice.vasa.session.RefusedClients;
import io.coppice.vasa.session.TrustSets;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// Clients of VASA that no registration lets in.
@RestController
final class RefusedClientController {

  private final RefusedClients refused;
  private final TrustSets trust;

  RefusedClientController(RefusedClients refused, TrustSets trust) {
    this.refused = refused;
    this.trust = trust;
  }

  @GetMapping("/refused-clients")
  RefusedClientList refusedClients() {
    List<String> trusted =
        trust.all().stream()
            .flatMap(set -> set.roots().stream())
            .map(root -> root.getSubjectX500Principal().getName())
            .distinct()
            .toList();
    return new RefusedClientList(
        refused.all().stream().map(RefusedClientController::view).toList(), trusted);
  }

  private static RefusedClient view(RefusedClients.Refusal one) {
    return new RefusedClient(
        one.address(),
        one.subject(),
        one.issuer(),
        one.validUntil(),
        one.reason(),
        one.times(),
        one.first(),
        one.last());
  }
}
