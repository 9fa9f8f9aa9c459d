package io.coppice.engine;

import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.ChunkBitmap;
import io.coppice.engine.range.DifferencePart;
import io.coppice.engine.status.EngineCounters;
import io.coppice.engine.status.MirrorStatus;
import io.coppice.engine.status.PoolInfo;
import io.coppice.engine.status.PoolSpace;
import io.coppice.engine.status.PoolStatus;
import io.coppice.engine.status.WrittenCounts;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A storage engine with one open pool.
///
/// Every changing method takes effect by one change in the log, is stable when the method returns,
/// and may be repeated with its [OperationId]. All methods are safe for any thread and block until
/// done. If one fails with a [StorageException], it has changed nothing, except for
/// [StorageException.DeviceFailed].
public interface StorageEngine extends AutoCloseable {

  /// Most volumes of one consistency group.
  int MAX_GROUP = 256;

  /// Most volumes and snapshots of which one question asks what their deletion gives back.
  int MAX_FREED = 100_000;

  /// Longest attribute name, in bytes of UTF-8.
  int MAX_ATTRIBUTE_NAME_BYTES = 256;

  /// Longest attribute value, in bytes of UTF-8.
  int MAX_ATTRIBUTE_VALUE_BYTES = 8 << 10;

  /// Most bytes of UTF-8 in all names and values of one volume.
  int MAX_ATTRIBUTES_BYTES = 64 << 10;

  PoolInfo pool();

  PoolSpace space();

  /// Whether the pool serves I/O. If not, or not safely, also why and since when. Never fails, not
  /// even after the pool has.
  PoolStatus status();

  /// The reason why less than the whole pool can be filled now, as a sentence for people: the layer
  /// below has no space. [#space] counts that much less as its capacity.
  ///
  /// @return absent if all of it can be filled
  default Optional<String> spaceLimit() {
    return Optional.empty();
  }

  EngineCounters counters();

  /// What was written to each volume since the pool was opened; those to which nothing was are left
  /// out, and so are snapshots. Answers from memory.
  ///
  /// @return none at all if the engine does not count this
  default Map<VolumeId, WrittenCounts> written() {
    return Map.of();
  }

  /// What each volume and snapshot goes on from: the nearest one that is still there and whose
  /// content it began with. A snapshot goes on from the one before it, a volume from its newest
  /// snapshot or from the one that it was reverted to, and a clone from what it was made of. Those
  /// that go on from nothing are left out. Answers from memory, and costs a look at each of them.
  ///
  /// @return none at all if the engine does not know this
  default Map<VolumeId, VolumeId> bases() {
    return Map.of();
  }

  PoolRecords records();

  /// The locks of snapshots.
  SnapshotLocks locks();

  /// The journals of volumes.
  Journals journals();

  /// The two devices of the pool; absent if it is kept on one.
  default Optional<MirrorStatus> mirror() {
    return Optional.empty();
  }

  /// The scrubber, which looks for damage before the data is needed.
  Scrub scrub();

  /// @throws StorageException.AlreadyExists if the id is taken
  /// @throws StorageException.InvalidRequest if the size or an attribute is out of range
  /// @throws StorageException.OutOfSpace if the volume is reserved and the pool lacks the space
  VolumeInfo create(OperationId operation, VolumeSpec spec);

  Optional<VolumeInfo> find(VolumeId id);

  /// All volumes and snapshots, in id order.
  List<VolumeInfo> list();

  /// A handle for I/O. It stays valid over snapshots, resizes and reverts of the volume, and fails
  /// with [StorageException.NotFound] after its deletion.
  ///
  /// @throws StorageException.NotFound if there is no such volume
  Volume open(VolumeId id);

  /// Takes snapshots of up to [#MAX_GROUP] volumes at one position of the log. Every write
  /// acknowledged before the call is in all of them. If a write is in that began after another was
  /// acknowledged, the other is in, too. Running I/O is neither stopped nor slowed.
  ///
  /// @param timeout how long the call may wait for its place in the log
  /// @return one entry per spec, in order
  /// @throws StorageException.NotFound if a source does not exist
  /// @throws StorageException.AlreadyExists if an id is taken
  /// @throws StorageException.OutOfSpace if a reserved source needs more reservation than there is
  /// @throws StorageException.TimedOut if withdrawn in time: no snapshot exists
  List<VolumeInfo> snapshot(OperationId operation, List<SnapshotSpec> specs, Duration timeout);

