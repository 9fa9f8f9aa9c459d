package io.coppice.app.tool.doctor;

import io.coppice.vasa.session.RefusedClients;
import io.coppice.vasa.verdict.Cause;
import io.coppice.vasa.verdict.Report;
import io.coppice.vasa.verdict.ServiceJudge;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The check of the service: it answers, its control plane is ready; and whom it refused.
final class ServiceCheck implements Check {

  private static final int OK = 200;

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
        ServiceJudge.control(Optional.empty(), report);
        refused(body, site.now(), report);
      } else {
        ServiceJudge.control(Optional.of(body.path("detail").asString("")), report);
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

  /// The clients that the provider names, in its own words.
  private static void refused(JsonNode body, Instant now, Report report) {
    List<RefusedClients.Refusal> refused =
        body.path("items").valueStream().map(ServiceCheck::refusal).toList();
    List<String> trusted = body.path("trusted").valueStream().map(JsonNode::asString).toList();
    ServiceJudge.refused(refused, trusted, now, report);
  }

  private static RefusedClients.Refusal refusal(JsonNode item) {
    return new RefusedClients.Refusal(
        item.path("address").asString(),
        item.path("subject").asStringOpt().orElse(null),
        item.path("issuer").asStringOpt().orElse(null),
        item.path("validUntil").asStringOpt().map(Instant::parse).orElse(null),
        item.path("reason").asString(),
        item.path("times").asLong(),
        Instant.parse(item.path("first").asString()),
        Instant.parse(item.path("last").asString()));
  }
}
