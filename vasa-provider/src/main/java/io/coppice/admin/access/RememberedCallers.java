package io.coppice.admin.access;

import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// The memory of callers whose tokens or cookies the database knew, for those who must be answered
/// while it is away. The hash stands for the token or the cookie here, too.
///
/// A revocation forgets callers after it took effect. A check that began before it may have read
/// the row, so what it found is not remembered: [#remember] compares the number of revocations that
/// it began with. Safe for any thread.
public final class RememberedCallers {

  // Guarded by this.
  private final Map<String, Known> known = new LinkedHashMap<>(16, 0.75f, true);
  private final int most;
  private long revocations;

  private record Known(AdminCaller caller, Instant ends) {}

  /// @param most callers that are remembered; the one that came longest ago goes
  public RememberedCallers(int most) {
    this.most = most;
  }

  /// The number of revocations so far, to be asked for before a caller is looked up.
  public synchronized long revocations() {
    return revocations;
  }

  /// Remembers a caller that was found, unless something was revoked meanwhile.
  ///
  /// @param hash of the token or the cookie
  /// @param ends first time at which the caller is not to be found any more
  /// @param before [#revocations] before the caller was looked up
  public synchronized void remember(byte[] hash, AdminCaller caller, Instant ends, long before) {
    if (revocations == before) {
      known.put(key(hash), new Known(caller, ends));
      if (known.size() > most) {
        known.remove(known.keySet().iterator().next());
      }
    }
  }

  /// Forgets a caller that was not found.
  public synchronized void forget(byte[] hash) {
    known.remove(key(hash));
  }

  /// Forgets all, after a revocation took effect.
  public void revoked() {
    revoked(_ -> true);
  }

  /// Forgets some, after a revocation took effect.
  public synchronized void revoked(Predicate<AdminCaller> whose) {
    revocations++;
    known.values().removeIf(one -> whose.test(one.caller()));
  }

  /// The caller that was found last time and has not ended since.
  public synchronized Optional<AdminCaller> find(byte[] hash, Instant now) {
    return Optional.ofNullable(known.get(key(hash)))
        .filter(found -> now.isBefore(found.ends()))
        .map(Known::caller);
  }

  private static String key(byte[] hash) {
    return HexFormat.of().formatHex(hash);
  }
}
