package io.coppice.vasa.protection.rule;

import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.time.TimeText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The rules of one protection policy, which judge together.
///
/// A point is due when a moment of a rule has come since the last look that took one. The point is
/// made once, named by all rules of which that is so, and kept while one of them keeps it.
///
/// | Event | What happens |
/// |---|---|
/// | nothing ran for a time | one late point, named by all rules that missed a moment, however many |
/// | the clock jumps forward | the moments it leapt over are missed ones: one late point; an hour of passed time lies between two points that only leaps made due |
/// | the clock jumps back by up to an hour | the moments that it repeats are not due again |
/// | the clock jumps back further | the moments after its new reading are due again, when they come |
/// | any of these | no point expires early: its age is the time that has passed, and a count of points on the clock gives up none that is younger than the points before it take to come |
///
/// @param rules in the order in which the first one gives a point its name; none if the policy has
///   nothing but a continuous rule
public record ProtectionRules(List<ProtectionRule> rules) {

  /// How far the clock may go back without repeating moments.
  private static final Duration REPEATED = Duration.ofHours(1);

  /// Passed time between two points that only leaps of the clock made due.
  private static final Duration BETWEEN_LEAPS = Duration.ofHours(1);

  /// How much nearer to each other a change of a zone's offset may bring moments.
  private static final Duration OFFSET_CHANGE = Duration.ofHours(1);

  private static final Comparator<RecoveryPoint> YOUNGEST_FIRST =
      Comparator.comparing(RecoveryPoint::taken).thenComparing(RecoveryPoint::id).reversed();

  /// @throws VasaException (InvalidArgument) if two have one name
  public ProtectionRules {
    rules = List.copyOf(rules);
    Set<String> names = new HashSet<>();
    for (ProtectionRule rule : rules) {
      if (!names.add(rule.name())) {
        throw VasaException.invalidArgument(
            "expected each rule name once, got '%s' twice".formatted(rule.name()));
      }
    }
  }

  /// @throws VasaException (InvalidArgument) if the rules are beyond the limits
  public void check(RuleLimits limits) {
    if (rules.size() > limits.rules()) {
      throw VasaException.invalidArgument(
          "expected at most %d rules, got %d".formatted(limits.rules(), rules.size()));
    }
    long points = 0;
    for (ProtectionRule rule : rules) {
      if (rule.recurrence() instanceof Recurrence.Every(Duration interval)
          && interval.compareTo(limits.shortestInterval()) < 0) {
        throw VasaException.invalidArgument(
            "expected an interval of rule '%s' of at least %s, got %s"
                .formatted(
                    rule.name(), TimeText.iso(limits.shortestInterval()), TimeText.iso(interval)));
      }
      points = points + Math.min(rule.points(), Integer.MAX_VALUE);
    }
    if (points > limits.points()) {
      throw VasaException.invalidArgument(
          "expected rules that keep at most %d points, but these keep about %d"
              .formatted(limits.points(), points));
    }
  }

  /// The most that two neighbouring points are apart, if all can be taken, but for changes of a
  /// zone's offset. Absent without rules.
  public Optional<Duration> longestGap() {
    return rules.stream().map(rule -> rule.recurrence().longest()).min(Comparator.naturalOrder());
  }

  /// How long points are kept by the rule that keeps them longest; zero without rules.
  public Duration kept() {
    return longest(ProtectionRule::kept);
  }

  /// How long points are locked by the rule that locks them longest; zero for not at all.
  public Duration locked() {
    return longest(ProtectionRule::lock);
  }

  private Duration longest(Function<ProtectionRule, Duration> time) {
    return rules.stream().map(time).max(Comparator.naturalOrder()).orElse(Duration.ZERO);
  }

