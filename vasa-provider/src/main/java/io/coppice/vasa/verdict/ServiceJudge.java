package io.coppice.vasa.verdict;

import io.coppice.vasa.session.RefusedClients.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// The judge of the control plane and of whom it refused.
public final class ServiceJudge {

  private static final Duration RECENT = Duration.ofMinutes(10);

  private ServiceJudge() {}

  /// @param obstacle why it answers no calls; empty if it answers
  public static void control(Optional<String> obstacle, Report report) {
    if (obstacle.isEmpty()) {
      report.ok("control", "the control plane is ready");
      return;
    }
    boolean link = obstacle.get().contains(" belongs to the ");
    report.fail(
        "control",
        link ? Cause.POOL_LINK : Cause.SERVICE,
        "The control plane does not answer calls: " + Report.ended(obstacle.get()),
        link
            ? "follow it, then restart."
            : "remove that reason; it then goes on by itself within seconds.");
  }

  /// @param trusted subjects of the authorities that are trusted now
  public static void refused(
      List<Refusal> clients, List<String> trusted, Instant now, Report report) {
    if (clients.isEmpty()) {
      report.ok("clients", "none was refused since the start");
      return;
    }
    for (Refusal client : clients) {
      String seen = describe(client);
      if (client.subject() != null && client.last().isAfter(now.minus(RECENT))) {
        report.fail(
            "clients",
            Cause.REFUSED,
            "A client is refused: " + seen + ".",
            "if it is a vCenter or a host of one, register the provider there again, so that its"
                + " authority is trusted here; trusted now: "
                + (trusted.isEmpty() ? "nobody." : String.join("; ", trusted) + "."));
      } else {
        report.warn("clients", "refused: %s", seen);
      }
    }
  }

  private static String describe(Refusal client) {
    return "%s from %s, issued by %s, valid until %s, %s %s: %s"
        .formatted(
            Objects.requireNonNullElse(client.subject(), "no certificate"),
            client.address(),
            Objects.requireNonNullElse(client.issuer(), "nobody"),
            client.validUntil() == null ? "-" : client.validUntil(),
            client.times() == 1 ? "once, at" : client.times() + " times, last at",
            client.last().truncatedTo(ChronoUnit.SECONDS),
            client.reason());
  }
}
