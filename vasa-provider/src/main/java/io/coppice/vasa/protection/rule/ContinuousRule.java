package io.coppice.vasa.protection.rule;

import io.coppice.engine.Journals;
import io.coppice.engine.journal.JournalTier;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.time.TimeText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// The continuous rule of a policy: the tiers of the journals that its volumes have. It makes no
/// snapshots and no rows, and its points are crash-consistent.
///
/// @param tiers none, or up to [Journals#MOST_TIERS], each with points that are further apart and
///   kept for longer than those of the tier before it
public record ContinuousRule(List<PointTier> tiers) {

  /// No continuous points.
  public static final ContinuousRule NONE = new ContinuousRule(List.of());

  /// Longest time for which a tier keeps its points.
  public static final Duration LONGEST = Duration.ofDays(366);

  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /// The tiers of each end that stay if two rules have more than four together.
  private static final int OF_EACH_END = Journals.MOST_TIERS / 2;

  /// @throws VasaException (InvalidArgument) if the tiers are not as above
  public ContinuousRule {
    tiers = List.copyOf(tiers);
    if (tiers.size() > Journals.MOST_TIERS) {
      throw VasaException.invalidArgument(
          "expected at most %d tiers, got %d".formatted(Journals.MOST_TIERS, tiers.size()));
    }
    for (int place = 0; place < tiers.size(); place++) {
      check(tiers, place);
    }
  }

  private static void check(List<PointTier> tiers, int place) {
    PointTier tier = tiers.get(place);
    if (tier.every().compareTo(SHORTEST) < 0 || tier.every().getNano() != 0) {
      throw refused("every", place, "of whole seconds, at least PT1S", tier.every());
    }
    if (tier.keepFor().compareTo(tier.every()) < 0
        || tier.keepFor().compareTo(LONGEST) > 0
        || tier.keepFor().getNano() != 0) {
      throw refused(
          "keepFor",
          place,
          "of whole seconds from %s to %s"
              .formatted(TimeText.iso(tier.every()), TimeText.iso(LONGEST)),
          tier.keepFor());
    }
    if (place > 0) {
      checkRise("every", place, tiers.get(place - 1).every(), tier.every());
      checkRise("keepFor", place, tiers.get(place - 1).keepFor(), tier.keepFor());
    }
  }

  private static void checkRise(String field, int place, Duration before, Duration time) {
    if (time.compareTo(before) <= 0) {
      throw refused(
          field,
          place,
          "of more than the %s of tier %d".formatted(TimeText.iso(before), place),
          time);
    }
  }

  private static VasaException refused(String field, int place, String expected, Duration got) {
    return VasaException.invalidArgument(
        "expected '%s' of tier %d %s, got %s"
            .formatted(field, place + 1, expected, TimeText.iso(got)));
  }

  public boolean isEmpty() {
    return tiers.isEmpty();
  }

  /// The time between two points of the finest tier; only of a rule with tiers.
  public Duration finest() {
    return tiers.getFirst().every();
  }

  /// How long the points of the coarsest tier are kept; zero without tiers.
  public Duration kept() {
    return tiers.isEmpty() ? Duration.ZERO : tiers.getLast().keepFor();
  }

  /// Both rules together. Of two tiers with equal times between points the one that keeps longer
  /// counts, and one that a finer tier keeps for at least as long is left out. If more than four
  /// are left, those in the middle go: the two finest and the two that keep longest stay.
  public ContinuousRule and(ContinuousRule other) {
    SortedMap<Duration, Duration> keepByEvery = new TreeMap<>();
    for (ContinuousRule rule : List.of(this, other)) {
      for (PointTier tier : rule.tiers) {
        keepByEvery.merge(
            tier.every(), tier.keepFor(), (one, two) -> one.compareTo(two) > 0 ? one : two);
      }
    }
    List<PointTier> all = new ArrayList<>();
    keepByEvery.forEach(
        (every, keep) -> {
          if (all.isEmpty() || keep.compareTo(all.getLast().keepFor()) > 0) {
            all.add(new PointTier(every, keep));
          }
        });
    if (all.size() > Journals.MOST_TIERS) {
      all.subList(OF_EACH_END, all.size() - OF_EACH_END).clear();
    }
    return new ContinuousRule(all);
  }

  /// The tiers of this rule that another one does not make up for: it has none that is as fine and
  /// keeps its points for as long.
  public List<PointTier> beyond(ContinuousRule other) {
    return tiers.stream()
        .filter(
            tier ->
                other.tiers.stream()
                    .noneMatch(
                        one ->
                            one.every().compareTo(tier.every()) <= 0
                                && one.keepFor().compareTo(tier.keepFor()) >= 0))
        .toList();
  }

  /// The tiers as a journal has them.
  public List<JournalTier> journal() {
    return tiers.stream().map(tier -> new JournalTier(tier.every(), tier.keepFor())).toList();
  }

  /// Such as `PT5S for PT1H, PT1M for P1D`.
  public String text() {
    return tiers.stream().map(PointTier::text).collect(Collectors.joining(", "));
  }
}
