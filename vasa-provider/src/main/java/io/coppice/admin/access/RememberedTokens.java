package io.coppice.admin.access;

import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The memory of tokens that the database knew, for readers who must be answered while it is away.
/// The hash stands for the token here, too.
///
/// A revocation forgets all of them, after it took effect. A check that began before it may have
/// read the row, so what it found is not remembered: [#remember] compares the number of revocations
/// that it began with. Safe for any thread.
final class RememberedTokens {

  /// Most tokens; the one that came longest ago goes.
  static final int MOST = 100;

  // Guarded by this.
  private final Map<String, Known> known = new LinkedHashMap<>(16, 0.75f, true);
  private long revocations;

  private record Known(AdminCaller caller, Instant expires) {}

  /// The number of revocations so far, to be asked for before a token is looked up.
  synchronized long revocations() {
    return revocations;
  }

  /// Remembers a token that was found, unless one was revoked meanwhile.
  ///
  /// @param before [#revocations] before the token was looked up
  synchronized void remember(byte[] hash, AdminCaller caller, Instant expires, long before) {
    if (revocations == before) {
      known.put(key(hash), new Known(caller, expires));
      if (known.size() > MOST) {
        known.remove(known.keySet().iterator().next());
      }
    }
  }

  /// Forgets a token that was not found.
  synchronized void forget(byte[] hash) {
    known.remove(key(hash));
  }

  /// Forgets all, after a revocation took effect.
  synchronized void revoked() {
    revocations++;
    known.clear();
  }

  /// The caller whose token was found last time and has not expired since.
  synchronized Optional<AdminCaller> find(byte[] hash, Instant now) {
    return Optional.ofNullable(known.get(key(hash)))
        .filter(found -> now.isBefore(found.expires()))
        .map(Known::caller);
  }

  private static String key(byte[] hash) {
    return HexFormat.of().formatHex(hash);
  }
}
