package io.coppice.engine;

import io.coppice.engine.journal.JournalInfo;
import io.coppice.engine.journal.JournalTier;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The journals of volumes. A journal keeps what its volume writes over, together with the moments
/// of its *points*. A point costs nothing but its moment: no version, no snapshot and no row. What
/// was written over since a point brings the volume back to it.
///
/// A journal has tiers, such as a point each 5 seconds for an hour and each minute for a day. Each
/// of them is complete by itself, and forgets its oldest points by itself. A point gets older only
/// while the pool is open, by the nanoseconds that the machine counts: neither its clock nor an
/// outage makes a journal forget. A moment is the machine's clock at the cut, and always later than
/// the one before.
///
/// Snapshots, clones and growth of the volume do not disturb a journal. A revert keeps the points
/// before it.
///
/// Safe for any thread.
public interface Journals {

  /// Most tiers of a journal.
  int MOST_TIERS = 4;

  /// Most points of one answer.
  int MOST_POINTS = 10_000;

  /// Begins the journal of a volume with a first point, or gives it other tiers. A tier that stays
  /// keeps its points; one that is left out loses them.
  ///
  /// @param tiers 1 to [#MOST_TIERS], each with another time between points
  /// @throws StorageException.NotFound if the volume does not exist
  /// @throws StorageException.ReadOnly if it is a snapshot
  /// @throws StorageException.InvalidRequest if it is reserved, or the tiers are not as above
  void keep(OperationId operation, VolumeId volume, List<JournalTier> tiers);

  /// Ends the journal of a volume, and forgets its points. Does nothing if it has none.
  ///
  /// @throws StorageException.NotFound if the volume does not exist
  void end(OperationId operation, VolumeId volume);

  /// Makes a point of each of these volumes, all at one position of the log, in the tiers in which
  /// one is due. Volumes without a journal are passed over, and so are those that do not exist. A
  /// volume that has not changed since its last point needs no other one.
  ///
  /// A point is due in a tier when the age of the pool has passed a multiple of the time between
  /// points since one was due last. So it is due in all volumes at once.
  ///
  /// @return the moment
  Instant cut(Collection<VolumeId> volumes);

  /// Makes a point, as [#cut] does, of each volume in which one is due. It costs nothing but a look
  /// at each journal if none is, so it may be called several times a second.
  ///
  /// @return the moment; absent if no point was due
  Optional<Instant> cutDue();

  /// Forgets the points of volumes before a moment, so that what only they need is reclaimed. The
  /// newest of them stays in each tier: it tells how the volume was at the moment. Volumes without
  /// a journal are passed over. It is never refused for lack of space.
  void trim(OperationId operation, Collection<VolumeId> volumes, Instant before);

  /// The volumes that have a journal, in any order.
  List<VolumeId> volumes();

  /// The journal of a volume; absent if it has none.
  Optional<JournalInfo> find(VolumeId volume);

  /// Points of a volume, oldest first. Finding the first takes a time that does not depend on how
  /// many there are.
  ///
  /// @param from earliest moment
  /// @param most 1 to [#MOST_POINTS]
  /// @throws StorageException.NotFound if the volume has no journal
  List<Instant> points(VolumeId volume, Instant from, int most);

  /// Points of a volume, newest first. Finding the first takes a time that does not depend on how
  /// many there are.
  ///
  /// @param to latest moment
  /// @param most 1 to [#MOST_POINTS]
  /// @throws StorageException.NotFound if the volume has no journal
  List<Instant> pointsBefore(VolumeId volume, Instant to, int most);

  /// The newest point at a moment or before it.
  ///
  /// @throws StorageException.NotFound if the volume has no journal
  Optional<Instant> pointAt(VolumeId volume, Instant moment);

  /// Makes a writable volume with the content that the source had at a point. It costs a record for
  /// each run of blocks that were written over since. The source goes on meanwhile.
  ///
  /// @param spec with the source
  /// @throws StorageException.NotFound if the source has no journal, or no such point
  /// @throws StorageException.Overtaken if the point was forgotten meanwhile
  /// @throws StorageException.AlreadyExists if the id is taken
  VolumeInfo clone(OperationId operation, CloneSpec spec, Instant point);

  /// Brings volumes back to points, each as [#clone] finds it, and all or none of them. The present
  /// content becomes a point of each, too, so a revert can be undone, and a millisecond later the
  /// content that it has then; of all volumes at the same two moments.
  ///
  /// @param points 1 to [StorageEngine#MAX_GROUP] volumes, each with one of its points
  /// @return the volumes as they are then, in any order
  /// @throws StorageException as [#clone]
  /// @throws StorageException.InvalidRequest if there are none, or too many
  List<VolumeInfo> revert(OperationId operation, Map<VolumeId, Instant> points);

  /// As above, of one volume.
  default VolumeInfo revert(OperationId operation, VolumeId volume, Instant point) {
    return revert(operation, Map.of(volume, point)).getFirst();
  }
}
