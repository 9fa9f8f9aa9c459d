package io.coppice.admin.replication;

import io.coppice.api.history.RecordedHistory;
import io.coppice.api.history.RecordedSeries;
import io.coppice.api.history.SeriesStatistics;
import io.coppice.vasa.replication.group.ReplicatedGroup;
import io.coppice.vasa.replication.lag.LagHistory;
import io.coppice.vasa.replication.lag.LagMinute;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The last day of a replication group, as REST shows histories.
@Component
final class LagViews {

  private static final String STEP = "1m";
  private static final double TOP_SHARE = 0.95;

  private final LagHistory history;

  LagViews(LagHistory history) {
    this.history = history;
  }

  RecordedHistory view(ReplicatedGroup group) {
    LagHistory.Day day = history.of(group.id());
    return new RecordedHistory(
        group.id().toString(),
        day.from(),
        day.to(),
        STEP,
        null,
        List.of(
            series("lag", "s", day, LagMinute::lagSeconds),
            series("dataBytes", "B", day, LagMinute::dataBytes),
            series("linkBytes", "B", day, LagMinute::linkBytes)));
  }

  private static RecordedSeries series(
      String name, String unit, LagHistory.Day day, Function<LagMinute, @Nullable Long> figure) {
    List<@Nullable Double> values = new ArrayList<>();
    for (LagMinute minute : day.minutes()) {
      Long value = figure.apply(minute);
      values.add(value == null ? null : value.doubleValue());
    }
    return new RecordedSeries(name, unit, statistics(values), values);
  }

  private static @Nullable SeriesStatistics statistics(List<@Nullable Double> values) {
    double[] known =
        values.stream().filter(Objects::nonNull).mapToDouble(Double::doubleValue).toArray();
    if (known.length == 0) {
      return null;
    }
    double last = known[known.length - 1];
    double sum = 0;
    for (double value : known) {
      sum += value;
    }
    Arrays.sort(known);
    return new SeriesStatistics(
        known[0],
        sum / known.length,
        known[known.length - 1],
        known[(int) Math.ceil(TOP_SHARE * known.length) - 1],
        last);
  }
}
