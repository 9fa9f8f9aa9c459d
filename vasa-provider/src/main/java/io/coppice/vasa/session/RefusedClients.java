package io.coppice.vasa.session;

import io.coppice.vasa.certificate.ClientChain;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/// Clients that were let in by no registration since the start, or that broke their TLS handshake
/// off: who, with which certificate, and why. The most recent [#MOST] of them; a client is an
/// address with a certificate, or without one.
///
/// Safe for any thread.
@Service
public final class RefusedClients {

  /// Strangers must not fill the memory.
  static final int MOST = 100;

  private static final Logger log = LoggerFactory.getLogger(RefusedClients.class);

  private final InstantSource clock;
  private final Map<String, Refusal> refusals = new LinkedHashMap<>();

  public RefusedClients(InstantSource clock) {
    this.clock = clock;
  }

  /// @param subject of the client's certificate; null if it showed none, like the next two
  /// @param reason of the last refusal, one sentence
  public record Refusal(
      String address,
      @Nullable String subject,
      @Nullable String issuer,
      @Nullable Instant validUntil,
      String reason,
      long times,
      Instant first,
      Instant last) {}

  /// Records that a client was refused.
  public void refused(Caller caller, String reason) {
    tell(record(caller, reason));
  }

  /// Records that a client's TLS handshake failed, which it breaks off when it does not trust our
  /// certificate.
  ///
  /// @param alert what went wrong, in TLS's words
  public void brokenOff(String address, String alert) {
    var client = new Caller(address, Optional.empty(), Optional.empty());
    tell(record(client, "the TLS handshake failed: " + alert));
  }

  private static void tell(Refusal refusal) {
    if (refusal.times() == 1) {
      log.atWarn()
          .addKeyValue("address", refusal.address())
          .addKeyValue("subject", refusal.subject())
          .addKeyValue("issuer", refusal.issuer())
          .addKeyValue("validUntil", refusal.validUntil())
          .addKeyValue("reason", refusal.reason())
          .log("client refused");
    }
  }

  private synchronized Refusal record(Caller caller, String reason) {
    Optional<ClientChain> chain = caller.chain();
    String key = caller.address() + " " + chain.map(ClientChain::fingerprint).orElse("");
    Refusal before = refusals.remove(key);
    X509Certificate leaf = chain.map(ClientChain::leaf).orElse(null);
    Instant now = clock.instant();
    var refusal =
        new Refusal(
            caller.address(),
            leaf == null ? null : leaf.getSubjectX500Principal().getName(),
            leaf == null ? null : leaf.getIssuerX500Principal().getName(),
            leaf == null ? null : leaf.getNotAfter().toInstant(),
            reason,
            before == null ? 1 : before.times() + 1,
            before == null ? now : before.first(),
            now);
    refusals.put(key, refusal);
    if (refusals.size() > MOST) {
      refusals.remove(refusals.keySet().iterator().next());
    }
    return refusal;
  }

  /// Forgets what a client was refused for, now that it is let in.
  public synchronized void admitted(Caller caller) {
    String key = caller.address() + " " + caller.chain().map(ClientChain::fingerprint).orElse("");
    refusals.remove(key);
  }

  /// The last one first.
  public synchronized List<Refusal> all() {
    return refusals.values().stream()
        .sorted(Comparator.comparing(Refusal::last).reversed())
        .toList();
  }
}
