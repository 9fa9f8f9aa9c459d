package io.coppice.vasa.watch;

import io.coppice.engine.status.WrittenCounts;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The watch of one volume. It compares what was written in a window with what is usual there, by
/// two moving means: of the entropy, and of the rate at which content is replaced. A window that
/// stands out is not learned. Not safe for several threads.
///
/// Content is replaced when it is written over, and when it is unmapped, since whoever encrypts a
/// file either writes over it or deletes it after writing a new one. Filling new space replaces
/// nothing, however random it is, and what always was random does not rise.
final class VolumeWatch {

  /// Windows over which what is usual is a mean.
  private static final double MEMORY = 240;

  private static final double MILLIS = 1000;
  private static final int BLOCK = 4096;
  private static final double PERCENT = 100;

  private final WatchSettings settings;
  private WrittenCounts before;
  private WatchState state = WatchState.LEARNING;
  private @Nullable Instant since;
  private float usualEntropy;
  private float learned;
  private float usualRate;
  private float seen;
  private float entropy = Float.NaN;
  private float rate;
  private int samples;
  private int inRow;
  private float lasted;

  /// @param now where its counts begin
  VolumeWatch(WatchSettings settings, WrittenCounts now) {
    this.settings = settings;
    this.before = now;
  }

  /// The counts of a window.
  ///
  /// @param seconds its length, more than 0
  /// @param earlier when the window before it began
  record Window(WrittenCounts end, double seconds, Instant earlier) {}

  /// Ends a window.
  void end(Window window) {
    WrittenCounts end = window.end();
    samples = (int) Math.min(Integer.MAX_VALUE, end.samples() - before.samples());
    entropy =
        samples == 0
            ? Float.NaN
            : (float) ((end.entropy() - before.entropy()) / MILLIS / (double) samples);
    long replaced = end.overwritten() - before.overwritten() + end.unmapped() - before.unmapped();
    long written = end.written() - before.written();
    rate = (float) (replaced * (double) BLOCK / window.seconds());
    before = end;
    boolean out = standsOut(replaced, written);
    lasted = state == WatchState.SUSPECT ? (float) (lasted + window.seconds()) : 0;
    if (!out) {
      learn();
    }
    judge(out, window.earlier());
  }

  private boolean standsOut(long replaced, long written) {
    return learned >= settings.learnWindows()
        && samples >= settings.samples()
        && entropy >= settings.entropy()
        && entropy >= usualEntropy + settings.rise()
        && rate >= settings.rate().toBytes()
        && rate >= settings.times() * usualRate
        && replaced * PERCENT >= (double) settings.replacedPercent() * written;
  }

  private void judge(boolean out, Instant earlier) {
    if (state == WatchState.SUSPECT) {
      inRow = out ? 0 : inRow + 1;
      if (lasted >= settings.longest().toSeconds()) {
        learned = 0;
        seen = 0;
        calm();
      } else if (inRow >= settings.windows()) {
        calm();
      }
    } else if (out) {
      since = state == WatchState.RISING ? since : earlier;
      rise();
    } else {
      calm();
    }
  }

  private void rise() {
    inRow++;
    state = WatchState.RISING;
    if (inRow >= settings.windows()) {
      state = WatchState.SUSPECT;
      inRow = 0;
    }
  }

  private void calm() {
    inRow = 0;
    since = null;
    state = learned >= settings.learnWindows() ? WatchState.NORMAL : WatchState.LEARNING;
  }

  /// Moves what is usual towards the window. A window with few samples says less about entropy.
  private void learn() {
    seen = (float) Math.min(MEMORY, seen + 1);
    usualRate += (rate - usualRate) / seen;
    if (samples > 0) {
      float weight = Math.min(1f, (float) samples / settings.samples());
      learned = (float) Math.min(MEMORY, learned + weight);
      usualEntropy += (entropy - usualEntropy) * weight / learned;
    }
  }

  WatchState state() {
    return state;
  }

  /// The counts at the end of the last window.
  WrittenCounts counts() {
    return before;
  }

  WatchReading reading() {
    return new WatchReading(
        state,
        since,
        samples == 0 ? null : (double) entropy,
        learned == 0 ? null : (double) usualEntropy,
        Math.round((double) rate),
        Math.round((double) usualRate),
        samples);
  }
}
