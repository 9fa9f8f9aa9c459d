package io.coppice.admin.host;

import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.api.Page;
import io.coppice.api.host.RefusedClient;
import io.coppice.api.host.RefusedClientList;
import io.coppice.vasa.session.RefusalRemedy;
import io.coppice.vasa.session.RefusedClients;
import io.coppice.vasa.session.TrustSets;
import java.util.List;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// Clients of VASA that no registration lets in.
@RestController
final class RefusedClientController {

  private static final Orders<RefusedClients.Refusal> ORDERS =
      Orders.usually("-last", RefusedClientController::id)
          .time("last", RefusedClients.Refusal::last)
          .time("first", RefusedClients.Refusal::first)
          .text("address", RefusedClients.Refusal::address)
          .number("times", RefusedClients.Refusal::times);

  private final RefusedClients refused;
  private final TrustSets trust;

  RefusedClientController(RefusedClients refused, TrustSets trust) {
    this.refused = refused;
    this.trust = trust;
  }

  @GetMapping("/refused-clients")
  RefusedClientList refusedClients(
      @ParameterObject @SortedBy({"-last", "first", "address", "times"}) ListQuery query) {
    List<String> trusted =
        trust.all().stream()
            .flatMap(set -> set.roots().stream())
            .map(root -> root.getSubjectX500Principal().getName())
            .distinct()
            .toList();
    Page<RefusedClient> page = query.page(refused.all(), ORDERS, RefusedClientController::view);
    return new RefusedClientList(page.items(), page.next(), page.total(), trusted);
  }

  /// A client is an address with a certificate, or without one.
  private static String id(RefusedClients.Refusal one) {
    return String.join(
        " ",
        one.address(),
        String.valueOf(one.subject()),
        String.valueOf(one.issuer()),
        String.valueOf(one.validUntil()),
        one.first().toString());
  }

  private static RefusedClient view(RefusedClients.Refusal one) {
    return new RefusedClient(
        one.address(),
        one.subject(),
        one.issuer(),
        one.validUntil(),
        one.reason(),
        RefusalRemedy.of(one.reason()).sentence(),
        one.times(),
        one.first(),
        one.last());
  }
}
