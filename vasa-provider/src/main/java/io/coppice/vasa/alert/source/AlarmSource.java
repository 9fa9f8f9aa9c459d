package io.coppice.vasa.alert.source;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSource;
import io.coppice.vasa.alert.AlertSubject;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.event.Alarms;
import io.coppice.vasa.event.RaisedAlarm;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The alarms that vCenter gets, as alerts. Volumes that do not keep their policies are one alert
/// for each container, since a person who gets a thousand reads none. What other sources know
/// without the database is left to them.
@Component
public final class AlarmSource implements AlertSource {

  private static final String VOLUME = "rfc4122.";

  /// Metadata that hosts give a volume as its name.
  private static final String NAME = "VMW_VVolName";

  private static final Set<String> LEFT_TO_OTHERS =
      Set.of(
          "PoolStopped",
          "PoolDegraded",
          "PoolSpace",
          "CertificateEnds90",
          "CertificateEnds30",
          "CertificateEnds7",
          "ReplicationLate",
          "ReplicationFails",
          "ReplicationPaused");

  private final Alarms alarms;
  private final Containers containers;
  private final VirtualVolumes volumes;
  private final AlertSubject system;

  public AlarmSource(
      Alarms alarms, Containers containers, VirtualVolumes volumes, StorageEngine engine) {
    this.alarms = alarms;
    this.containers = containers;
    this.volumes = volumes;
    this.system = new AlertSubject("system", engine.pool().id().toString(), null, null);
  }

  @Override
  public String name() {
    return "alarms";
  }

  @Override
  public boolean needsDatabase() {
    return true;
  }

  @Override
  public List<AlertFinding> look() {
    Map<UUID, String> names = new HashMap<>();
    for (StorageContainer container : containers.list()) {
      names.put(container.id(), container.name());
    }
    Map<UUID, Integer> violating = new HashMap<>();
    List<AlertFinding> findings = new ArrayList<>();
    for (RaisedAlarm alarm : alarms.active()) {
      UUID container = uuid(alarm.containerId());
      if (alarm.type().equals(RaisedAlarm.COMPLIANCE)) {
        if (container != null) {
          violating.merge(container, 1, Integer::sum);
        }
      } else if (!LEFT_TO_OTHERS.contains(message(alarm))) {
        findings.add(finding(alarm, container, names));
      }
    }
    violating.forEach((id, count) -> findings.add(nonCompliant(id, names.get(id), count)));
    return findings;
  }

  private static AlertFinding nonCompliant(UUID container, @Nullable String name, int count) {
    return new AlertFinding(
        "compliance:" + container,
        AlertSeverity.WARNING,
        new AlertSubject("container", container.toString(), name, container),
        "NonCompliant",
        Map.of("container", name == null ? container.toString() : name, "count", "" + count));
  }

  private AlertFinding finding(
      RaisedAlarm alarm, @Nullable UUID container, Map<UUID, String> names) {
    AlertSubject about = subject(alarm, container, names);
    Map<String, String> parameters = new HashMap<>(alarm.parameters());
    parameters.put("name", about.name() == null ? about.id() : about.name());
    return new AlertFinding(
        "alarm:%s:%s".formatted(alarm.type(), alarm.objectId()),
        alarm.status() == RaisedAlarm.Status.RED ? AlertSeverity.CRITICAL : AlertSeverity.WARNING,
        about,
        message(alarm),
        parameters);
  }

  private AlertSubject subject(
      RaisedAlarm alarm, @Nullable UUID container, Map<UUID, String> names) {
    if (container == null) {
      return system;
    }
    if (!alarm.objectId().startsWith(VOLUME)) {
      return new AlertSubject("container", container.toString(), names.get(container), container);
    }
    String id = alarm.objectId().substring(VOLUME.length());
    UUID number = uuid(id);
    String name =
        number == null
            ? null
            : volumes
                .find(new VolumeId(number))
                .map(VirtualVolume::metadata)
                .map(metadata -> metadata.get(NAME))
                .orElse(null);
    return new AlertSubject("volume", id, name, container);
  }

  private static String message(RaisedAlarm alarm) {
    return alarm.messageId().substring(alarm.messageId().lastIndexOf('.') + 1);
  }

  private static @Nullable UUID uuid(@Nullable String text) {
    try {
      return text == null ? null : UUID.fromString(text);
    } catch (IllegalArgumentException noContainer) {
      return null;
    }
  }
}
