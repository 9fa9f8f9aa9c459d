package io.coppice.engine.state;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.Journals;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.engine.family.Version;
import io.coppice.engine.format.Change;
import io.coppice.engine.format.table.StoredVolume;
import io.coppice.engine.journal.JournalTier;
import io.coppice.engine.timeline.Base;
import io.coppice.engine.timeline.Journal;
import io.coppice.engine.timeline.Timeline;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The changes that CHANGE records make to journals, live and in replay alike.
///
/// Each tier has a hidden volume, and so has what a revert replaced, as long as there are points
/// before it.
final class JournalChanges {

  private final PoolState state;

  JournalChanges(PoolState state) {
    this.state = state;
  }

  // ---- before the log

  static void checkTiers(List<JournalTier> tiers) {
    Set<Object> every = new HashSet<>();
    tiers.forEach(tier -> every.add(tier.every()));
    if (tiers.isEmpty() || tiers.size() > Journals.MOST_TIERS || every.size() < tiers.size()) {
      throw new StorageException.InvalidRequest(
          "Expected 1 to %d tiers of a journal, each with another time between points, got %s."
              .formatted(Journals.MOST_TIERS, tiers));
    }
  }

  static void checkKeep(VolumeState volume) {
    if (volume.info().reserved()) {
      throw new StorageException.InvalidRequest(
          "Expected a thin volume for a journal, found that %s is reserved: its journal could take the space promised to it."
              .formatted(volume.info().id()));
    }
  }

  /// Checks that what a draft was made from is there still.
  void checkWay(VolumeState volume, Change.Way way) {
    Timeline timeline = volume.timeline();
    if (timeline == null || !timeline.isOpen(way.journal(), way.offset())) {
      throw new StorageException.Overtaken(
          "The point of volume %s was forgotten before its content had been put together."
              .formatted(volume.info().id()));
    }
  }

  // ---- after the log

  /// Begins a draft with a head of its own. What the source has written over until here has its
  /// slots then: the draft is to be filled from them.
  void draft(VolumeState source, Version head, VolumeId id, long timeMillis) {
    state.oldBlocks().settle(source);
    VolumeInfo info =
        new VolumeInfo(
            id,
            VolumeKind.WRITABLE,
            source.info().sizeInBytes(),
            source.info().id(),
            false,
            Instant.ofEpochMilli(timeMillis),
            Map.of());
    state.addStage(
        new VolumeState(
            state.takeNumber(),
            source.family(),
            info,
            head,
            state.space(),
            StoredVolume.Role.STAGE));
  }

  /// Makes a draft a volume.
  VolumeInfo publish(VolumeState draft, CloneSpec spec, long timeMillis) {
    draft.delete();
    state.removeStage(draft);
    VolumeInfo info =
        new VolumeInfo(
            spec.id(),
            VolumeKind.WRITABLE,
            draft.info().sizeInBytes(),
            spec.source(),
            spec.reserved(),
            Instant.ofEpochMilli(timeMillis),
            spec.attributes());
    VolumeState volume =
        new VolumeState(state.takeNumber(), draft.family(), info, draft.head(), state.space());
    state.changeCatalog(() -> state.add(volume));
    return info;
  }

  void keep(VolumeState volume, long age, List<JournalTier> tiers, long timeMillis) {
    state.oldBlocks().settle(volume);
    Timeline known = volume.timeline();
    Timeline of = known == null ? new Timeline() : known;
    List<Journal> ended =
        of.open().stream()
            .filter(each -> tiers.stream().noneMatch(tier -> isOf(each, tier)))
            .toList();
    long moment = of.momentAt(timeMillis);
    of.retain(retained(of, tiers), moment, gone());
    for (JournalTier tier : tiers) {
      if (find(of, tier) == null) {
        VolumeState hidden = hidden(volume, state.families().create(), null, timeMillis);
        Journal journal = new Journal(hidden.number(), tier, moment, age);
        of.add(journal);
        hidden.setPart(new VolumeState.JournalPart(of, journal));
      }
    }
    of.close(ended, moment, gone());
    volume.setTimeline(of); // with its tiers: whoever looks meanwhile finds none, or all of it
  }

