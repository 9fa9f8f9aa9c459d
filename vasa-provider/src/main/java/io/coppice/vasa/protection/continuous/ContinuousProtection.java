package io.coppice.vasa.protection.continuous;

import io.coppice.engine.Journals;
import io.coppice.engine.OperationId;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.journal.JournalInfo;
import io.coppice.engine.journal.JournalTier;
import io.coppice.vasa.audit.OwnWork;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.protection.rule.ContinuousRule;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/// Continuous protection of volumes: a round makes the journals of the pool agree with what groups
/// and policies want.
///
/// A volume of a group whose policy has a continuous rule gets a journal with the tiers of that
/// rule; one of two groups gets those of both. A volume that no such group has any more, or that is
/// in the recycle bin, keeps its journal for the grace of the settings: who protects it again in
/// time has lost nothing. So does a tier that the rule of a volume has no more, or keeps for less
/// ([EndingTiers]).
///
/// A round is due at the start, after changes of policies, groups and volumes, and from time to
/// time. It finds all of its work anew, so one that is cut short loses nothing. A volume that fails
/// does not stop the others. It is tried again with the next round, and reported once.
@Service
public final class ContinuousProtection {

  private static final Logger log = LoggerFactory.getLogger(ContinuousProtection.class);

  private static final String KEEP = "timelines.keep";
  private static final String END = "timelines.end";

  /// What changes may say that another volume is protected.
  private static final Set<ObjectType> NOTICED =
      Set.of(ObjectType.VOLUME, ObjectType.PROTECTION_GROUP);

  private final ContinuousRows rows;
  private final VolumeStore store;
  private final Journals journals;
  private final PointCuts cuts;
  private final OwnWork own;
  private final ContinuousSettings settings;
  private volatile boolean changed = true;
  private volatile Map<VolumeId, String> refused = Map.of();
  private volatile Map<UUID, List<RefusedVolume>> refusedOfGroups = Map.of();
  private @Nullable Instant last; // round, by the time that has passed; guarded by this

  public ContinuousProtection(
      JdbcClient jdbc,
      VolumeStore store,
      PointCuts cuts,
      OwnWork own,
      ContinuousSettings settings) {
    this.rows = new ContinuousRows(jdbc);
    this.store = store;
    this.journals = store.engine().journals();
    this.cuts = cuts;
    this.own = own;
    this.settings = settings;
    store.changes().whenVisible(this::notice);
  }

  private void notice(NewChange change) {
    if (change.objectType() != null && NOTICED.contains(change.objectType())) {
      wake();
    }
  }

  /// Makes a round due.
  public void wake() {
    changed = true;
  }

  /// Does a round if one is due.
  public synchronized void roundWhenDue() {
    Instant before = last;
    if (changed
        || before == null
        || !store.seen().isBefore(before.plus(settings.reconcileInterval()))) {
      round();
    }
  }

  /// Makes the journals of all volumes agree with what is wanted now.
  public synchronized void round() {
    changed = false; // what changes from now on makes the next round due
    boolean done = false;
    try {
      last = store.seen();
      agree(rows.wanted());
      done = true;
    } finally {
      if (!done) {
        changed = true;
      }
    }
  }

  private void agree(List<ContinuousRows.Wanted> wanted) {
    Map<VolumeId, ContinuousRule> rules = new LinkedHashMap<>();
    wanted.forEach(one -> rules.merge(one.volume(), one.rule(), ContinuousRule::and));
    Map<VolumeId, String> failed = new HashMap<>();
    Map<VolumeId, Instant> ends = rows.ends();
    keep(rules, ends, failed);
    end(rules.keySet(), ends, failed);
    refused = Map.copyOf(failed);
    refusedOfGroups = refusedOfGroups(wanted, failed);
  }

  /// @param ends when journals end; one that has ended by now, and is wanted anew, keeps no tier of
  ///   its former rule
  private void keep(
      Map<VolumeId, ContinuousRule> rules,
      Map<VolumeId, Instant> ends,
      Map<VolumeId, String> failed) {
    Instant now = store.seen();
    EndingTiers ending = new EndingTiers(rows.tierEnds(), now);
    int kept = 0;
    for (var one : rules.entrySet()) {
      VolumeId volume = one.getKey();
      List<JournalTier> present = tiers(volume);
      List<JournalTier> wanted = one.getValue().journal();
      boolean hasEnded = !ends.getOrDefault(volume, Instant.MAX).isAfter(now);
      List<JournalTier> all = hasEnded ? wanted : ending.beside(volume, wanted, present);
      if (!Set.copyOf(present).equals(Set.copyOf(all))
          && attempt(
              KEEP, volume, () -> journals.keep(OperationId.random(), volume, all), failed)) {
        kept++;
      }
    }
    rows.endTiers(ending.begun(), now.plus(settings.timelineGrace()));
    rows.forgetTiers(ending.over());
    own.done(KEEP, kept);
  }

