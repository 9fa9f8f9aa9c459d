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

  private final PoolState state;
  private final InstantSource clock;
  private final List<Consumer<ScrubFinding>> listeners = new ArrayList<>(); // guarded by this
  private final Map<Seen, Known> blocks = new LinkedHashMap<>(); // guarded by this
  private final Map<String, Structure> structures = new LinkedHashMap<>(); // guarded by this

  private record Seen(VolumeId volume, long block) {}

  private record Known(VolumeState volume, long address, ScrubFinding.BadBlock finding) {}

  private record Structure(ScrubFinding finding, boolean replaced, Instant seen) {}

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
    List<Consumer<ScrubFinding>> toTell;
    synchronized (this) {
      Known before = blocks.get(seen);
      if ((before != null && before.address == bad.address()) || blocks.size() >= MAX) {
        return false;
      }
      blocks.put(seen, new Known(bad.volume(), bad.address(), finding));
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
    keep(volume.info().id() + " " + lba + where, finding, true);
  }

  /// @param replaced whether nothing is left to be done about it
  public void bad(String what, boolean replaced) {
    keep(what, new ScrubFinding.BadMetadata(what, replaced, clock.instant()), replaced);
  }

  private void keep(String what, ScrubFinding finding, boolean replaced) {
    Instant now = finding.found();
    List<Consumer<ScrubFinding>> toTell;
    synchronized (this) {
      Structure before = structures.get(what);
      if (before != null && before.replaced == replaced) {
        structures.put(what, new Structure(before.finding, replaced, now));
        return;
      }
      if (structures.size() >= MAX) {
        return;
      }
      structures.put(what, new Structure(finding, replaced, now));
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
    for (Map.Entry<Seen, Known> entry : known()) {
      Known known = entry.getValue();
      if (BlockCheck.maps(state, known.volume, entry.getKey().block, known.address)) {
        addresses.add(known.address);
        findings.add(known.finding);
      }
    }
    synchronized (this) {
      structures.values().forEach(structure -> findings.add(structure.finding));
    }
    int count = Math.min(MAX, findings.size());
    return new Summary(addresses.size(), findings.subList(0, count));
  }

  List<ScrubProgress.BadBlock> blocks() {
    return known().stream()
        .map(e -> new ScrubProgress.BadBlock(e.getKey().volume, e.getKey().block))
        .toList();
  }
}
