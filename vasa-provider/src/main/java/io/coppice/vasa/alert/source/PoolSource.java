package io.coppice.vasa.alert.source;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.status.PoolSpace;
import io.coppice.engine.status.PoolStatus;
import io.coppice.vasa.alarm.AlarmSettings;
import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSource;
import io.coppice.vasa.alert.AlertSubject;
import io.coppice.vasa.volume.space.SpaceStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/// The service and the space of the pool, which are known without the database.
@Component
public final class PoolSource implements AlertSource {

  private final StorageEngine engine;
  private final SpaceStatistics spaces;
  private final AlarmSettings settings;
  private final AlertSubject system;

  public PoolSource(StorageEngine engine, SpaceStatistics spaces, AlarmSettings settings) {
    this.spaces = spaces;
    this.engine = engine;
    this.settings = settings;
    this.system = new AlertSubject("system", engine.pool().id().toString(), null, null);
  }

  @Override
  public String name() {
    return "pool";
  }

  @Override
  public boolean needsDatabase() {
    return false;
  }

  @Override
  public List<AlertFinding> look() {
    PoolStatus status = engine.status();
    Map<String, String> what = Map.of("what", status.reason(), "since", "" + status.since());
    List<AlertFinding> findings = new ArrayList<>();
    switch (status.state()) {
      case STOPPED -> findings.add(finding(AlertSeverity.CRITICAL, "service", "PoolStopped", what));
      case DEGRADED ->
          findings.add(finding(AlertSeverity.CRITICAL, "service", "PoolDegraded", what));
      case SERVING -> {}
    }
    if (!status.isStopped()) {
      addSpace(findings);
    }
    return findings;
  }

  private void addSpace(List<AlertFinding> findings) {
    PoolSpace space = spaces.pool().space();
    long percent =
        space.capacity() == 0 ? 100 : 100 * (space.capacity() - space.free()) / space.capacity();
    Map<String, String> parameters = Map.of("percent", "" + percent);
    if (percent >= settings.redPercent()) {
      findings.add(finding(AlertSeverity.CRITICAL, "space", "PoolSpace", parameters));
    } else if (percent >= settings.yellowPercent()) {
      findings.add(finding(AlertSeverity.WARNING, "space", "PoolSpace", parameters));
    }
  }

  private AlertFinding finding(
      AlertSeverity severity, String key, String message, Map<String, String> parameters) {
    return new AlertFinding("pool:" + key, severity, system, message, parameters);
  }
}
