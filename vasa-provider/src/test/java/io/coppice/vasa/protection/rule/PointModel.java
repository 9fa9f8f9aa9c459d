package io.coppice.vasa.protection.rule;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A model of the points of one group: all that were ever taken, at moments that a [MomentTable]
/// names, judged anew each time. It knows neither how the code finds a moment nor how it forgets a
/// point.
public final class PointModel {

  private final ProtectionRules rules;
  private final MomentTable moments;
  private final List<Taken> all = new ArrayList<>();
  private Instant lastLook;

  public PointModel(ProtectionRules rules, MomentTable moments, Instant begin) {
    this.rules = rules;
    this.moments = moments;
    this.lastLook = begin;
  }

  private record Taken(Instant at, int bits) {}

  /// Takes a point now if a rule has named a moment since the last look.
  ///
  /// @return whether one was taken
  public boolean look(Instant now) {
    int bits = moments.between(lastLook, now);
    lastLook = now;
    if (bits != 0) {
      all.add(new Taken(now, bits));
    }
    return bits != 0;
  }

  public Instant lastLook() {
    return lastLook;
  }

  /// When the points were taken that the rules keep at a time, the oldest first.
  public List<Instant> kept(Instant now) {
    boolean[] kept = new boolean[all.size()];
    for (int rule = 0; rule < rules.rules().size(); rule++) {
      int place = 0;
      for (int i = all.size() - 1; i >= 0; i--) {
        if ((all.get(i).bits() & 1 << rule) != 0) {
          if (place > 0 && !keeps(rule, place, all.get(i).at(), now)) {
            break; // and none that is older
          }
          kept[i] = true;
          place++;
        }
      }
    }
    List<Instant> times = new ArrayList<>();
    for (int i = 0; i < kept.length; i++) {
      if (kept[i]) {
        times.add(all.get(i).at());
      }
    }
    return times;
  }

  private boolean keeps(int rule, int place, Instant at, Instant now) {
    return switch (rules.rules().get(rule).keeping()) {
      case Keeping.Newest(int count) -> place < count;
      case Keeping.Younger(Duration time) -> at.plus(time).isAfter(now);
    };
  }
}