  private static Map<Journal, JournalTier> retained(Timeline timeline, List<JournalTier> tiers) {
    Map<Journal, JournalTier> retained = new HashMap<>();
    for (JournalTier tier : tiers) {
      Journal kept = find(timeline, tier);
      if (kept != null) {
        retained.put(kept, tier);
      }
    }
    return retained;
  }

  private static @Nullable Journal find(Timeline timeline, JournalTier tier) {
    return timeline.open().stream().filter(journal -> isOf(journal, tier)).findFirst().orElse(null);
  }

  private static boolean isOf(Journal journal, JournalTier tier) {
    return journal.tier().every().equals(tier.every());
  }

  /// @param base the volume whose content it is; absent: it is of a tier
  private VolumeState hidden(
      VolumeState of, Version head, @Nullable VolumeInfo base, long timeMillis) {
    int number = state.takeNumber();
    VolumeId origin = of.info().id();
    String name = "journal %s %d".formatted(origin, number);
    VolumeInfo info =
        new VolumeInfo(
            new VolumeId(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8))),
            VolumeKind.WRITABLE,
            base == null ? 2 * Journal.SLOTS * 4096 : base.sizeInBytes(),
            origin,
            false,
            Instant.ofEpochMilli(timeMillis),
            Map.of());
    VolumeState hidden =
        new VolumeState(
            number,
            base == null ? number : of.family(),
            info,
            head,
            state.space(),
            StoredVolume.Role.HIDDEN);
    state.addHidden(hidden);
    return hidden;
  }

  void forget(VolumeState volume) {
    Timeline timeline = volume.timeline();
    if (timeline == null) {
      return;
    }
    state.oldBlocks().settle(volume); // what it holds by their counts alone would stay for ever
    volume.setTimeline(null);
    for (Journal journal : timeline.journals()) {
      dropHidden(journal.number());
    }
    for (Base base : timeline.bases()) {
      dropHidden(base.number());
    }
  }

  private void dropHidden(int number) {
    VolumeState hidden = state.find(number);
    if (hidden != null) {
      hidden.delete();
      state.removeHidden(hidden);
      state.families().abandon(hidden.head());
    }
  }

  /// @return the moment
  long cut(List<Integer> numbers, long age, long timeMillis) {
    List<VolumeState> volumes = found(numbers);
    volumes.forEach(state.oldBlocks()::settle);
    long moment = momentAt(volumes, timeMillis);
    timelines(volumes).forEach(timeline -> timeline.cut(moment, age, false, gone()));
    return moment;
  }

  void trim(List<Integer> numbers, long moment) {
    List<VolumeState> volumes = found(numbers);
    volumes.forEach(state.oldBlocks()::settle);
    timelines(volumes).forEach(timeline -> timeline.trim(moment, gone()));
  }

  /// A moment for the next point of all of these volumes.
  static long momentAt(List<VolumeState> volumes, long timeMillis) {
    long moment = timeMillis;
    for (Timeline timeline : timelines(volumes)) {
      moment = timeline.momentAt(moment);
    }
    return moment;
  }

  private List<VolumeState> found(List<Integer> numbers) {
    return numbers.stream().map(state::find).filter(Objects::nonNull).toList();
  }

  private static List<Timeline> timelines(List<VolumeState> volumes) {
    return volumes.stream().map(VolumeState::timeline).filter(Objects::nonNull).toList();
  }

  private Timeline.Gone gone() {
    return new Timeline.Gone() {
      @Override
      public void tier(Journal journal) {
        dropHidden(journal.number());
      }

      @Override
      public void base(Base base) {
        dropHidden(base.number());
      }
    };
  }

  /// Gives up the head that a volume had, before it gets another one. A journal keeps it as long as
  /// it has points up to this moment. Its next point, a millisecond later, is the new content.
  void replacing(VolumeState volume, long timeMillis) {
    Timeline timeline = volume.timeline();
    Version given = volume.head();
    if (timeline == null) {
      return;
    }
    state.oldBlocks().settle(volume);
    long moment = timeline.momentAt(timeMillis);
    timeline.cut(moment, timeline.lastAge(), true, gone());
    VolumeState base = hidden(volume, given, volume.info(), timeMillis);
    timeline.replaced(new Base(moment, base.number()));
    timeline.cut(moment + 1, timeline.lastAge(), true, gone());
  }
}
