package io.coppice.vasa.session;

import io.coppice.vasa.certificate.ClientChain;
import io.coppice.vasa.fault.EchoedText;
import java.security.cert.X509Certificate;
import java.time.Duration;
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

/// Clients that were refused since the start: not let in, not accepted under the name they gave, or
/// gone during their TLS handshake. Each entry has the address, the certificate and the reason.
/// Only the most recent [#MOST] are kept; a client is an address with a certificate, or without
/// one.
///
/// Safe for any thread.
@Service
public final class RefusedClients {

  /// Strangers must not fill the memory.
  static final int MOST = 100;

  private static final int LONGEST_REASON = 500;

  private static final Logger log = LoggerFactory.getLogger(RefusedClients.class);

  /// Pause between two lines of log about one client, which may be refused for several reasons.
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final InstantSource clock;

  // Guarded by this; the one refused longest ago first.
  private final Map<String, Known> refusals = new LinkedHashMap<>();

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

  /// @param logged the reason that the log has
  /// @param loggedAt since when it has
  private record Known(Refusal refusal, String logged, Instant loggedAt) {}

  /// Records that a client was refused. The log has one line for each reason of a client.
  public void refused(VasaCaller caller, String reason) {
    report(record(caller, EchoedText.of(reason, LONGEST_REASON)));
  }

  /// Records a failed TLS handshake: a client that does not trust our certificate breaks it off.
  ///
  /// @param alert what went wrong, in TLS's words
  public void brokenOff(String address, String alert) {
    var client = new VasaCaller(address, Optional.empty(), Optional.empty());
    report(record(client, "the TLS handshake failed: " + alert));
  }

  private static void report(Optional<Refusal> due) {
    due.ifPresent(
        refusal ->
            log.atWarn()
                .addKeyValue("address", refusal.address())
                .addKeyValue("subject", refusal.subject())
                .addKeyValue("issuer", refusal.issuer())
                .addKeyValue("validUntil", refusal.validUntil())
                .addKeyValue("reason", refusal.reason())
                .log("client refused"));
  }

  /// @return the refusal, if the log does not have it yet
  private synchronized Optional<Refusal> record(VasaCaller caller, String reason) {
    String key = key(caller);
    Known known = refusals.remove(key);
    Refusal before = known == null ? null : known.refusal();
    X509Certificate leaf = caller.chain().map(ClientChain::leaf).orElse(null);
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
    boolean due =
        known == null
            || (!known.logged().equals(reason) && !now.isBefore(known.loggedAt().plus(PAUSE)));
    refusals.put(
        key,
        known == null || due
            ? new Known(refusal, reason, now)
            : new Known(refusal, known.logged(), known.loggedAt()));
    if (refusals.size() > MOST) {
      refusals.remove(refusals.keySet().iterator().next());
    }
    return due ? Optional.of(refusal) : Optional.empty();
  }

  private static String key(VasaCaller caller) {
    return caller.address() + " " + caller.chain().map(ClientChain::fingerprint).orElse("");
  }

  /// Forgets the refusals of a client, now that it is let in.
  public synchronized void admitted(VasaCaller caller) {
    refusals.remove(key(caller));
  }

  /// All refusals, the last one first.
  public synchronized List<Refusal> all() {
    return refusals.values().stream()
        .map(Known::refusal)
        .sorted(Comparator.comparing(Refusal::last).reversed())
        .toList();
  }
}
