package io.coppice.engine.scrub;

import io.coppice.engine.StorageException;
import io.coppice.engine.checkpoint.Checkpoints;
import io.coppice.engine.family.Version;
import io.coppice.engine.format.LogPosition;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.log.Log;
import io.coppice.engine.segment.PageContent;
import io.coppice.engine.segment.Pages;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.state.CommitterQueries;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.SurvivorZones;
import io.coppice.engine.state.SuspectBlock;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The facts about the pool that a scrubber must know, each as of one moment.
public final class ScrubView {

  private static final int AT_ONCE = 256;

  private final PoolState state;
  private final Log log;
  private final SurvivorZones survivors;
  private final Checkpoints checkpoints;
  private final CommitterQueries questions;

  public ScrubView(
      PoolState state,
      Log log,
      SurvivorZones survivors,
      Checkpoints checkpoints,
      CommitterQueries questions) {
    this.state = state;
    this.log = log;
    this.survivors = survivors;
    this.checkpoints = checkpoints;
    this.questions = questions;
  }

  /// A zone in which something lives.
  ///
  /// @param living blocks of its own segment that live in it
  /// @param guests living blocks of other segments in it
  /// @param limit block from which on nothing is stable yet
  /// @param open whether more may be written into it
  public record Zone(
      int zone,
      int segment,
      Segment.Kind kind,
      BitSet living,
      int guests,
      int limit,
      boolean open) {}

  /// The state of a taken zone.
  ///
  /// @param zone the one that its segment lies in: another one if this is a second zone
  /// @param segment -1 if none lies there
  /// @param limit block from which on nothing is stable yet
  public record Held(int zone, int segment, Segment.@Nullable Kind kind, int limit) {

    static final Held NOTHING = new Held(-1, -1, null, 0);

    public boolean isSame(Held other) {
      return zone == other.zone && segment == other.segment;
    }
  }

  /// The checkpoint that counts, and the end of the log.
  public record Head(Superblock superblock, LogPosition end) {}

  int zones() {
    return state.segments().zones();
  }

  /// Absent if nothing lives in the zone.
  public Optional<Zone> zone(int zone) {
    try {
      return ask(
          () -> {
            Segment segment = state.segments().inZone(zone);
            return segment == null ? List.of() : List.of(segment.id());
          },
          () -> look(zone));
    } catch (
        StorageException.Damaged e) { // in both copies: found with the zone that the page is in
      return Optional.empty();
    }
  }

  /// The state of a zone by how far it is filled.
  enum Filling {
    /// Free, or a second zone, or more may be stored there.
    OPEN,
    /// Nothing lives there, and nothing will until it is free.
    DEAD,
    /// Something lives there, and no more will be added.
    FULL
  }

  Filling filling(int zone) {
    return questions.ask(
        () -> {
          Segment segment = state.segments().inZone(zone);
          if (segment == null || segment.isOpen()) {
            return Filling.OPEN;
          }
          return segment.residents() == 0 ? Filling.DEAD : Filling.FULL;
        });
  }

  /// The state of a zone, whether or not something lives there.
  public Held held(int zone) {
    return questions.ask(
        () -> {
          boolean isFirst = state.segments().inZone(zone) != null;
          int first = isFirst ? zone : state.segments().twins().firstOf(zone);
          Segment segment = first < 0 ? null : state.segments().inZone(first);
          return segment == null
              ? Held.NOTHING
              : new Held(first, segment.id(), segment.kind(), limit(segment));
        });
  }

  /// Every version, of volumes and others.
  public List<Version> versions() {
    return questions.ask(() -> List.copyOf(state.families().versions()));
  }

  /// Every stored page.
  public List<Pages.Missing> pages() {
    return questions.ask(() -> state.pages().named());
  }

  /// Asks a question about the live blocks of some segments. Pages that are not in memory are read.
  ///
  /// @throws StorageException.Damaged if a page cannot be read
  private <T> T ask(Supplier<List<Integer>> segments, Supplier<T> question) {
    int ticket = state.epochs().enter(); // from before a page is named until it has been read
    try {
      Map<Integer, PageContent> loaded = new HashMap<>();
      while (true) {
        Answer<T> answer = questions.ask(() -> answer(segments.get(), loaded, question));
        if (answer.value != null) {
          return answer.value;
        }
        answer.missing.forEach(each -> loaded.put(each.segment(), load(each)));
      }
    } finally {
      state.epochs().leave(ticket);
    }
  }

