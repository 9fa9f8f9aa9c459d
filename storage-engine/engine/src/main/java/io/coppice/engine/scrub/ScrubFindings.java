package io.coppice.engine.scrub;

import io.coppice.engine.ScrubFinding;
import io.coppice.engine.VolumeId;
import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.io.BlockCheck;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.VolumeState;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// The known damage, each kept from when it was found first until it is gone. Safe for any thread.
public final class ScrubFindings {

  private static final Logger LOGGER = System.getLogger(ScrubFindings.class.getName());
  private static final int MAX = 10_000;

  /// In place of a zone.
  private static final int NOWHERE = -1;

  private final PoolState state;
  private final InstantSource clock;
  private final List<Consumer<ScrubFinding>> listeners = new ArrayList<>(); // guarded by this
  private final Map<Seen, Known> blocks = new LinkedHashMap<>(); // guarded by this
  private final Map<String, Structure> structures = new LinkedHashMap<>(); // guarded by this

  private record Seen(VolumeId volume, long block) {}

  private record Known(VolumeState volume, long address, int zone, ScrubFinding.BadBlock finding) {}

  private record Structure(ScrubFinding finding, boolean replaced, int zone, Instant seen) {}

  ScrubFindings(PoolState state, InstantSource clock) {
    this.state = state;
    this.clock = clock;
  }

  void listen(Consumer<ScrubFinding> listener) {
    List<ScrubFinding> known = new ArrayList<>();
    synchronized (this) {
      listeners.add(listener);
      blocks.values().forEach(block -> known.add(block.finding));
      structures.values().forEach(structure -> known.add(structure.finding));
    }
    known.forEach(finding -> tell(finding, List.of(listener)));
  }

  /// @return whether it was not known
  public boolean bad(BlockCheck.Bad bad) {
    VolumeId id = bad.volume().info().id();
    ScrubFinding.BadBlock finding =
        new ScrubFinding.BadBlock(
            id,
            bad.block() * (PoolLayout.BLOCK / 512),
            BlockAddress.describe(bad.address()),
            bad.reason(),
            clock.instant());
    Seen seen = new Seen(id, bad.block());
    int zone = PoolLayout.zoneOf(bad.offset(), state.segments().zoneSize());
    List<Consumer<ScrubFinding>> toTell;
    synchronized (this) {
      Known before = blocks.get(seen);
      if ((before != null && before.address == bad.address()) || blocks.size() >= MAX) {
        return false;
      }
      blocks.put(seen, new Known(bad.volume(), bad.address(), zone, finding));
      toTell = List.copyOf(listeners);
    }
    LOGGER.log(Level.ERROR, finding.sentence());
    tell(finding, toTell);
    return true;
  }

  /// @param where on which device, as the end of a phrase
  void mended(VolumeState volume, long block, String where) {
    long lba = block * (PoolLayout.BLOCK / 512);
    ScrubFinding finding =
        new ScrubFinding.MendedBlock(volume.info().id(), lba, where, clock.instant());
    keep(volume.info().id() + " " + lba + where, finding, true, NOWHERE);
  }

  /// @param replaced whether nothing is left to be done about it
  public void bad(String what, boolean replaced) {
    bad(what, replaced, NOWHERE);
  }

  /// @param zone that it lies in; less than 0 if it lies in none
  void bad(String what, boolean replaced, int zone) {
    keep(what, new ScrubFinding.BadMetadata(what, replaced, clock.instant()), replaced, zone);
  }

  private void keep(String what, ScrubFinding finding, boolean replaced, int zone) {
    Instant now = finding.found();
    List<Consumer<ScrubFinding>> toTell;
    synchronized (this) {
      Structure before = structures.get(what);
      if (before != null && before.replaced == replaced) {
        structures.put(what, new Structure(before.finding, replaced, zone, now));
        return;
      }
      if (structures.size() >= MAX) {
        return;
      }
      structures.put(what, new Structure(finding, replaced, zone, now));
      toTell = List.copyOf(listeners);
    }
    LOGGER.log(Level.ERROR, finding.sentence());
    tell(finding, toTell);
  }

  private static void tell(ScrubFinding finding, List<Consumer<ScrubFinding>> listeners) {
    for (Consumer<ScrubFinding> listener : listeners) {
      try {
        listener.accept(finding);
      } catch (RuntimeException e) {
        LOGGER.log(Level.WARNING, "A listener to the scrubber failed.", e);
      }
    }
  }

  /// Forgets structures that were not seen again since `moment`, the start of a whole pass.
  synchronized void dropStructuresBefore(Instant moment) {
    structures.values().removeIf(structure -> structure.seen.isBefore(moment));
  }

  /// Forgets blocks that are intact again, or not mapped any more.
  void recheck(BlockCheck check) {
    for (Map.Entry<Seen, Known> entry : known()) {
      BlockCheck.Bad now = check.check(entry.getValue().volume, entry.getKey().block);
      if (now == null || now.address() != entry.getValue().address) {
        synchronized (this) {
          blocks.remove(entry.getKey(), entry.getValue());
        }
      }
    }
  }

  private synchronized List<Map.Entry<Seen, Known>> known() {
    return new ArrayList<>(blocks.entrySet());
  }

  /// A summary of the damage known now.
  ///
  /// @param blocks how many blocks of data are damaged, however many volumes see them
  record Summary(long blocks, List<ScrubFinding> findings) {}

  Summary summary() {
    List<ScrubFinding> findings = new ArrayList<>();
    Set<Long> addresses = new HashSet<>();
    for (Known known : mapped()) {
      addresses.add(known.address);
      findings.add(known.finding);
    }
    synchronized (this) {
      structures.values().forEach(structure -> findings.add(structure.finding));
    }
    int count = Math.min(MAX, findings.size());
    return new Summary(addresses.size(), findings.subList(0, count));
  }

  /// The damaged blocks that are still mapped, as far as that is in memory.
  private List<Known> mapped() {
    return known().stream()
        .filter(
            entry -> {
              Known known = entry.getValue();
              return BlockCheck.maps(state, known.volume, entry.getKey().block, known.address);
            })
        .map(Map.Entry::getValue)
        .toList();
  }

  /// The known damage by the zones in which it is.
  ///
  /// @param findings how many there are in each zone that has some
  /// @param damaged zones in which something is not replaced
  /// @param unplaced findings of which the zone is not known
  record ByZone(Map<Integer, Integer> findings, BitSet damaged, int unplaced) {}

  ByZone byZone() {
    Map<Integer, Integer> counts = new HashMap<>();
    BitSet damaged = new BitSet();
    for (Known known : mapped()) {
      count(known.zone, false, counts, damaged);
    }
    synchronized (this) {
      for (Structure structure : structures.values()) {
        count(structure.zone, structure.replaced, counts, damaged);
      }
    }
    Integer unplaced = counts.remove(NOWHERE);
    return new ByZone(counts, damaged, unplaced == null ? 0 : unplaced);
  }

  private static void count(
      int zone, boolean replaced, Map<Integer, Integer> counts, BitSet damaged) {
    counts.merge(Math.max(NOWHERE, zone), 1, Integer::sum);
    if (zone >= 0 && !replaced) {
      damaged.set(zone);
    }
  }

  List<ScrubProgress.BadBlock> blocks() {
    return known().stream()
        .map(e -> new ScrubProgress.BadBlock(e.getKey().volume, e.getKey().block))
        .toList();
  }
}
