package io.coppice.iscsi.session;

import io.coppice.iscsi.login.LoginNames;
import io.coppice.iscsi.login.LoginRefusal;
import io.coppice.scsi.transport.SessionOrigin;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The last logins that ended without a session. Safe for any thread.
///
/// Equal ones are one entry, so an initiator that tries again each second fills nothing. Beyond
/// [#MOST] the oldest entry goes of the address that has most of them: whoever makes up names
/// pushes out its own.
public final class LoginFailures {

  /// Entries that are kept.
  public static final int MOST = 100;

  private final InstantSource clock;

  // Guarded by this; the one that failed longest ago first.
  private final Map<Key, LoginFailure> entries = new LinkedHashMap<>();

  private record Key(String address, LoginNames names, LoginRefusal refusal) {}

  public LoginFailures(InstantSource clock) {
    this.clock = clock;
  }

  void add(SessionOrigin origin, LoginNames names, LoginRefusal refusal) {
    String address = withoutPort(origin.address());
    Key key = new Key(address, names, refusal);
    Instant now = clock.instant();
    synchronized (this) {
      LoginFailure before = entries.remove(key);
      if (before == null && entries.size() >= MOST) {
        removeOne();
      }
      entries.put(
          key,
          new LoginFailure(
              address,
              origin.portal(),
              names,
              refusal,
              before == null ? 1 : before.times() + 1,
              before == null ? now : before.first(),
              now));
    }
  }

  // Guarded by this.
  private void removeOne() {
    Map<String, Integer> counts = new HashMap<>();
    entries.keySet().forEach(key -> counts.merge(key.address(), 1, Integer::sum));
    int most = counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    for (Iterator<Key> all = entries.keySet().iterator(); all.hasNext(); ) {
      if (counts.getOrDefault(all.next().address(), 0) == most) {
        all.remove();
        return;
      }
    }
  }

  /// What is kept, the one that failed longest ago first.
  public synchronized List<LoginFailure> all() {
    return List.copyOf(entries.values());
  }

  /// `address:port` without the port, and an IPv6 address without brackets.
  private static String withoutPort(String address) {
    int colon = address.lastIndexOf(':');
    String host = colon < 0 ? address : address.substring(0, colon);
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }
}