  /// Makes a writable volume with the source's present content and size. No tie remains: either may
  /// be deleted first.
  ///
  /// @throws StorageException.NotFound if the source does not exist
  /// @throws StorageException.AlreadyExists if the id is taken
  /// @throws StorageException.OutOfSpace if the clone is reserved and the pool lacks the space
  VolumeInfo clone(OperationId operation, CloneSpec spec);

  /// Gives `volume` the content and size of `snapshot`. All snapshots stay. Each write in flight is
  /// completed before it, or is not in the result.
  ///
  /// @throws StorageException.NotFound if either does not exist
  /// @throws StorageException.ReadOnly if `volume` is a snapshot
  /// @throws StorageException.Unrelated if `snapshot` is not a snapshot taken of `volume`
  VolumeInfo revert(OperationId operation, VolumeId volume, VolumeId snapshot);

  /// Gives each of up to [#MAX_GROUP] volumes the content and size of a snapshot of its own: all of
  /// them or none, for hosts and after a crash. All snapshots stay. Each write in flight is
  /// completed before it, or is not in the result; while it waits for those of one volume, later
  /// writes to the others wait, too. The first call on a pool that names more than one volume makes
  /// a checkpoint.
  ///
  /// @param snapshots the snapshot to which each volume goes back
  /// @return one entry per volume, in the order of the map
  /// @throws IllegalArgumentException if the map is empty
  /// @throws StorageException.InvalidRequest if there are more than [#MAX_GROUP]
  /// @throws StorageException.NotFound if a volume or snapshot does not exist
  /// @throws StorageException.ReadOnly if a volume is a snapshot
  /// @throws StorageException.Unrelated if a snapshot was not taken of its volume
  /// @throws StorageException.OutOfSpace if the pool lacks the space for that checkpoint
  List<VolumeInfo> revert(OperationId operation, Map<VolumeId, VolumeId> snapshots);

  /// Grows a volume.
  ///
  /// @throws StorageException.InvalidRequest if the size is smaller than now or out of range
  /// @throws StorageException.ReadOnly if it is a snapshot
  /// @throws StorageException.OutOfSpace if it is reserved and the pool lacks the space
  VolumeInfo resize(OperationId operation, VolumeId id, long sizeInBytes);

  /// Makes a volume reserved ("thick") or thin.
  ///
  /// @throws StorageException.OutOfSpace if the pool lacks the space
  VolumeInfo reserve(OperationId operation, VolumeId id, boolean reserved);

  /// Removes a volume or snapshot; its space is reclaimed in the background. Snapshots and clones
  /// of it stay. Outstanding I/O has ended when this returns.
  ///
  /// @throws StorageException.NotFound if it does not exist
  /// @throws StorageException.Locked if it is a locked snapshot
  void delete(OperationId operation, VolumeId id);

  /// Puts and removes attributes of a volume or snapshot.
  ///
  /// @throws StorageException.InvalidRequest if a limit of this interface would be passed, or as
  ///   [SnapshotLocks#lock]
  /// @throws StorageException.Locked if it would end a lock early
  VolumeInfo setAttributes(
      OperationId operation, VolumeId id, Map<String, String> put, Set<String> remove);

  /// Copies the differences between `source` and `base` by pointer onto `destination`: all of them
  /// or nothing, for readers and after a crash. Writes to the destination wait until the end. The
  /// first call on a pool of an older format makes a checkpoint.
  ///
  /// @return bytes in the ranges that were copied
  /// @throws StorageException.Unrelated if source and base are not of one family
  /// @throws StorageException.InvalidRequest if the destination is smaller than the source, or was
  ///   snapshotted or cloned meanwhile
  /// @throws StorageException.ReadOnly if the destination is a snapshot
  /// @throws StorageException.OutOfSpace if the pool lacks the space
  long copyDiffs(OperationId operation, VolumeId source, VolumeId base, VolumeId destination);

  /// Whether a changing call with this id has happened. At least the last [OperationId#REMEMBERED]
  /// are known, even over restarts.
  boolean remembers(OperationId operation);

  /// The chunks of the segment that have stored data. If the volume is written meanwhile, each
  /// chunk is as it was when it was looked at; a revert meanwhile counts wholly.
  ///
  /// @param chunkSizeInBytes a multiple of 4096
  /// @throws StorageException.InvalidRequest if the segment is not inside the volume
  ChunkBitmap allocated(VolumeId id, ByteRange segment, long chunkSizeInBytes);

