package io.coppice.vasa.session;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A client's description of itself in `setContext`, with blank texts taken as absent.
///
/// @param vcenterGuid `vcGuid`
/// @param hostGuid `hostGuid`; a client with both is a host
/// @param initiators iSCSI names, lower case
/// @param subscribedEvents `EventTypeEnum` values; empty: all
/// @param timeoutInSeconds session timeout that it wants
public record UsageContext(
    @Nullable String vcenterGuid,
    @Nullable String hostGuid,
    Set<String> initiators,
    Set<String> subscribedEvents,
    @Nullable Long timeoutInSeconds) {

  public UsageContext {
    initiators = Set.copyOf(initiators);
    subscribedEvents = Set.copyOf(subscribedEvents);
  }

  /// The client's own name; empty if it gives none.
  Optional<Peer> peer() {
    if (hostGuid != null) {
      return Optional.of(new Peer.Host(hostGuid));
    }
    return Optional.ofNullable(vcenterGuid).map(Peer.Vcenter::new);
  }
}
