package io.coppice.vasa.volume.space;

import io.coppice.engine.FreedSpace;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.engine.VolumeSpace;
import io.coppice.engine.status.PoolSpace;
import io.coppice.scsi.ScsiTarget;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.store.PoolAttributes;
import io.coppice.vasa.volume.store.VolumeStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/// The space that volumes and containers use.
///
/// Several volumes may share bytes that are stored once, so no container can count these alone. The
/// use of a set of volumes is the sum of three parts: what each stores for itself alone, what is
/// set aside for it, and a part of all shared bytes of the pool. That part corresponds to the set's
/// share in what is mapped shared. The uses of all volumes add up to what data occupies in the
/// pool, and a snapshot or clone adds nothing.
///
/// What is in the recycle bin counts as free: it goes when its space is needed. So it is left out
/// of all of this, and so is what the pool gets back with it ([BinnedSpace]).
///
/// A quota limits creation and growth; it does not stop writes to existing volumes. A caller that
/// asks for room holds the container until the volume stands in the pool: two volumes that fit one
/// by one may not fit together.
@Service
public final class SpaceStatistics {

  private final VolumeStore store;
  private final StorageEngine engine;
  private final Containers containers;
  private final BinnedSpace binned;
  private final ConcurrentHashMap<UUID, ReentrantLock> held = new ConcurrentHashMap<>();

  public SpaceStatistics(VolumeStore store, Containers containers) {
    this.store = store;
    this.engine = store.engine();
    this.containers = containers;
    this.binned = new BinnedSpace(engine);
  }

  /// What the pool stores for a volume and sets aside for it; empty if the volume is not there, as
  /// a snapshot that is only prepared.
  public Optional<VolumeSpace> find(VolumeId volume) {
    try {
      return Optional.of(engine.spaceOf(volume));
    } catch (StorageException.NotFound e) {
      return Optional.empty();
    }
  }

