package io.coppice.admin.openid;

import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.Nonce;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/// The logins that have begun and whose answer from the authorization server is waited for. Each
/// can be taken once. Where there are too many, the oldest gives way.
///
/// Safe for several threads: each method holds the lock of this object.
final class PendingLogins {

  private final int most;
  private final Duration lifetime;
  private final LongSupplier nanos;
  private final Map<String, Pending> byState = new LinkedHashMap<>(); // the oldest first

  /// @param nanos a clock as [System#nanoTime]
  PendingLogins(int most, Duration lifetime, LongSupplier nanos) {
    this.most = most;
    this.lifetime = lifetime;
    this.nanos = nanos;
  }

  /// A login under way.
  ///
  /// @param browser text of the cookie of the browser that began it
  /// @param target path to which the browser goes in the end
  record Pending(Nonce nonce, CodeVerifier verifier, String browser, String target, long begun) {

    boolean isOf(String cookie) {
      return MessageDigest.isEqual(
          browser.getBytes(StandardCharsets.UTF_8), cookie.getBytes(StandardCharsets.UTF_8));
    }
  }

  synchronized void add(String state, Pending pending) {
    removeOld();
    byState.put(state, pending);
    Iterator<String> oldest = byState.keySet().iterator();
    while (byState.size() > most) {
      oldest.next();
      oldest.remove();
    }
  }

  /// Takes a login away.
  ///
  /// @return empty if there is none, its time is over, or another browser began it
  synchronized Optional<Pending> take(String state, String browser) {
    removeOld();
    Pending found = byState.get(state);
    if (found == null || !found.isOf(browser)) {
      return Optional.empty(); // another browser takes nothing from the one that began it
    }
    byState.remove(state);
    return Optional.of(found);
  }

  synchronized int size() {
    return byState.size();
  }

  private void removeOld() {
    long now = nanos.getAsLong();
    byState.values().removeIf(pending -> now - pending.begun() > lifetime.toNanos());
  }
}
