package io.coppice.replication.source;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.range.ByteRange;
import io.coppice.engine.range.DifferencePart;
import io.coppice.replication.Replica;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The choice of the base of a member: the snapshot that both pools have and from which least
/// differs.
///
/// The newest replica of the member itself is taken at once if it has one. A new member may be a
/// clone: then the replicas of what it was cloned from, and of other clones of that, are compared.
final class BaseChoice {

  /// Most candidates whose differences are counted.
  private static final int MOST_COMPARED = 8;

  private static final int RANGES = 256;

  private final StorageEngine engine;

  BaseChoice(StorageEngine engine) {
    this.engine = engine;
  }

  /// The newest snapshot of the member itself.
  ///
  /// @param theirs replicas that the target has, newest first
  @Nullable VolumeId ofMember(UUID member, VolumeInfo snapshot, List<Replica> theirs) {
    for (Replica replica : theirs) {
      VolumeId id = replica.snapshots().get(member);
      if (id != null && fits(id, snapshot) && differing(snapshot.id(), id, 1) >= 0) {
        return id;
      }
    }
    return null;
  }

  /// Those of some replicated snapshots that share an ancestor with the snapshot of a new member,
  /// the nearest first.
  List<VolumeId> relatives(VolumeInfo snapshot, List<VolumeId> replicated) {
    Set<VolumeId> line = line(snapshot);
    return replicated.stream()
        .filter(id -> fits(id, snapshot))
        .filter(id -> engine.find(id).filter(info -> !disjoint(line(info), line)).isPresent())
        .sorted((a, b) -> Integer.compare(distance(a, line), distance(b, line)))
        .limit(MOST_COMPARED)
        .toList();
  }

  /// The one of some candidates from which least differs.
  @Nullable VolumeId nearest(VolumeInfo snapshot, List<VolumeId> candidates) {
    VolumeId best = null;
    long least = snapshot.sizeInBytes();
    for (VolumeId candidate : candidates) {
      long bytes = differing(snapshot.id(), candidate, least);
      if (bytes >= 0 && bytes < least) {
        best = candidate;
        least = bytes;
      }
    }
    return best;
  }

  private boolean fits(VolumeId base, VolumeInfo snapshot) {
    return !base.equals(snapshot.id())
        && engine
            .find(base)
            .filter(info -> info.sizeInBytes() <= snapshot.sizeInBytes())
            .isPresent();
  }

  private static boolean disjoint(Set<VolumeId> a, Set<VolumeId> b) {
    return a.stream().noneMatch(b::contains);
  }

  private int distance(VolumeId id, Set<VolumeId> line) {
    int steps = 0;
    for (VolumeId ancestor : line(engine.find(id).orElse(null))) {
      if (line.contains(ancestor)) {
        return steps;
      }
      steps++;
    }
    return Integer.MAX_VALUE;
  }

  /// A volume or snapshot, what it was made of, and so on. The last one may be deleted: two clones
  /// may still have it in common.
  private Set<VolumeId> line(@Nullable VolumeInfo from) {
    Set<VolumeId> line = new LinkedHashSet<>();
    VolumeInfo next = from;
    while (next != null && line.add(next.id())) {
      VolumeId origin = next.origin();
      next = origin == null ? null : engine.find(origin).orElse(null);
      if (origin != null && next == null) {
        line.add(origin);
      }
    }
    return line;
  }

  /// Bytes that differ, counted up to a limit; -1 if the two are not related.
  private long differing(VolumeId snapshot, VolumeId base, long enough) {
    long bytes = 0;
    DifferencePart.Place place = DifferencePart.Place.START;
    try {
      while (place != null && bytes < enough) {
        DifferencePart part = engine.differences(snapshot, base, place, RANGES);
        bytes += part.ranges().stream().mapToLong(ByteRange::length).sum();
        place = part.next();
      }
      return bytes;
    } catch (StorageException.Unrelated | StorageException.NotFound e) {
      return -1;
    }
  }
}
