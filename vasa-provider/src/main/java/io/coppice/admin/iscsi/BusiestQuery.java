package io.coppice.admin.iscsi;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.vasa.diagnosis.LoadRates;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// A client's question for what is busiest.
///
/// @param of `volume`, which is usual, or `vm`
/// @param by `iops`, which is usual, `bandwidth` or `latency`: what counts
/// @param window how far back, in ISO 8601; null for the last 15 seconds
/// @param limit most items, 1 to 100; null for 10
record BusiestQuery(
    @Nullable String of, @Nullable String by, @Nullable String window, @Nullable Integer limit) {

  private static final String VOLUME = "volume";
  private static final String VM = "vm";
  private static final int DEFAULT_LIMIT = 10;
  private static final int MAX_LIMIT = 100;

  private static final Map<String, ToDoubleFunction<LoadRates>> MEASURES =
      Map.of(
          "iops", LoadRates::iops,
          "bandwidth", LoadRates::bandwidth,
          "latency", LoadRates::nanos);

  /// @throws RequestRejectedException if it is neither
  boolean ofMachines() {
    return chosen("of", Objects.requireNonNullElse(of, VOLUME), Set.of(VOLUME, VM)).equals(VM);
  }

  /// The largest first.
  ///
  /// @throws RequestRejectedException if there is no such measure
  Comparator<LoadRates> order() {
    String measure = chosen("by", Objects.requireNonNullElse(by, "iops"), MEASURES.keySet());
    return Comparator.comparingDouble(Objects.requireNonNull(MEASURES.get(measure))).reversed();
  }

  /// @throws RequestRejectedException if it is out of range
  int most() {
    int most = Objects.requireNonNullElse(limit, DEFAULT_LIMIT);
    if (most < 1 || most > MAX_LIMIT) {
      throw RequestRejectedException.field(
          "limit", "expected 1 to %d, got %d".formatted(MAX_LIMIT, most));
    }
    return most;
  }

  private static String chosen(String field, String given, Set<String> offered) {
    if (!offered.contains(given)) {
      throw RequestRejectedException.field(
          field, "expected one of %s, got '%s'".formatted(new TreeSet<>(offered), given));
    }
    return given;
  }
}
