package io.coppice.admin.history;

import io.coppice.admin.field.CamelCase;
import io.coppice.admin.field.IsoDurations;
import io.coppice.api.history.RecordedHistory;
import io.coppice.api.history.RecordedSeries;
import io.coppice.api.history.SeriesStatistics;
import io.coppice.api.history.SpaceForecast;
import io.coppice.api.history.SpaceTrend;
import io.coppice.vasa.history.Forecast;
import io.coppice.vasa.history.History;
import io.coppice.vasa.history.ObjectHistory;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Histories and forecasts as REST shows them.
@Component
final class HistoryViews {

  /// Figures of the scale are within half a percent; more digits would promise more.
  private static final MathContext DIGITS = new MathContext(4, RoundingMode.HALF_UP);

  private final History history;

  HistoryViews(History history) {
    this.history = history;
  }

  RecordedHistory of(@Nullable String id, ObjectHistory found) {
    return new RecordedHistory(
        id,
        found.window().begin(),
        found.window().end(),
        found.window().step().text(),
        history.obstacle().orElse(null),
        found.lines().stream().map(HistoryViews::series).toList());
  }

  private static RecordedSeries series(ObjectHistory.Line line) {
    boolean exact = line.series().isExact();
    var summary = line.summary();
    List<@Nullable Double> values = new ArrayList<>();
    line.values().forEach(value -> values.add(value == null ? null : rounded(value, exact)));
    return new RecordedSeries(
        line.series().text(),
        line.series().unit(),
        summary == null
            ? null
            : new SeriesStatistics(
                rounded(summary.min(), exact),
                rounded(summary.average(), exact),
                rounded(summary.max(), exact),
                rounded(summary.p95(), exact),
                rounded(summary.last(), exact)),
        values);
  }

  private static double rounded(double value, boolean exact) {
    return exact ? Math.rint(value) : new BigDecimal(value).round(DIGITS).doubleValue();
  }

  SpaceForecast of(Forecast found) {
    Forecast.Sureness sureness = found.sureness();
    return new SpaceForecast(
        CamelCase.of(found.outcome()),
        found.sentence(),
        found.used(),
        found.size(),
        found.at(),
        sureness == null ? null : CamelCase.of(sureness),
        found.trends().stream()
            .map(
                trend ->
                    new SpaceTrend(
                        String.valueOf(IsoDurations.text(trend.span())),
                        trend.points(),
                        rounded(trend.perDay(), true),
                        rounded(trend.agreement(), false)))
            .toList());
  }
}
