package io.coppice.admin.host;

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

  /// @param items the last one first
  /// @param trusted subjects of the authorities that are trusted now
  record RefusedClientList(List<RefusedClients.Refusal> items, List<String> trusted) {}

  @GetMapping("/refused-clients")
  RefusedClientList refusedClients() {
    List<String> trusted =
        trust.all().stream()
            .flatMap(set -> set.roots().stream())
            .map(root -> root.getSubjectX500Principal().getName())
            .distinct()
            .toList();
    return new RefusedClientList(refused.all(), trusted);
  }
}
