package io.coppice.vasa.inventory;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.status.PoolSpace;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.vasa.event.Alarms;
import io.coppice.vasa.event.RaisedAlarm;
import io.coppice.vasa.session.Peer;
import io.coppice.vasa.session.VasaSession;
import io.coppice.vasa.viewer.Viewer;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.space.SpaceStatistics;
import io.coppice.vasa.volume.space.VolumeUsage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;

/// Plain exports as the LUNs of VASA 1.0, and the pool that they are stored in (contract §5.2).
///
/// A session sees the LUNs that are served to one of its initiators: those that its `setContext`
/// declared or, for a host that declared none, those that it declared before.
@Service
public final class PlainLuns {

  private static final String PREFIX = "StorageLun:";

  private final LunDirectory directory;
  private final VirtualVolumes volumes;
  private final SpaceStatistics spaces;
  private final StorageEngine engine;
  private final Alarms alarms;

  public PlainLuns(
      LunDirectory directory,
      VirtualVolumes volumes,
      SpaceStatistics spaces,
      StorageEngine engine,
      Alarms alarms) {
    this.directory = directory;
    this.volumes = volumes;
    this.spaces = spaces;
    this.engine = engine;
    this.alarms = alarms;
  }

  /// A volume that is served as a LUN.
  ///
  /// @param naa as hosts name the disk
  /// @param name for people
  /// @param storedBytes bytes that it occupies, shared or not
  public record Lun(
      VolumeId volume,
      String naa,
      String name,
      long sizeInBytes,
      long storedBytes,
      Provisioning provisioning) {

    public String id() {
      return PlainLuns.id(volume);
    }
  }

  /// The provisioning of a LUN's space: the capabilities of VASA 1.0, which are texts.
  public enum Provisioning {
    THIN("Thin", "Space is taken from the pool when it is written"),
    THICK("Thick", "Space for every block is set aside");

    private final String label;
    private final String detail;

    Provisioning(String label, String detail) {
      this.label = label;
      this.detail = detail;
    }

    public String id() {
      return "StorageCapability:" + label;
    }

    public String label() {
      return label;
    }

    public String detail() {
      return detail;
    }
  }

  /// The pool.
  ///
  /// @param usedBytes bytes that nothing else can use; those of the recycle bin do not count
  public record BackingPool(String id, long capacityInBytes, long usedBytes) {}

  public static String id(VolumeId volume) {
    return PREFIX + volume;
  }

  /// The volume that an identifier names, served or not; empty if the text is none.
  public static Optional<VolumeId> volume(String id) {
    if (!id.startsWith(PREFIX)) {
      return Optional.empty();
    }
    try {
      VolumeId volume = new VolumeId(UUID.fromString(id.substring(PREFIX.length())));
      return Optional.of(volume).filter(found -> id(found).equalsIgnoreCase(id));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /// iSCSI name of the port by which all LUNs are reached.
  public String port() {
    return directory.plainTarget();
  }

  /// Identifiers of the LUNs that a session sees, by number.
  public List<String> ids(VasaSession session) {
    return exports(session).stream().map(export -> id(export.volume())).toList();
  }

  /// The LUNs that a session sees, by number. The administrator who exported a volume to an
  /// initiator has offered it, whatever the limit of its container.
  public List<Lun> of(VasaSession session) {
    return Viewer.unlimited(() -> served(session));
  }

  private List<Lun> served(VasaSession session) {
    List<VolumeId> ids = exports(session).stream().map(Export::volume).toList();
    Map<VolumeId, VirtualVolume> rows =
        volumes.find(ids).stream()
            .collect(Collectors.toMap(VirtualVolume::id, Function.identity()));
    Map<VolumeId, VolumeUsage> usages =
        spaces.ofVolumes(ids).stream()
            .collect(Collectors.toMap(VolumeUsage::volume, Function.identity()));
    List<Lun> luns = new ArrayList<>();
    for (VolumeId id : ids) {
      VirtualVolume row = rows.get(id);
      VolumeUsage usage = usages.get(id);
      if (row != null && usage != null) { // else it is being deleted
        luns.add(lun(row, usage));
      }
    }
    return List.copyOf(luns);
  }

  private Lun lun(VirtualVolume volume, VolumeUsage usage) {
    String naa = directory.naaOf(volume.id());
    return new Lun(
        volume.id(),
        naa,
        volume.metadata().getOrDefault(VolumeChoice.NAME_KEY, naa),
        volume.sizeInBytes(),
        usage.committed(),
        volume.thick() ? Provisioning.THICK : Provisioning.THIN);
  }

  private List<Export> exports(VasaSession session) {
    Set<String> mine = initiators(session);
    return directory.exports().stream()
        .filter(export -> !Collections.disjoint(export.initiators(), mine))
        .toList();
  }

  private Set<String> initiators(VasaSession session) {
    Set<String> declared = session.initiators();
    return declared.isEmpty() && session.peer() instanceof Peer.Host host
        ? directory.initiatorsOf(host.id())
        : declared;
  }

  /// The one pool of the array.
  public BackingPool pool() {
    PoolSpace space = spaces.pool().space();
    return new BackingPool(
        Inventory.backingPoolId(engine.pool().id()),
        space.capacity(),
        space.capacity() - space.free());
  }

  /// The fullness of the pool, as in its alarm.
  public RaisedAlarm.Status fullness() {
    return alarms
        .activeOf("SpaceCapacity", Inventory.arrayId(engine.pool().id()))
        .map(RaisedAlarm::status)
        .orElse(RaisedAlarm.Status.GREEN);
  }
}
