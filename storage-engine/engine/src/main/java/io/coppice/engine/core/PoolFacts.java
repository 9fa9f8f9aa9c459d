package io.coppice.engine.core;

import io.coppice.engine.format.LogPosition;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.log.Log;
import io.coppice.engine.segment.Segment;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/// What a scrubber must know of the pool, each as of one moment.
final class PoolFacts {

  private static final int AT_ONCE = 256;

  private final PoolState state;
  private final Log log;
  private final Checkpoints checkpoints;
  private final Questions questions;

  PoolFacts(PoolState state, Log log, Checkpoints checkpoints, Questions questions) {
    this.state = state;
    this.log = log;
    this.checkpoints = checkpoints;
    this.questions = questions;
  }

  /// A zone in which something lives.
  ///
  /// @param living blocks of its own segment that live in it
  /// @param guests living blocks of other segments in it
  /// @param limit block from which on nothing is stable yet
  /// @param open whether more may be written into it
  record Zone(
      int zone,
      int segment,
      Segment.Kind kind,
      BitSet living,
      int guests,
      int limit,
      boolean open) {}

  /// The checkpoint that counts, and the end of the log.
  record Head(Superblock superblock, LogPosition end) {}

  /// A stored block that is not what it should be.
  record Suspect(int segment, int block, long place) {}

  int zones() {
    return state.segments().zones();
  }

  /// Absent if nothing lives in the zone.
  Optional<Zone> zone(int zone) {
    return questions.ask(() -> look(zone));
  }

  private Optional<Zone> look(int zone) {
    Segment segment = state.segments().inZone(zone);
    if (segment == null || segment.residents() == 0) {
      return Optional.empty();
    }
    LogPosition end = log.position();
    boolean isEnd = segment.kind() == Segment.Kind.LOG && end.segment() == segment.id();
    int limit = isEnd ? end.block() : state.segments().blocksPerZone();
    return Optional.of(
        new Zone(
            zone,
            segment.id(),
            segment.kind(),
            segment.livingAtHome(),
            segment.guests(),
            limit,
            isEnd));
  }

  /// Living blocks of nodes of other segments in a zone, in the order in which they lie.
  List<Suspect> nodeGuests(int zone, int segment) {
    return questions.ask(
        () -> {
          List<Suspect> guests = new java.util.ArrayList<>();
          Segment now = state.segments().inZone(zone);
          if (now != null && now.id() == segment) {
            state
                .segments()
                .guestsOf(now, (id, block, place) -> guests.add(new Suspect(id, block, place)));
          }
          guests.sort(java.util.Comparator.comparingLong(Suspect::place));
          return guests;
        });
  }

  Head head() {
    return questions.ask(() -> new Head(checkpoints.current(), log.position()));
  }

  /// Those of `suspects` that still live where they stood.
  List<Suspect> living(List<Suspect> suspects) {
    List<Suspect> living = new java.util.ArrayList<>();
    for (int at = 0; at < suspects.size(); at += AT_ONCE) {
      List<Suspect> some = suspects.subList(at, Math.min(suspects.size(), at + AT_ONCE));
      living.addAll(questions.ask(() -> some.stream().filter(this::lives).toList()));
    }
    return living;
  }

  private boolean lives(Suspect suspect) {
    return state.segments().livesAt(suspect.segment(), suspect.block(), suspect.place());
  }

  /// Whether a zone still holds the segment, and which blocks of it still live in it.
  BitSet livingAtHome(int zone, int segment) {
    return questions.ask(
        () -> {
          Segment now = state.segments().inZone(zone);
          return now != null && now.id() == segment ? now.livingAtHome() : new BitSet();
        });
  }

  /// How many living guests a zone has that are not among those `told`.
  int guestsUntold(int zone, int segment, List<Suspect> told) {
    return questions.ask(
        () -> {
          Segment now = state.segments().inZone(zone);
          if (now == null || now.id() != segment) {
            return 0;
          }
          return now.guests() - (int) told.stream().filter(this::lives).count();
        });
  }
}
