package io.coppice.app.tool.doctor;

import io.coppice.engine.status.PoolStatus;
import io.coppice.vasa.verdict.PoolJudge;
import io.coppice.vasa.verdict.Report;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The check that the pool of a running provider serves I/O. Needs no database.
final class DataPlaneCheck implements Check {

  private static final String TOPIC = PoolJudge.TOPIC;

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
    } catch (IOException | JacksonException | DateTimeException e) {
      // The service's check reports a port that does not answer.
      report.skip(
          TOPIC,
          "whether volumes are served could not be asked: %s",
          String.valueOf(e.getMessage()));
    }
  }

  private static void judge(JsonNode status, Report report) {
    String state = status.path("state").asString("");
    if (Arrays.stream(PoolStatus.State.values()).noneMatch(one -> one.name().equals(state))) {
      report.skip(TOPIC, "the provider does not report whether volumes are served");
      return;
    }
    PoolJudge.judge(
        new PoolStatus(
            PoolStatus.State.valueOf(state),
            Instant.parse(status.path("since").asString("")),
            status.path("reason").asString("")),
        report);
  }
}
