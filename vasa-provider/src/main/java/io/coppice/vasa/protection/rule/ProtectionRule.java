package io.coppice.vasa.protection.rule;

import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.time.TimeText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.regex.Pattern;

/// A rule of a protection policy: when it wants a recovery point, how long it keeps its points, and
/// their names.
///
/// @param name unique in its policy: 1 to 32 of the characters `A-Z`, `a-z`, `0-9`, `-` and `_`
/// @param lock how long each of its points is locked from its making, in whole seconds; zero for no
///   lock
public record ProtectionRule(
    String name, Recurrence recurrence, Keeping keeping, PointNaming pattern, Duration lock) {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,32}");

  /// A rule without a lock.
  ///
  /// @throws VasaException as below
  public ProtectionRule(String name, Recurrence recurrence, Keeping keeping, PointNaming pattern) {
    this(name, recurrence, keeping, pattern, Duration.ZERO);
  }

  /// @throws VasaException (InvalidArgument) if the name is malformed, points would be given up
  ///   before the next one is due, or they would be locked for longer than they are kept
  public ProtectionRule {
    if (!NAME.matcher(name).matches()) {
      throw VasaException.invalidArgument(
          "expected a rule name of 1 to 32 of A-Z, a-z, 0-9, '-' and '_', got '%s'"
              .formatted(name.length() > 40 ? name.substring(0, 40) + "…" : name));
    }
    if (keeping instanceof Keeping.Younger(Duration time)
        && time.compareTo(recurrence.longest()) < 0) {
      throw VasaException.invalidArgument(
          "expected rule '%s' to keep its points for at least the %s between two of them, got %s"
              .formatted(name, TimeText.iso(recurrence.longest()), TimeText.iso(time)));
    }
    if (lock.isNegative() || lock.getNano() != 0) {
      throw VasaException.invalidArgument(
          "expected a lock of rule '%s' in whole seconds, got %s"
              .formatted(name, TimeText.iso(lock)));
    }
    Duration kept = kept(keeping, recurrence);
    if (lock.compareTo(kept) > 0) {
      throw VasaException.invalidArgument(
          "expected rule '%s' to lock its points for at most the %s that it keeps them, got %s"
              .formatted(name, TimeText.iso(kept), TimeText.iso(lock)));
    }
  }

  /// The time for which a point is surely kept.
  Duration kept() {
    return kept(keeping, recurrence);
  }

  private static Duration kept(Keeping keeping, Recurrence recurrence) {
    return switch (keeping) {
      case Keeping.Younger(Duration time) -> time;
      case Keeping.Newest(int count) -> recurrence.shortest().multipliedBy(count);
    };
  }

  /// About how many points the rule keeps, rounded up.
  long points() {
    return switch (keeping) {
      case Keeping.Newest(int count) -> count;
      case Keeping.Younger(Duration time) -> time.dividedBy(recurrence.shortest()) + 1;
    };
  }

  /// The name of a point of this rule.
  ///
  /// @param at when it was taken, by the machine's clock
  public String nameOf(String policy, Instant at) {
    return pattern.nameOf(policy, name, at, zone());
  }

  private ZoneId zone() {
    return switch (recurrence) {
      case Recurrence.Every _, Recurrence.Hourly _ -> ZoneOffset.UTC;
      case Recurrence.TimeOfDay local -> local.zone();
    };
  }
}