  private List<JournalTier> tiers(VolumeId volume) {
    return journals.find(volume).map(JournalInfo::tiers).orElse(List.of());
  }

  private void end(
      Set<VolumeId> wanted, Map<VolumeId, Instant> ends, Map<VolumeId, String> failed) {
    Instant now = store.seen();
    Set<VolumeId> journaled = Set.copyOf(journals.volumes());
    List<VolumeId> begun = new ArrayList<>();
    List<VolumeId> ended = new ArrayList<>();
    for (VolumeId volume : journaled) {
      if (wanted.contains(volume)) {
        continue;
      }
      Instant end = ends.get(volume);
      if (end == null) {
        begun.add(volume);
      } else if (!end.isAfter(now)
          && attempt(END, volume, () -> journals.end(OperationId.random(), volume), failed)) {
        ended.add(volume);
      }
    }
    rows.end(begun, now.plus(settings.timelineGrace()));
    Set<VolumeId> over = new HashSet<>(ends.keySet());
    over.removeIf(volume -> journaled.contains(volume) && !wanted.contains(volume));
    over.addAll(ended);
    rows.forget(over);
    own.done(END, ended.size());
  }

  /// Whether a change of one journal is done. Only a failure of the whole pool stops the others.
  private boolean attempt(
      String work, VolumeId volume, Runnable change, Map<VolumeId, String> failed) {
    try {
      change.run();
      return true;
    } catch (StorageException.NotFound _) {
      return work.equals(END); // it was deleted meanwhile
    } catch (StorageException.PoolUnusable e) {
      throw e;
    } catch (StorageException e) {
      String reason = String.valueOf(e.getMessage());
      failed.put(volume, reason);
      if (!reason.equals(refused.get(volume))) { // a lasting failure is reported once
        own.failed(work, volume.toString(), reason);
        log.atWarn()
            .addKeyValue("volume", volume)
            .addKeyValue("reason", reason)
            .log("the journal of a volume could not be brought in line");
      }
      return false;
    }
  }

  private static Map<UUID, List<RefusedVolume>> refusedOfGroups(
      List<ContinuousRows.Wanted> wanted, Map<VolumeId, String> failed) {
    Map<UUID, List<RefusedVolume>> found = new HashMap<>();
    for (ContinuousRows.Wanted one : wanted) {
      String reason = failed.get(one.volume());
      if (reason != null) {
        List<RefusedVolume> own = found.computeIfAbsent(one.group(), _ -> new ArrayList<>());
        RefusedVolume volume = new RefusedVolume(one.volume(), reason);
        if (!own.contains(volume)) { // it may be a member itself and belong to another one
          own.add(volume);
        }
      }
    }
    return found;
  }

  /// The volumes of a group that could not get their journal in the last round.
  public List<RefusedVolume> refused(UUID group) {
    return List.copyOf(refusedOfGroups.getOrDefault(group, List.of()));
  }

  /// Whether a volume could not get its journal in the last round.
  public boolean isRefused(VolumeId volume) {
    return refused.containsKey(volume);
  }

  /// The age of the newest point of a volume at most, as the moment at which it was cut, by the
  /// time that has passed. The last round of cuts that went well made what was due, and a tier had
  /// a point due within the time between two. A volume that was not written to since its newest
  /// point needs no other one.
  ///
  /// @param every time between points that a tier of its journal must have at most
  /// @return absent if it has no such journal
  public Optional<Instant> youngest(VolumeId volume, Duration every) {
    return journals
        .find(volume)
        .map(JournalInfo::tiers)
        .filter(tiers -> tiers.stream().anyMatch(tier -> tier.every().compareTo(every) <= 0))
        .flatMap(_ -> cuts.sinceLast())
        .map(since -> store.seen().minus(since).minus(every));
  }

  /// When timelines of volumes end that nothing protects any more, and their tiers.
  public TimelineEnds ends(Collection<VolumeId> volumes) {
    Map<VolumeId, Map<Duration, Instant>> tiers = new HashMap<>();
    rows.tierEnds(volumes)
        .forEach(
            (tier, end) ->
                tiers.computeIfAbsent(tier.volume(), _ -> new HashMap<>()).put(tier.every(), end));
    return new TimelineEnds(rows.ends(volumes), tiers);
  }

  /// The volumes of a group that have a journal, also those in the recycle bin.
  public List<VolumeId> journaled(UUID group) {
    Set<VolumeId> journaled = Set.copyOf(journals.volumes());
    return rows.ofGroup(group).stream().filter(journaled::contains).toList();
  }

  /// Lets journals end with the next round, unless another group wants them. Of one that is wanted,
  /// the tiers end that only the former rule wanted. The caller's transaction makes it so.
  public void endNow(Collection<VolumeId> volumes) {
    rows.end(volumes, store.seen());
  }
}