  /// The reading from which on moments count, if a former look handled all up to `handled`.
  ///
  /// @return `handled` itself unless the clock has gone back by more than an hour; a caller that
  ///   gets another one remembers it instead
  public static ClockReading anchor(ClockReading handled, ClockReading now) {
    return now.clock().isBefore(handled.clock().minus(REPEATED))
        ? new ClockReading(handled.passed(), now.clock())
        : handled;
  }

  /// The rules that name a point that is due now; empty if none is due.
  ///
  /// @param handled the [#anchor]
  public List<ProtectionRule> due(ClockReading handled, ClockReading now) {
    List<ProtectionRule> due =
        rules.stream().filter(rule -> isDue(rule.recurrence(), handled, now)).toList();
    boolean onlyLeapt =
        handled.leapsTo(now)
            && due.stream().allMatch(rule -> rule.recurrence().isOnTheClock())
            && now.passed().isBefore(handled.passed().plus(BETWEEN_LEAPS));
    return onlyLeapt ? List.of() : due;
  }

  private static boolean isDue(Recurrence recurrence, ClockReading handled, ClockReading now) {
    return recurrence.isOnTheClock()
        ? recurrence.latestAt(now.clock()).isAfter(handled.clock())
        : recurrence.latestAt(now.passed()).isAfter(handled.passed());
  }

  /// The first moment after `handled`, by the machine's clock as it goes now. Absent without rules.
  ///
  /// @param handled the [#anchor]
  /// @param now tells how the two times stand to each other
  public Optional<Instant> next(ClockReading handled, ClockReading now) {
    Duration ahead = Duration.between(now.passed(), now.clock());
    return rules.stream()
        .map(ProtectionRule::recurrence)
        .map(
            recurrence ->
                recurrence.isOnTheClock()
                    ? recurrence.nextAfter(handled.clock())
                    : recurrence.nextAfter(handled.passed()).plus(ahead))
        .min(Comparator.naturalOrder());
  }

  /// The points that no rule keeps any more. A point that a rule wanted which is gone from the
  /// policy is none of them: it stays until a person deletes it.
  ///
  /// @param points those of one group, in any order
  /// @param now by the time that has passed
  /// @return the oldest first
  public List<RecoveryPoint> expired(List<RecoveryPoint> points, Instant now) {
    Map<String, Kept> kept = new HashMap<>();
    rules.forEach(rule -> kept.put(rule.name(), new Kept(rule)));
    List<RecoveryPoint> expired = new ArrayList<>();
    for (RecoveryPoint point : points.stream().sorted(YOUNGEST_FIRST).toList()) {
      Duration age = Duration.between(point.taken(), now);
      boolean keep = point.rules().isEmpty();
      for (String name : point.rules()) {
        Kept rule = kept.get(name);
        keep |= rule == null || rule.keepsNext(age);
      }
      if (!keep) {
        expired.add(point);
      }
    }
    return expired.reversed();
  }

  /// The points of one rule, the youngest first, as it judges them one after the other.
  private static final class Kept {

    private final Keeping keeping;
    private final Duration leastAge;
    private int place;

    Kept(ProtectionRule rule) {
      this.keeping = rule.keeping();
      this.leastAge =
          keeping instanceof Keeping.Newest(int count)
              ? leastAge(rule.recurrence(), count)
              : Duration.ZERO;
    }

    boolean keepsNext(Duration age) {
      int ofPoint = place++;
      return ofPoint == 0
          || switch (keeping) {
            case Keeping.Younger(Duration time) -> age.compareTo(time) < 0;
            case Keeping.Newest(int count) -> ofPoint < count || age.compareTo(leastAge) < 0;
          };
    }
  }

  /// The age below which a count gives up nothing. Without jumps of the clock, more points than
  /// that do not come in the time, also if one of them is late.
  private static Duration leastAge(Recurrence recurrence, int count) {
    return recurrence.isOnTheClock()
        ? recurrence.shortest().multipliedBy(count - 1L).minus(OFFSET_CHANGE)
        : Duration.ZERO;
  }
}
