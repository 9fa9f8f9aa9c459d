package io.coppice.app.tool.doctor;

import java.io.IOException;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The check that the pool of a running provider serves I/O. Needs no database.
final class DataPlaneCheck implements Check {

  private static final String TOPIC = "service-io";

  @Override
  public void look(DoctorSubject site, Report report) {
    if (!site.running()) {
      report.skip(TOPIC, "no provider runs, so no volume is served");
      return;
    }
    try {
      Optional<TlsAnswer> answer = site.askManagement("/api/v1/system");
      if (answer.isEmpty()) {
        report.skip(TOPIC, "whether volumes are served cannot be asked from here");
        return;
      }
      JsonNode body = JsonMapper.builder().build().readTree(answer.get().body());
      judge(body.path("status"), report);
    } catch (IOException | JacksonException e) {
      // The service's check reports a port that does not answer.
      report.skip(
          TOPIC,
          "whether volumes are served could not be asked: %s",
          String.valueOf(e.getMessage()));
    }
  }

  private static void judge(JsonNode status, Report report) {
    String since = status.path("since").asString("");
    String reason = status.path("reason").asString("");
    switch (status.path("state").asString("")) {
      case "SERVING" -> report.ok(TOPIC, "volumes are served");
      case "DEGRADED" -> report.warn(TOPIC, "volumes are served, but since %s: %s", since, reason);
      case "STOPPED" ->
          report.fail(
              TOPIC,
              Cause.POOL_STOPPED,
              "No volume is served since %s: %s".formatted(since, reason),
              "remove the cause, then restart the provider; what was acknowledged is there.");
      default -> report.skip(TOPIC, "the provider does not report whether volumes are served");
    }
  }
}
