package io.coppice.vasa.alarm;

import io.coppice.vasa.event.Alarms;
import io.coppice.vasa.event.RaisedAlarm;
import io.coppice.vasa.replication.lag.LagWatch;
import io.coppice.vasa.replication.lag.Trouble;
import io.coppice.vasa.time.TimeText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.stereotype.Service;

/// The watch over replication: one alarm for each group, for the worst of what is wrong with it.
/// Cycles that fail come before the lag, since they are why it grows.
@Service
public final class ReplicationWatch {

  // Names of VASA 3.0; 2.0 has neither.
  private static final String TYPE = "Replication";
  private static final String GROUP = "ReplicationGroup";

  private static final String NAME = "group";

  private final LagWatch watch;

  public ReplicationWatch(LagWatch watch) {
    this.watch = watch;
  }

  List<Alarms.Report> look() {
    Map<UUID, Trouble.OfGroup> worst = new HashMap<>();
    for (Trouble.OfGroup trouble : watch.ofGroups()) {
      worst.merge(
          trouble.group(), trouble, (one, other) -> other instanceof Trouble.Failing ? other : one);
    }
    return worst.values().stream().map(ReplicationWatch::report).toList();
  }

  private static Alarms.Report report(Trouble.OfGroup trouble) {
    return switch (trouble) {
      case Trouble.Late late ->
          report(
              late,
              "ReplicationLate",
              Map.of(
                  NAME,
                  late.name(),
                  "lag",
                  TimeText.words(late.age()),
                  "rpo",
                  TimeText.words(late.rpo())));
      case Trouble.Failing failing ->
          report(
              failing,
              "ReplicationFails",
              Map.of(NAME, failing.name(), "count", "" + failing.count(), "what", failing.what()));
      case Trouble.Paused paused ->
          report(
              paused,
              "ReplicationPaused",
              Map.of(
                  NAME,
                  paused.name(),
                  "time",
                  TimeText.words(paused.time()),
                  "rpo",
                  TimeText.words(paused.rpo())));
    };
  }

  private static Alarms.Report report(
      Trouble.OfGroup trouble, String message, Map<String, String> parameters) {
    return Alarms.Report.of(
        new Alarms.Subject(TYPE, GROUP, trouble.group().toString(), null),
        trouble.isGrave() ? RaisedAlarm.Status.RED : RaisedAlarm.Status.YELLOW,
        message,
        parameters);
  }
}
