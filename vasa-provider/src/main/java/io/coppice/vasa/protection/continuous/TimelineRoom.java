package io.coppice.vasa.protection.continuous;

import io.coppice.engine.Journals;
import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.engine.journal.JournalInfo;
import io.coppice.vasa.audit.OwnWork;
import io.coppice.vasa.volume.bin.BinRounds;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.springframework.stereotype.Service;

/// The room that continuous points give back to a pool that is nearly full: virtual machines go on,
/// and the oldest moments are lost first, of all volumes alike.
///
/// A step shortens the time that all timelines reach back together, by the share that is missing of
/// what they keep: a hundredth at least, a quarter at most. It comes when the recycle bin has
/// nothing more to give, and the next one two seconds later, when the space of the one before is
/// seen as a rule. The newest point of a volume always stays.
@Service
public final class TimelineRoom {

  private static final String SHORTEN = "timelines.shorten";
  private static final double LEAST_SHARE = 0.01;
  private static final double MOST_SHARE = 0.25;
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final VolumeStore store;
  private final Journals journals;
  private final BinRounds bin;
  private final OwnWork own;

  // Of housekeeping's thread, by the time that has passed.
  private Instant pausing = Instant.MIN;

  // The moment of the last step, by the machine's clock: the point before it stays, so that the
  // next step must begin there.
  private Instant reached = Instant.EPOCH;

  public TimelineRoom(VolumeStore store, BinRounds bin, OwnWork own) {
    this.store = store;
    this.journals = store.engine().journals();
    this.bin = bin;
    this.own = own;
  }

  /// Forgets the oldest points while less of the pool is free than the settings of the recycle bin
  /// want, and the bin gives nothing.
  public void makeRoomWhenLow() {
    Instant now = store.seen();
    long missing = bin.missing();
    if (now.isBefore(pausing) || missing <= 0 || bin.makeRoomWhenLow() > 0) {
      return;
    }
    pausing = now.plus(PAUSE);
    List<VolumeId> volumes = journals.volumes();
    List<JournalInfo> kept =
        volumes.stream()
            .flatMap(volume -> journals.find(volume).stream())
            .filter(info -> info.keptBytes() > 0)
            .toList();
    if (!kept.isEmpty()) {
      reached = reaching(kept, missing);
      journals.trim(OperationId.random(), volumes, reached);
      own.done(SHORTEN, "to " + reached);
    }
  }

  /// The moment up to which the oldest part of the time goes.
  private Instant reaching(List<JournalInfo> kept, long missing) {
    Instant first =
        kept.stream().map(JournalInfo::oldest).min(Comparator.naturalOrder()).orElseThrow();
    Instant newest =
        kept.stream().map(JournalInfo::newest).max(Comparator.naturalOrder()).orElseThrow();
    Instant oldest = reached.isAfter(first) && reached.isBefore(newest) ? reached : first;
    Duration reach = Duration.between(oldest, newest);
    long bytes = kept.stream().mapToLong(JournalInfo::keptBytes).sum();
    double share = Math.clamp((double) missing / bytes, LEAST_SHARE, MOST_SHARE);
    // At least a second, so that what reaches back for little comes to an end.
    Duration step = Duration.ofMillis((long) (reach.toMillis() * share)).plusSeconds(1);
    return step.compareTo(reach) < 0 ? oldest.plus(step) : newest;
  }
}
