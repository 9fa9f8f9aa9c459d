package io.coppice.scsi;

import io.coppice.engine.qos.Alarm;
import io.coppice.engine.qos.FairQueues;
import io.coppice.engine.qos.Limits;
import io.coppice.engine.qos.QosSettings;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Where the commands of volumes with a limit wait, and the limits of groups. Safe for any thread.
final class Admission {

  private final FairQueues queues;
  private final ConcurrentHashMap<String, FairQueues.Group> groups = new ConcurrentHashMap<>();

  Admission(QosSettings settings, Alarm alarm) {
    queues = new FairQueues(settings, alarm);
  }

  FairQueues queues() {
    return queues;
  }

  /// The group of that name; null if it has no limit.
  FairQueues.@Nullable Group group(String name) {
    return groups.get(name);
  }

  /// Changes what the volumes of a group may do together. Afterwards let the units of its volumes
  /// [UnitAdmission#follow].
  void limitGroup(String name, Limits limits) {
    if (limits.isNone()) {
      FairQueues.Group group = groups.remove(name);
      if (group != null) {
        group.limit(limits);
      }
    } else {
      groups.computeIfAbsent(name, _ -> queues.group()).limit(limits);
    }
  }
}
