package io.coppice.vasa.verdict;

import io.coppice.engine.status.PoolStatus;

/// The judge of whether volumes are served.
public final class PoolJudge {

  public static final String TOPIC = "service-io";

  private PoolJudge() {}

  public static void judge(PoolStatus status, Report report) {
    switch (status.state()) {
      case SERVING -> report.ok(TOPIC, "volumes are served");
      case DEGRADED ->
          report.warn(
              TOPIC, "volumes are served, but since %s: %s", status.since(), status.reason());
      case STOPPED ->
          report.fail(
              TOPIC,
              Cause.POOL_STOPPED,
              "No volume is served since %s: %s".formatted(status.since(), status.reason()),
              "remove the cause, then restart the provider; what was acknowledged is there.");
    }
  }
}