  /// The chunks of the segment of `id` that may differ from `base`: a chunk whose bit is clear is
  /// surely equal. The cost is proportional to the difference, not to the size. The answer for two
  /// snapshots is as of one moment, for volumes as in [#allocated].
  ///
  /// @throws StorageException.NotFound if one of them is deleted meanwhile
  /// @throws StorageException.Unrelated if the two are not of one family
  /// @throws StorageException.InvalidRequest as [#allocated]
  ChunkBitmap unshared(VolumeId id, VolumeId base, ByteRange segment, long chunkSizeInBytes);

  /// The space of a volume as of one moment, from stored numbers: no map is looked through.
  ///
  /// @throws StorageException.NotFound if there is no such volume
  VolumeSpace spaceOf(VolumeId id);

  /// The bytes of a volume that have stored data, shared or not: [VolumeSpace#mapped] alone, for
  /// sums over all volumes. Unlike [#spaceOf] it never looks at what a deletion has left behind.
  ///
  /// @throws StorageException.NotFound if there is no such volume
  default long mappedOf(VolumeId id) {
    return spaceOf(id).mapped();
  }

  /// What the pool gets back when exactly these volumes and snapshots are deleted and their remains
  /// have been reclaimed. This may be more than they hold alone: data that deleted relatives left
  /// for them and one other goes, too. A block that was copied by pointer or repeated is given back
  /// with the last of its places.
  ///
  /// The volumes of one family are looked at as of one moment, and in most calls all of them are.
  /// Then it costs a look at their accounts. Only for volumes that share blocks outside of their
  /// family or repeat them the nodes of the data to be released are read. Writes made meanwhile may
  /// or may not be in the answer.
  ///
  /// @param volumes in any families, each counted once; the answer has them in this order
  /// @throws StorageException.NotFound if one of them does not exist
  /// @throws StorageException.InvalidRequest if there are more than [#MAX_FREED]
  /// @throws StorageException.Overtaken if volumes of their families were deleted, reverted or
  ///   snapshotted again and again meanwhile
  default FreedSpace freedIfDeleted(Collection<VolumeId> volumes) {
    return freedInOrder(volumes, Long.MAX_VALUE);
  }

  /// What must be deleted to get back a number of bytes: the shortest beginning of a list of
  /// candidates that gives back as much, or all of them if they do not give back enough. Maps are
  /// read as in [#freedIfDeleted], for that beginning only.
  ///
  /// @param candidates those to be deleted first in front
  /// @param enough bytes, from 0
  /// @throws StorageException as [#freedIfDeleted]
  FreedSpace freedInOrder(Collection<VolumeId> candidates, long enough);

  /// One part of the ranges of `id` that may differ from `base`, in the size of `id`: a byte
  /// outside of them is surely equal, or was stored in neither. Equal data that was written again
  /// differs. The cost of all parts is proportional to the difference, and that of one is bounded:
  /// it ends after `most` ranges, or earlier, even inside a range, of which the next part then has
  /// the rest. It may be empty and still have a next one.
  ///
  /// For two snapshots all parts are of one moment. In a volume that is written meanwhile, each
  /// place is as it was when its part was made; snapshots, clones and a growth do not disturb that.
  ///
  /// @param base null for nothing: all ranges that have stored data
  /// @param from [DifferencePart.Place#START] or the `next` of the part before
  /// @param most ranges, from 1
  /// @throws StorageException.NotFound if one of them does not exist
  /// @throws StorageException.Unrelated if the two are not of one family
  /// @throws StorageException.InvalidRequest if `from` or `most` is out of range
  /// @throws StorageException.Overtaken if one of them was reverted since the part before
  DifferencePart differences(
      VolumeId id, @Nullable VolumeId base, DifferencePart.Place from, int most);

  /// Makes a checkpoint and waits until it counts: an open then reads nothing of the log before it.
  ///
  /// @throws StorageException.OutOfSpace if the pool has too few free zones for it: the one before
  ///   counts, and the log has the changes since
  /// @throws StorageException.DeviceFailed if the pool is closed or has failed
  void checkpoint();

  /// Stops taking I/O, lets admitted I/O end, writes a checkpoint and closes the pool.
  @Override
  void close();
}
