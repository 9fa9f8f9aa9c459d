package io.coppice.engine.testing;

import io.coppice.engine.Scrub;
import io.coppice.engine.ScrubFinding;
import io.coppice.engine.ScrubMap;
import io.coppice.engine.ScrubSettings;
import io.coppice.engine.ScrubStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A scrubber that finds what a test wants found. Its passes end at once.
public final class ScriptedScrub implements Scrub {

  private static final int ZONES = 64;

  private final List<ScrubFinding> findings = new ArrayList<>(); // guarded by this
  private final List<Consumer<ScrubFinding>> listeners = new ArrayList<>(); // guarded by this
  private @Nullable ScrubSettings settings; // guarded by this
  private boolean paused; // guarded by this
  private @Nullable Instant ended; // guarded by this

  /// Finds damage.
  public synchronized void find(ScrubFinding finding) {
    findings.add(finding);
    listeners.forEach(listener -> listener.accept(finding));
  }

  /// All damage is gone.
  public synchronized void mend() {
    findings.clear();
  }

  /// The last settings, or null.
  public synchronized @Nullable ScrubSettings settings() {
    return settings;
  }

  @Override
  public synchronized ScrubStatus status() {
    long blocks = findings.stream().filter(ScrubFinding.BadBlock.class::isInstance).count();
    return new ScrubStatus(false, paused, ended, ended, 100, 0, blocks, findings);
  }

  /// The pool has 64 zones, of which the last half is free. A damaged block is in one of the
  /// others, which its number says.
  @Override
  public synchronized ScrubMap map(int cells) {
    ScrubMap.State rest = ended == null ? ScrubMap.State.WAITING : ScrubMap.State.VERIFIED;
    int[] found = new int[ZONES];
    int unplaced = 0;
    for (ScrubFinding finding : findings) {
      if (finding instanceof ScrubFinding.BadBlock bad) {
        found[(int) (bad.lba() / 8 % (ZONES / 2))]++;
      } else {
        unplaced++;
      }
    }
    return ScrubMap.of(
        cells,
        ZONES,
        1 << 20,
        zone ->
            new ScrubMap.Cell(
                zone >= ZONES / 2
                    ? ScrubMap.State.FREE
                    : found[zone] > 0 ? ScrubMap.State.DAMAGED : rest,
                found[zone]),
        unplaced);
  }

  @Override
  public synchronized boolean start() {
    paused = false;
    ended = Instant.EPOCH;
    return true;
  }

  @Override
  public synchronized boolean pause() {
    boolean changed = !paused;
    paused = true;
    return changed;
  }

  @Override
  public synchronized boolean resume() {
    boolean changed = paused;
    paused = false;
    return changed;
  }

  @Override
  public synchronized void configure(ScrubSettings now) {
    settings = now;
  }

  @Override
  public synchronized void listen(Consumer<ScrubFinding> listener) {
    listeners.add(listener);
    findings.forEach(listener);
  }
}
