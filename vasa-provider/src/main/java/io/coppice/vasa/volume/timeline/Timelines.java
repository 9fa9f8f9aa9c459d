package io.coppice.vasa.volume.timeline;

import io.coppice.engine.Journals;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.journal.JournalInfo;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.TreeSet;
import org.springframework.stereotype.Component;

/// The timelines of volumes: the points of their journals.
///
/// The points of several volumes are made at one position of the log, and a volume that has not
/// changed since its last point gets none. So what several volumes held at a moment is, of each of
/// them, its newest point at that moment or before it.
@Component
public final class Timelines {

  private static final String ARGUMENT = "moment";

  private final VolumeStore store;

  public Timelines(VolumeStore store) {
    this.store = store;
  }

  private Journals journals() {
    return store.engine().journals();
  }

  /// What is known of the timeline of a volume; empty if it has none.
  public Optional<JournalInfo> find(VolumeId volume) {
    return journals().find(volume);
  }

  /// Moments of volumes, each once. It asks each of them for as many, wherever they are.
  ///
  /// @param edge the first moment that counts
  /// @param newestFirst whether they go back from the edge, or on
  /// @param most 1 to [Journals#MOST_POINTS]
  public List<Instant> moments(
      Collection<VolumeId> volumes, Instant edge, boolean newestFirst, int most) {
    Comparator<Instant> order = newestFirst ? Comparator.reverseOrder() : Comparator.naturalOrder();
    SequencedSet<Instant> found = new TreeSet<>(order);
    for (VolumeId volume : volumes) {
      found.addAll(momentsOf(volume, edge, newestFirst, most));
    }
    return found.stream().limit(most).toList();
  }

  private List<Instant> momentsOf(VolumeId volume, Instant edge, boolean newestFirst, int most) {
    try {
      return newestFirst
          ? journals().pointsBefore(volume, edge, most)
          : journals().points(volume, edge, most);
    } catch (StorageException.NotFound e) {
      return List.of(); // it was ended meanwhile
    }
  }

  /// The points that volumes go back to.
  ///
  /// @param point the newest of their points: what all of them held then is what they get
  /// @param points that of each volume
  public record Aim(Instant point, Map<VolumeId, Instant> points) {

    public Aim {
      points = Map.copyOf(points);
    }
  }

  /// Finds what volumes held at a moment.
  ///
  /// @param volumes at least one
  /// @throws VasaException (NotSupported) if one has no timeline; (InvalidArgument) if the moment
  ///   is in the future; (NotFound) if one does not reach back to it
  public Aim aim(List<VolumeId> volumes, Instant moment) {
    Instant newest = store.now();
    for (VolumeId volume : volumes) {
      Instant last = reachingBackTo(volume, moment).newest();
      newest = last.isAfter(newest) ? last : newest; // the machine's clock may have been set back
    }
    if (moment.isAfter(newest)) {
      throw VasaException.invalidArgument(
              "expected a moment that is over, got %s, and it is %s".formatted(moment, newest))
          .about(ARGUMENT);
    }
    Map<VolumeId, Instant> points = new HashMap<>();
    for (VolumeId volume : volumes) {
      Instant point =
          FaultTranslation.translated(() -> journals().pointAt(volume, moment))
              .orElseThrow(() -> tooOld(volume, moment, reachingBackTo(volume, moment).oldest()));
      points.put(volume, point);
    }
    return new Aim(Collections.max(points.values()), points);
  }

  private JournalInfo reachingBackTo(VolumeId volume, Instant moment) {
    JournalInfo info =
        find(volume)
            .orElseThrow(
                () ->
                    new VasaException(
                        new Fault.NotSupported(),
                        "volume %s has no timeline: no protection policy with continuous points protects it"
                            .formatted(volume)));
    if (moment.isBefore(info.oldest())) {
      throw tooOld(volume, moment, info.oldest());
    }
    return info;
  }

  private static VasaException tooOld(VolumeId volume, Instant moment, Instant oldest) {
    return VasaException.notFound(
            "expected a moment from %s on, to which the timeline of volume %s reaches back, got %s"
                .formatted(oldest, volume, moment))
        .about(ARGUMENT);
  }

  /// The refusal of a point that the pool has forgotten while its content was put together.
  public static StorageException forgotten() {
    return new StorageException.NotFound(
        "the point was forgotten before its content had been put together: choose a later moment");
  }
}
