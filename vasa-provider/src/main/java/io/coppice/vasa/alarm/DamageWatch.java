package io.coppice.vasa.alarm;

import io.coppice.engine.ScrubFinding;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.status.PoolStatus;
import io.coppice.vasa.event.Alarms;
import io.coppice.vasa.event.EventLog;
import io.coppice.vasa.event.NewEvent;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.event.RaisedAlarm;
import io.coppice.vasa.inventory.Inventory;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/// The watch over damage and lost service. It raises a Red alarm for each virtual volume with
/// unreadable blocks, and one for the pool itself, for the worst that is known of it. It adds one
/// event each time that the scrubber finds more. One thread.
@Service
public final class DamageWatch {

  private static final int LBAS_NAMED = 16;
  private static final String VOLUME = "VirtualVolumeInfo";

  private final StorageEngine engine;
  private final VirtualVolumes volumes;
  private final EventLog events;
  private final PoolWatch pool;
  private Set<ScrubFinding> reported = new HashSet<>();

  public DamageWatch(StorageEngine engine, VirtualVolumes volumes, EventLog events) {
    this.engine = engine;
    this.volumes = volumes;
    this.events = events;
    pool = new PoolWatch(engine, events);
  }

  /// Whether the pool has stopped, or serves in another way than at the last look.
  boolean hasPoolChanged() {
    return pool.hasChanged();
  }

  /// Looks at the known damage, and adds an event for damage that was unknown at the last look.
  List<Alarms.Report> look() {
    PoolStatus status = pool.look();
    List<ScrubFinding> known = engine.scrub().status().findings();
    Map<VolumeId, Set<Long>> blocks = new TreeMap<>();
    Map<VolumeId, Set<Long>> newBlocks = new TreeMap<>();
    List<String> structures = new ArrayList<>();
    List<String> newStructures = new ArrayList<>();
    for (ScrubFinding finding : known) {
      boolean isNew = !reported.contains(finding);
      switch (finding) {
        case ScrubFinding.BadBlock bad -> {
          blocks.computeIfAbsent(bad.volume(), _ -> new TreeSet<>()).add(bad.lba());
          if (isNew) {
            newBlocks.computeIfAbsent(bad.volume(), _ -> new TreeSet<>()).add(bad.lba());
          }
        }
        case ScrubFinding.MendedBlock mended -> {
          if (isNew) {
            newStructures.add(mended.sentence());
          }
        }
        case ScrubFinding.BadMetadata bad -> {
          if (!bad.replaced()) {
            structures.add(bad.what());
          }
          if (isNew) {
            newStructures.add(bad.sentence());
          }
        }
      }
    }
    List<NewEvent> news = new ArrayList<>();
    Map<VolumeId, VirtualVolume> damaged = known(newBlocks.keySet());
    newBlocks.forEach((volume, lbas) -> news.add(event(volume, damaged.get(volume), lbas)));
    newStructures.forEach(structure -> news.add(event(structure)));
    events.append(news);
    reported = new HashSet<>(known);
    return raised(status, blocks, structures);
  }

  private static NewEvent event(VolumeId volume, @Nullable VirtualVolume known, Set<Long> lbas) {
    String id = "rfc4122." + volume;
    return NewEvent.system(
            ObjectType.VIRTUAL_VOLUME,
            id,
            "io.coppice.event.DamagedBlocks",
            Map.of("volume", id, "lbas", named(lbas)))
        .in(known == null ? Set.of() : Set.of(known.container()));
  }

  private NewEvent event(String structure) {
    return NewEvent.system(
        ObjectType.STORAGE_ARRAY,
        arrayId(),
        "io.coppice.event.DamagedStructure",
        Map.of("structure", structure));
  }

  private Map<VolumeId, VirtualVolume> known(Set<VolumeId> ids) {
    Map<VolumeId, VirtualVolume> known = new HashMap<>();
    volumes.find(ids).forEach(volume -> known.put(volume.id(), volume));
    return known;
  }

  private List<Alarms.Report> raised(
      PoolStatus status, Map<VolumeId, Set<Long>> blocks, List<String> structures) {
    List<Alarms.Report> raised = new ArrayList<>();
    Map<VolumeId, VirtualVolume> known = known(blocks.keySet());
    List<String> damage = new ArrayList<>(structures);
    blocks.forEach(
        (id, lbas) -> {
          VirtualVolume volume = known.get(id);
          if (volume == null) {
            damage.add("LBA %s of volume %s".formatted(named(lbas), id));
          } else {
            raised.add(raised(volume, lbas));
          }
        });
    ofPool(status, damage).ifPresent(raised::add);
    return raised;
  }

  /// The pool's one alarm, since an object has one state: the worst, with the others in its text.
  private Optional<Alarms.Report> ofPool(PoolStatus status, List<String> damage) {
    String damaged = damage.stream().limit(LBAS_NAMED).collect(Collectors.joining(", "));
    return switch (status.state()) {
      case STOPPED ->
          Optional.of(
              ofPool("PoolStopped", Map.of("what", status.reason(), "since", "" + status.since())));
      case DEGRADED ->
          Optional.of(
              ofPool(
                  "PoolDegraded",
                  Map.of(
                      "what",
                      damage.isEmpty() ? status.reason() : status.reason() + " " + damaged)));
      case SERVING ->
          damage.isEmpty()
              ? Optional.empty()
              : Optional.of(ofPool("PoolDamaged", Map.of("what", damaged)));
    };
  }

  private Alarms.Report ofPool(String message, Map<String, String> parameters) {
    return Alarms.Report.of(
        new Alarms.Subject("StorageObject", "StorageArray", arrayId(), null),
        RaisedAlarm.Status.RED,
        message,
        parameters);
  }

  private static Alarms.Report raised(VirtualVolume volume, Set<Long> lbas) {
    String id = "rfc4122." + volume.id();
    return Alarms.Report.of(
        new Alarms.Subject("Object", VOLUME, id, volume.container().toString()),
        RaisedAlarm.Status.RED,
        "DamagedBlocks",
        Map.of("object", id, "lbas", named(lbas)));
  }

  private String arrayId() {
    return Inventory.arrayId(engine.pool().id());
  }

  /// The first LBAs of blocks of 8, not too many of them.
  private static String named(Set<Long> lbas) {
    String some =
        lbas.stream().limit(LBAS_NAMED).map(String::valueOf).collect(Collectors.joining(", "));
    return lbas.size() <= LBAS_NAMED
        ? some
        : "%s and %d more".formatted(some, lbas.size() - LBAS_NAMED);
  }
}
