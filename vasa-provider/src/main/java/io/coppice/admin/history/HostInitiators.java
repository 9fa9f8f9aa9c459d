package io.coppice.admin.history;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.binding.KnownHosts;
import io.coppice.vasa.export.PlainHost;
import io.coppice.vasa.export.PlainHosts;
import io.coppice.vasa.statistics.Statistics;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;

/// The initiators of hosts: of those that declared themselves and those that administrators made.
/// The pool knows them; the database is not asked.
@Component
final class HostInitiators {

  private final KnownHosts known;
  private final PlainHosts plain;
  private final Statistics statistics;

  HostInitiators(KnownHosts known, PlainHosts plain, Statistics statistics) {
    this.known = known;
    this.plain = plain;
    this.statistics = statistics;
  }

  /// The initiators that a host has now.
  ///
  /// @throws RequestRejectedException (404) if there is no such host
  Set<String> require(String host) {
    for (Map.Entry<HostId, Set<String>> one : known.initiators().entrySet()) {
      if (one.getKey().value().equals(host)) {
        return one.getValue();
      }
    }
    return plain.hosts().stream()
        .filter(one -> one.id().toString().equals(host))
        .map(PlainHost::initiators)
        .findFirst()
        .orElseThrow(() -> RequestRejectedException.notFound("host", host));
  }

  /// Whether a host has an initiator of that name, or it has or had a session.
  boolean isKnown(String initiator) {
    return known.initiators().values().stream().anyMatch(names -> names.contains(initiator))
        || plain.hosts().stream().anyMatch(host -> host.initiators().contains(initiator))
        || statistics.ofInitiators().containsKey(initiator);
  }
}