  /// What is held for those of some volumes that are there and not in the recycle bin; empty if
  /// none is.
  public Optional<StoredBytes> held(Collection<VolumeId> some) {
    List<VolumeId> there =
        some.stream()
            .flatMap(one -> engine.find(one).stream())
            .filter(one -> !PoolAttributes.isBinned(one))
            .map(VolumeInfo::id)
            .toList();
    if (there.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new StoredBytes(
              there.stream()
                  .flatMap(one -> find(one).stream())
                  .mapToLong(space -> space.mapped() + space.reserved())
                  .sum()));
    } catch (StorageException e) {
      if (!engine.status().isStopped()) {
        throw e;
      }
      return Optional.of(new StoredBytes(null));
    }
  }

  /// As [#find].
  ///
  /// @throws StorageException.NotFound if the pool has no such volume
  public VolumeSpace require(VolumeId volume) {
    return engine.spaceOf(volume);
  }

  /// Bytes that the pool gets back when this volume alone is deleted. Costs a look into maps for a
  /// volume that shares blocks outside of its family.
  ///
  /// @throws StorageException.NotFound if the pool has no such volume
  public long freedIfDeleted(VolumeId volume) {
    return engine.freedIfDeleted(List.of(volume)).bytes();
  }

  /// What the pool gets back when exactly these volumes are deleted.
  ///
  /// @throws StorageException as [StorageEngine#freedIfDeleted]
  public FreedSpace freedIfDeleted(Collection<VolumeId> some) {
    return engine.freedIfDeleted(some);
  }

  /// What must be deleted of some volumes, in their order, to get back so many bytes.
  ///
  /// @throws StorageException as [StorageEngine#freedInOrder]
  public FreedSpace freedInOrder(Collection<VolumeId> candidates, long bytes) {
    return engine.freedInOrder(candidates, bytes);
  }

  /// The pool's space, with the recycle bin's as free. Once the pool has stopped, the bin's is not
  /// known and counts as used.
  public ReclaimablePool pool() {
    try {
      return binned.outOf(engine.space(), binned.all());
    } catch (StorageException e) {
      return new ReclaimablePool(engine.space(), 0);
    }
  }

  /// What all volumes and snapshots promise, in one pass over numbers that the pool has in memory.
  public PromisedSpace promised() {
    long provisioned = 0;
    long mapped = 0;
    boolean known = !engine.status().isStopped();
    for (VolumeInfo volume : engine.list()) {
      if (!ScsiTarget.holdsToken(volume) && !PoolAttributes.isBinned(volume)) {
        provisioned += volume.sizeInBytes();
        mapped += known ? mappedOf(volume.id()) : 0;
      }
    }
    boolean served = known && !engine.status().isStopped(); // else it stopped meanwhile
    return new PromisedSpace(provisioned, served ? mapped : null);
  }

  /// None of a volume that is deleted meanwhile, or that a pool has which stops meanwhile.
  private long mappedOf(VolumeId volume) {
    try {
      return engine.mappedOf(volume);
    } catch (StorageException.NotFound e) {
      return 0;
    } catch (StorageException e) {
      if (!engine.status().isStopped()) {
        throw e;
      }
      return 0;
    }
  }

  /// The volumes that were stored for some machines, by machine, as the pool has them in memory:
  /// without snapshots and the recycle bin.
  public Map<String, Set<VolumeId>> ofMachines(Set<String> machines) {
    Map<String, Set<VolumeId>> volumes = new HashMap<>();
    for (VolumeInfo volume : machines.isEmpty() ? List.<VolumeInfo>of() : engine.list()) {
      if (volume.kind() != VolumeKind.SNAPSHOT && !PoolAttributes.isBinned(volume)) {
        PoolAttributes.machine(volume)
            .filter(machines::contains)
            .ifPresent(
                machine -> volumes.computeIfAbsent(machine, _ -> new HashSet<>()).add(volume.id()));
      }
    }
    return volumes;
  }

  /// All volumes and snapshots with their space, in one pass over the pool, which has all of this
  /// in memory. Whoever reads for others chooses what they may see. Once the pool has stopped,
  /// their space is not known.
  public List<MeasuredVolume> measured() {
    try {
      return measured(!engine.status().isStopped());
    } catch (StorageException e) {
      if (!engine.status().isStopped()) {
        throw e;
      }
      return measured(false); // it stopped meanwhile
    }
  }

  private List<MeasuredVolume> measured(boolean served) {
    List<MeasuredVolume> measured = new ArrayList<>();
    for (VolumeInfo volume : engine.list()) {
      Optional<VolumeSpace> space = served ? find(volume.id()) : Optional.empty();
      if (!ScsiTarget.holdsToken(volume)
          && !PoolAttributes.isBinned(volume)
          && space.isPresent() == served) { // else deleted meanwhile
        measured.add(measured(volume, space.orElse(null)));
      }
    }
    return measured;
  }

  private static MeasuredVolume measured(VolumeInfo volume, @Nullable VolumeSpace space) {
    return new MeasuredVolume(
        volume.id(),
        PoolAttributes.container(volume),
        PoolAttributes.type(volume),
        volume.kind() == VolumeKind.SNAPSHOT,
        volume.origin(),
        PoolAttributes.name(volume).orElse(null),
        PoolAttributes.machine(volume).orElse(null),
        space);
  }

  /// Space of those of `volumes` that are in the pool; others are left out.
  public List<VolumeUsage> ofVolumes(Collection<VolumeId> volumes) {
    return store.rows().find(volumes).stream().flatMap(volume -> usage(volume).stream()).toList();
  }

  /// @throws VasaException (NotFound) if the container is unknown
  public ContainerSpace ofContainer(UUID container) {
    return of(containers.require(container));
  }

  /// Space and content of all containers, counted as in [#ofContainer] in one pass over the pool.
  /// The database is asked only for facts that the pool does not know.
  public Map<UUID, ContainerContent> ofContainers(Collection<StorageContainer> wanted) {
    Sum everywhere = new Sum();
    Map<UUID, Sum> inside = new HashMap<>();
    List<VolumeInfo> inBin = new ArrayList<>();
    eachVolume(
        inBin::add,
        (volume, space) -> {
          everywhere.add(volume, space);
          inside
              .computeIfAbsent(PoolAttributes.container(volume), _ -> new Sum())
              .add(volume, space);
        });
    ReclaimablePool pool = binned.outOf(engine.space(), binned.of(inBin));
    Map<UUID, Long> reclaimable = binned.byContainer(inBin);
    Map<UUID, Long> prepared = store.lists().preparedPerContainer();
    Map<UUID, ContainerContent> contents = new HashMap<>();
    for (StorageContainer container : wanted) {
      Sum own = inside.getOrDefault(container.id(), new Sum());
      contents.put(
          container.id(),
          new ContainerContent(
              space(container, pool.space(), everywhere, own, own),
              own.volumes + prepared.getOrDefault(container.id(), 0L),
              own.machines.size(),
              reclaimable.getOrDefault(container.id(), 0L)));
    }
    return contents;
  }

  /// Visits the volumes in the pool, without those that only keep a token.
  ///
  /// @param inBin visits those in the recycle bin instead
  private void eachVolume(Consumer<VolumeInfo> inBin, BiConsumer<VolumeInfo, VolumeSpace> work) {
    for (VolumeInfo volume : engine.list()) {
      if (PoolAttributes.isBinned(volume)) {
        inBin.accept(volume);
      } else if (!ScsiTarget.holdsToken(volume)) {
        find(volume.id()).ifPresent(space -> work.accept(volume, space));
      }
    }
  }

  /// Space of the volumes in a container that were given a profile, for each of some profiles,
  /// under the container's limits, in one pass over the pool.
  ///
  /// @throws VasaException (NotFound) if the container is unknown
  public Map<String, ContainerSpace> ofProfiles(UUID container, Collection<String> profiles) {
    StorageContainer limits = containers.require(container);
    InContainer pass = new InContainer(container);
    PoolSpace pool = pass.pool();
    Map<String, ContainerSpace> spaces = new HashMap<>();
    for (String profile : profiles) {
      Sum matching = pass.byProfile.getOrDefault(profile, new Sum());
      spaces.put(profile, space(limits, pool, pass.everywhere, pass.inside, matching));
    }
    return spaces;
  }

  /// Room that nobody else can take until it is closed, by the thread that asked for it. A thread
  /// asks for room after it has locked volumes, never before.
  public record Room(ReentrantLock container) implements AutoCloseable {
    @Override
    public void close() {
      container.unlock();
    }
  }

  /// @throws VasaException (OutOfResource) if a new volume would not fit
  public Room roomFor(StorageContainer container, long sizeInBytes, boolean thick) {
    return holding(container, () -> checkRoom(container, sizeInBytes, thick));
  }

  /// @throws VasaException (OutOfResource) if the volume would outgrow its container
  public Room roomToGrow(StorageContainer container, VirtualVolume volume, long sizeInBytes) {
    return holding(container, () -> checkGrowth(container, volume, sizeInBytes));
  }

  /// Room for something that comes out of the recycle bin: what it holds alone must fit.
  ///
  /// @throws VasaException (OutOfResource) if it would outgrow its container
  public Room roomToRestore(StorageContainer container, VolumeId volume) {
    return holding(
        container,
        () -> {
          VolumeSpace space = engine.spaceOf(volume);
          long needed = space.unique() + space.reserved();
          ContainerSpace now = of(container);
          if (needed > Math.max(0, now.limit() - now.used())) {
            throw outOfSpace(container, needed, Math.max(0, now.limit() - now.used()));
          }
        });
  }

  private Room holding(StorageContainer container, Runnable check) {
    ReentrantLock lock = held.computeIfAbsent(container.id(), _ -> new ReentrantLock());
    lock.lock();
    try {
      check.run();
      return new Room(lock);
    } catch (RuntimeException e) {
      lock.unlock();
      throw e;
    }
  }

  private void checkRoom(StorageContainer container, long sizeInBytes, boolean thick) {
    if (sizeInBytes > container.quotaInBytes()) {
      throw outOfSpace(container, sizeInBytes, container.quotaInBytes());
    }
    requireFree(container, thick ? sizeInBytes : 1);
  }

  /// The volumes of a container use at most what all volumes take in the pool. So as long as the
  /// quota exceeds that, no single volume needs a look.
  private void requireFree(StorageContainer container, long needed) {
    PoolSpace pool = engine.space();
    long taken = pool.capacity() - pool.free();
    if (needed <= Math.min(container.quotaInBytes() - taken, pool.free())) {
      return;
    }
    long free = of(container).free();
    if (free < needed) {
      throw outOfSpace(container, needed, free);
    }
  }

  private void checkGrowth(StorageContainer container, VirtualVolume volume, long sizeInBytes) {
    if (sizeInBytes > container.quotaInBytes()) {
      throw outOfSpace(container, sizeInBytes, container.quotaInBytes());
    }
    long growth = sizeInBytes - volume.sizeInBytes();
    if (volume.thick() && growth > 0) {
      requireFree(container, growth);
    }
  }

  private static VasaException outOfSpace(StorageContainer container, long needed, long free) {
    return new VasaException(
        new Fault.OutOfResource(),
        "storage container '%s' has %d bytes, %d are needed"
            .formatted(container.name(), free, needed));
  }

  private ContainerSpace of(StorageContainer container) {
    InContainer pass = new InContainer(container.id());
    return space(container, pass.pool(), pass.everywhere, pass.inside, pass.inside);
  }

  /// A pass over the pool alone, which has all of this in memory. The rows of thousands of volumes
  /// would take a database tens of milliseconds for each new volume.
  private final class InContainer {

    private final Sum everywhere = new Sum();
    private final Sum inside = new Sum();
    private final Map<String, Sum> byProfile = new HashMap<>();
    private final List<VolumeInfo> inBin = new ArrayList<>();

    InContainer(UUID container) {
      eachVolume(inBin::add, (volume, space) -> add(container, volume, space));
    }

    PoolSpace pool() {
      return binned.outOf(engine.space(), binned.of(inBin)).space();
    }

    private void add(UUID container, VolumeInfo volume, VolumeSpace space) {
      everywhere.add(volume, space);
      if (PoolAttributes.container(volume).equals(container)) {
        inside.add(volume, space);
        PoolAttributes.profile(volume)
            .ifPresent(
                profile ->
                    byProfile.computeIfAbsent(profile.id(), _ -> new Sum()).add(volume, space));
      }
    }
  }

  private static ContainerSpace space(
      StorageContainer container, PoolSpace pool, Sum everywhere, Sum inside, Sum matching) {
    long sharedInPool = Math.max(0, pool.used() - everywhere.unique);
    long used = inside.used(everywhere, sharedInPool);
    long quota = container.quotaInBytes();
    return new ContainerSpace(
        quota,
        matching.logical,
        matching.used(everywhere, sharedInPool),
        Math.max(0, Math.min(quota - used, pool.free())),
        pool.capacity(),
        pool.capacity() - pool.free(),
        pool.free());
  }

  /// The space of some volumes together.
  private static final class Sum {
    private final Set<String> machines = new HashSet<>();
    private long volumes;
    private long logical;
    private long shared;
    private long unique;
    private long reserved;

    void add(VolumeInfo volume, VolumeSpace space) {
      PoolAttributes.machine(volume).ifPresent(machines::add);
      volumes++;
      logical += volume.sizeInBytes();
      shared += space.mapped() - space.unique();
      unique += space.unique();
      reserved += space.reserved();
    }

    long used(Sum all, long sharedInPool) {
      long part =
          all.shared == 0
              ? 0
              : Math.round((double) Math.min(sharedInPool, all.shared) * shared / all.shared);
      return unique + reserved + part;
    }
  }

  private Optional<VolumeUsage> usage(VirtualVolume volume) {
    return find(volume.id())
        .map(
            space ->
                new VolumeUsage(
                    volume.id(),
                    volume.sizeInBytes(),
                    space.mapped() + space.reserved(),
                    space.unique() + space.reserved()));
  }
}