  private PageContent load(Pages.Missing page) {
    try {
      return state.pages().load(page);
    } catch (StorageException e) {
      throw new StorageException.Damaged(String.valueOf(e.getMessage()));
    }
  }

  /// @param value absent: first read what is missing
  private record Answer<T>(@Nullable T value, List<Pages.Missing> missing) {}

  private <T> Answer<T> answer(
      List<Integer> segments, Map<Integer, PageContent> loaded, Supplier<T> question) {
    List<Pages.Missing> missing = new ArrayList<>();
    T value = state.pages().with(segments, List.copyOf(loaded.values()), question);
    if (value == null) {
      missing.addAll(state.pages().missing(segments));
    }
    return new Answer<>(value, missing);
  }

  private Optional<Zone> look(int zone) {
    Segment segment = state.segments().inZone(zone);
    if (segment == null || segment.residents() == 0) {
      return Optional.empty();
    }
    int limit = limit(segment);
    return Optional.of(
        new Zone(
            zone,
            segment.id(),
            segment.kind(),
            segment.livingAtHome(),
            segment.guests(),
            limit,
            isEnd(segment) || survivors.stableEnd(segment.id()) >= 0));
  }

  private boolean isEnd(Segment segment) {
    return segment.kind() == Segment.Kind.LOG && log.position().segment() == segment.id();
  }

  private int limit(Segment segment) {
    if (isEnd(segment)) {
      return log.position().block();
    }
    int filled = survivors.stableEnd(segment.id());
    return filled >= 0 ? filled : state.segments().blocksPerZone();
  }

  /// Living blocks of nodes of other segments in a zone, in the order in which they lie.
  List<SuspectBlock> nodeGuests(int zone, int segment) {
    return questions.ask(
        () -> {
          List<SuspectBlock> guests = new java.util.ArrayList<>();
          Segment now = state.segments().inZone(zone);
          if (now != null && now.id() == segment) {
            state
                .segments()
                .guestsOf(
                    now, (id, block, place) -> guests.add(new SuspectBlock(id, block, place)));
          }
          guests.sort(java.util.Comparator.comparingLong(SuspectBlock::place));
          return guests;
        });
  }

  public Head head() {
    return questions.ask(() -> new Head(checkpoints.current(), log.position()));
  }

  /// The `suspects` that still live where they were.
  List<SuspectBlock> living(List<SuspectBlock> suspects) {
    List<SuspectBlock> living = new java.util.ArrayList<>();
    for (int at = 0; at < suspects.size(); at += AT_ONCE) {
      List<SuspectBlock> some = suspects.subList(at, Math.min(suspects.size(), at + AT_ONCE));
      try {
        living.addAll(ask(() -> segments(some), () -> some.stream().filter(this::lives).toList()));
      } catch (StorageException.Damaged e) { // who reads it will see
        living.addAll(some);
      }
    }
    return living;
  }

  private static List<Integer> segments(List<SuspectBlock> suspects) {
    return suspects.stream().map(SuspectBlock::segment).distinct().toList();
  }

  private boolean lives(SuspectBlock suspect) {
    return state.segments().livesAt(suspect.segment(), suspect.block(), suspect.place());
  }

  /// Whether a zone still holds the segment, and which blocks of it still live in it.
  public BitSet livingAtHome(int zone, int segment) {
    try {
      return ask(
          () -> List.of(segment),
          () -> {
            Segment now = state.segments().inZone(zone);
            return now != null && now.id() == segment ? now.livingAtHome() : new BitSet();
          });
    } catch (StorageException.Damaged e) {
      return new BitSet();
    }
  }

  /// Number of living guests of a zone that are not in `told`.
  public int guestsUntold(int zone, int segment, List<SuspectBlock> told) {
    try {
      return ask(() -> segments(told), () -> untold(zone, segment, told));
    } catch (StorageException.Damaged e) {
      return 0;
    }
  }

  private int untold(int zone, int segment, List<SuspectBlock> told) {
    Segment now = state.segments().inZone(zone);
    return now == null || now.id() != segment
        ? 0
        : now.guests() - (int) told.stream().filter(this::lives).count();
  }
}
