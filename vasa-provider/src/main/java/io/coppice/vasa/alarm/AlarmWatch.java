package io.coppice.vasa.alarm;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.status.PoolSpace;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.event.Alarms;
import io.coppice.vasa.event.RaisedAlarm;
import io.coppice.vasa.inventory.Inventory;
import io.coppice.vasa.policy.Compliance;
import io.coppice.vasa.policy.ComplianceStatus;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.policy.VolumePolicies;
import io.coppice.vasa.volume.space.ContainerContent;
import io.coppice.vasa.volume.space.ContainerSpace;
import io.coppice.vasa.volume.space.SpaceStatistics;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;

/// The watch over everything that raises alarms. At intervals it looks at the space of the pool and
/// the containers, the policies of virtual volumes, damage, replication, and the life of the
/// certificate. It reports an alarm when its state changes, and ends it when its object is gone.
/// One thread.
@Service
public final class AlarmWatch {

  private static final String SPACE = "SpaceCapacity";
  private static final String CONTAINER = "StorageContainer";
  private static final int AT_ONCE = 1000;
  private static final String VOLUME = "VirtualVolumeInfo";

  private final Alarms alarms;
  private final Watched watched;
  private final AlarmSettings settings;
  private final InstantSource clock;
  private Instant next = Instant.MIN;

  /// The parts that the watch looks at.
  @Component
  public record Watched(
      StorageEngine engine,
      Containers containers,
      SpaceStatistics spaces,
      VirtualVolumes volumes,
      VolumePolicies policies,
      DamageWatch damage,
      CertificateWatch certificate,
      ClockWatch time,
      AuditWatch audit,
      ReplicationWatch replication) {}

  public AlarmWatch(Alarms alarms, Watched watched, AlarmSettings settings, InstantSource clock) {
    this.alarms = alarms;
    this.watched = watched;
    this.settings = settings;
    this.clock = clock;
  }

  /// Looks if a look is due: a period has passed, the clock has gone back, or the pool has stopped
  /// or serves in another way than before.
  public void lookWhenDue() {
    Instant now = clock.instant();
    boolean due = !now.isBefore(next) || now.plus(settings.period()).isBefore(next);
    if (due || watched.damage().hasPoolChanged()) {
      next = now.plus(settings.period());
      look();
    }
  }

  /// Looks at everything once and reports what is new. The pool comes first, because the rest may
  /// fail with it.
  public void look() {
    Look look = new Look();
    alarms.active().forEach(alarm -> look.active.put(subject(alarm), alarm));
    lookAtPool(look);
    watched.damage().look().forEach(look::found);
    watched.certificate().look().ifPresent(look::found);
    watched.time().alarm().ifPresent(look::found);
    watched.audit().look().ifPresent(look::found);
    watched.replication().look().forEach(look::found);
    report(look);
    List<StorageContainer> all = watched.containers().list();
    Map<UUID, ContainerContent> contents = watched.spaces().ofContainers(all);
    for (StorageContainer container : all) {
      lookAt(container, Objects.requireNonNull(contents.get(container.id())).space(), look);
    }
    lookAtVolumes(look);
    look.active.values().forEach(look::end); // nobody claimed it: its object is gone
    report(look);
  }

  private void report(Look look) {
    alarms.report(look.news);
    look.news.clear();
  }

  /// Findings of one look.
  private static final class Look {

    /// Alarms that nobody has claimed yet.
    private final Map<Alarms.Subject, RaisedAlarm> active = new HashMap<>();

    /// News that has not been reported yet.
    private final List<Alarms.Report> news = new ArrayList<>();

    void found(Alarms.Report report) {
      if (report.differsFrom(active.remove(report.subject()))) {
        news.add(report);
      }
    }

    void end(RaisedAlarm alarm) {
      news.add(
          new Alarms.Report(
              subject(alarm), RaisedAlarm.Status.GREEN, alarm.messageId(), alarm.parameters()));
    }
  }

  /// Looks at volumes in parts, so that neither memory nor statements grow with their number.
  private void lookAtVolumes(Look look) {
    VolumeChoice choice = VolumeChoice.JUDGED;
    List<VirtualVolume> part = watched.volumes().bare(choice, AT_ONCE);
    while (!part.isEmpty()) {
      Map<VolumeId, Compliance> compliance = watched.policies().compliance(part);
      for (VirtualVolume volume : part) {
        Compliance found = compliance.get(volume.id());
        if (found != null) {
          lookAt(volume, found, look);
        }
      }
      VirtualVolume last = part.getLast();
      part =
          watched
              .volumes()
              .bare(choice.from(new VolumeChoice.Place(last.created(), last.id())), AT_ONCE);
    }
  }

  private static Alarms.Subject subject(RaisedAlarm alarm) {
    return new Alarms.Subject(
        alarm.type(), alarm.objectType(), alarm.objectId(), alarm.containerId());
  }

  private void lookAtPool(Look look) {
    PoolSpace space = watched.spaces().pool().space();
    long percent = percent(space.capacity() - space.free(), space.capacity());
    Alarms.Subject subject =
        new Alarms.Subject(
            SPACE, "StorageArray", Inventory.arrayId(watched.engine().pool().id()), null);
    look.found(
        Alarms.Report.of(subject, fullness(percent), "PoolSpace", Map.of("percent", "" + percent)));
  }

  private void lookAt(StorageContainer container, ContainerSpace space, Look look) {
    String id = container.id().toString();
    long percent = percent(space.used(), container.quotaInBytes());
    look.found(
        Alarms.Report.of(
            new Alarms.Subject(SPACE, CONTAINER, id, id),
            fullness(percent),
            "ContainerSpace",
            Map.of("container", container.name(), "percent", "" + percent)));
  }

  private void lookAt(VirtualVolume volume, Compliance compliance, Look look) {
    String id = "rfc4122." + volume.id();
    look.found(
        Alarms.Report.of(
            new Alarms.Subject(RaisedAlarm.COMPLIANCE, VOLUME, id, volume.container().toString()),
            compliance.status() == ComplianceStatus.NON_COMPLIANT
                ? RaisedAlarm.Status.YELLOW
                : RaisedAlarm.Status.GREEN,
            "Compliance",
            Map.of("object", id, RaisedAlarm.POLICY, compliance.profile())));
  }

  private static long percent(long part, long whole) {
    return whole == 0 ? 100 : Math.round(Math.floor(100.0 * part / whole));
  }

  private RaisedAlarm.Status fullness(long percent) {
    if (percent >= settings.redPercent()) {
      return RaisedAlarm.Status.RED;
    }
    return percent >= settings.yellowPercent()
        ? RaisedAlarm.Status.YELLOW
        : RaisedAlarm.Status.GREEN;
  }
}
