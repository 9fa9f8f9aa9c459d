package io.coppice.vasa.diagnosis;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.unit.IoTime;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// The search for what makes the commands to some volumes slow. Asks neither the database nor a
/// device.
public final class Diagnoser {

  private static final double NANOS_PER_SECOND = 1e9;

  /// Most neighbours that are told of.
  private static final int MOST_NEIGHBOURS = 5;

  private final LoadRecorder recorder;
  private final RoundTrips trips;
  private final DiagnosisSettings settings;

  public Diagnoser(LoadRecorder recorder, RoundTrips trips, DiagnosisSettings settings) {
    this.recorder = recorder;
    this.trips = trips;
    this.settings = settings;
  }

  public DiagnosisSettings settings() {
    return settings;
  }

  /// The diagnosis of volumes taken together, such as those of a virtual machine.
  ///
  /// @param window how far back, at most [DiagnosisSettings#kept]
  public Diagnosed of(Set<VolumeId> volumes, Duration window) {
    Figures figures = figures(volumes, recorder.recent(window));
    return new Diagnosed(LatencyRules.of(figures, settings.slow().toNanos()), figures);
  }

  private Figures figures(Set<VolumeId> volumes, Recent recent) {
    Load own = Load.NONE;
    Load all = Load.NONE;
    for (var each : recent.loads().entrySet()) {
      all = all.plus(each.getValue());
      own = volumes.contains(each.getKey()) ? own.plus(each.getValue()) : own;
    }
    IoTime time = own.time();
    // A command that began before the window may end in it.
    long commands = Math.max(1, own.commands());
    return new Figures(
        recent.nanos() / NANOS_PER_SECOND,
        own.commands(),
        own.bytes(),
        time.deviceNanos() / commands,
        time.queueNanos() / commands,
        time.limitNanos() / commands,
        roundTrip(volumes),
        neighbours(volumes, recent, all),
        recent.work().written(),
        recent.work().moved(),
        recent.work().scrubbed());
  }

  private long roundTrip(Set<VolumeId> volumes) {
    return volumes.stream()
        .flatMap(volume -> trips.to(volume).stream())
        .mapToLong(Duration::toNanos)
        .max()
        .orElse(0);
  }

  private static List<Neighbour> neighbours(Set<VolumeId> volumes, Recent recent, Load all) {
    double commands = Math.max(1, all.commands());
    double bytes = Math.max(1, all.bytes());
    return recent.loads().entrySet().stream()
        .filter(each -> !volumes.contains(each.getKey()))
        .map(
            each ->
                new Neighbour(
                    each.getKey(),
                    each.getValue().commands() / commands,
                    each.getValue().bytes() / bytes))
        .sorted(Comparator.comparingDouble(Neighbour::share).reversed())
        .limit(MOST_NEIGHBOURS)
        .toList();
  }
}
