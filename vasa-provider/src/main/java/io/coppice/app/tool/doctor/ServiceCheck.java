package io.coppice.app.tool.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The check of the service: it answers, its control plane is ready; and whom it refused.
final class ServiceCheck implements Check {

  private static final int OK = 200;
  private static final Duration RECENT = Duration.ofMinutes(10);

  @Override
  public void look(DoctorSubject site, Report report) {
    if (!site.running()) {
      if (Files.isDirectory(site.home())) {
        report.fail(
            "service",
            Cause.STOPPED,
            "The provider does not run, and nothing was seen that would keep it from running.",
            "start it with \"./coppice up\" and the same settings.");
      }
      return;
    }
    version(site, report);
    ready(site, report);
  }

  private static void version(DoctorSubject site, Report report) {
    if (site.settings().vasa().port() == 0) {
      report.skip("service", "the VASA port may be any free one, so it was not asked");
      return;
    }
    try {
      int status = site.served().status();
      if (status == OK) {
        report.ok("service", "https://%s/vasa/version.xml answers", site.vasa());
      } else {
        report.fail(
            "service",
            Cause.SERVICE,
            "https://%s/vasa/version.xml answers with status %d.".formatted(site.vasa(), status),
            "look into the provider's log; if it goes on, restart it.");
      }
    } catch (IOException e) {
      report.fail(
          "service",
          Cause.SERVICE,
          "The VASA port %s does not answer: %s.".formatted(site.vasa(), e.getMessage()),
          "look into the provider's log; if it goes on, restart it.");
    }
  }

  private static void ready(DoctorSubject site, Report report) {
    try {
      Optional<TlsAnswer> asked = site.askManagement("/api/v1/refused-clients");
      if (asked.isEmpty()) {
        report.skip("control", "whether the control plane is ready cannot be asked from here");
        return;
      }
      JsonNode body = JsonMapper.builder().build().readTree(asked.get().body());
      if (asked.get().status() == OK) {
        report.ok("control", "the control plane is ready");
        refused(body, site.now(), report);
      } else {
        notReady(body.path("detail").asString(""), asked.get().status(), report);
      }
    } catch (IOException | JacksonException e) {
      report.fail(
          "control",
          Cause.SERVICE,
          "The management port %s does not answer: %s."
              .formatted(site.management(), e.getMessage()),
          "look into the provider's log; if it goes on, restart it.");
    }
  }

  private static void notReady(String reason, int status, Report report) {
    boolean link = reason.contains(" belongs to the ");
    report.fail(
        "control",
        link ? Cause.POOL_LINK : Cause.SERVICE,
        "The control plane does not answer calls (%d): %s".formatted(status, reason),
        link
            ? "follow it, then restart."
            : "remove that reason; it then goes on by itself within seconds.");
  }

  private static void refused(JsonNode body, Instant now, Report report) {
    JsonNode items = body.path("items");
    if (items.isEmpty()) {
      report.ok("clients", "none was refused since the start");
      return;
    }
    for (JsonNode item : items) {
      String seen = describe(item);
      boolean recent =
          Instant.parse(item.path("last").asString()).isAfter(now.minus(RECENT))
              && !item.path("subject").isNull();
      if (recent) {
        report.fail(
            "clients",
            Cause.REFUSED,
            "A client is refused: " + seen + ".",
            "if it is a vCenter or a host of one, register the provider there again, so that its"
                + " authority is trusted here; trusted now: "
                + trusted(body));
      } else {
        report.warn("clients", "refused: %s", seen);
      }
    }
  }

  private static String describe(JsonNode item) {
    return "%s from %s, issued by %s, valid until %s, %d times, last at %s: %s"
        .formatted(
            item.path("subject").asString("no certificate"),
            item.path("address").asString(),
            item.path("issuer").asString("nobody"),
            item.path("validUntil").asString("-"),
            item.path("times").asInt(),
            item.path("last").asString(),
            item.path("reason").asString());
  }

  private static String trusted(JsonNode body) {
    List<String> names = body.path("trusted").valueStream().map(JsonNode::asString).toList();
    return names.isEmpty() ? "nobody." : String.join("; ", names) + ".";
  }
}
