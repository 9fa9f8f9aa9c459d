package io.coppice.driver.iscsi;

import java.net.InetSocketAddress;
import java.util.List;

/// SendTargets in a discovery session, RFC 7143 Appendix C.
public final class Discovery {
  private Discovery() {}

  /// All targets that `portal` names to this initiator; the session ends before this returns.
  public static List<DiscoveredTarget> sendTargets(
      InetSocketAddress portal, LoginSettings settings) {
    try (IscsiSession session = IscsiSession.open(portal, null, settings, new WireCounters())) {
      return session.sendTargets("All");
    }
  }
}
