package io.coppice.vasa.verdict;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/// The outcomes of all checks, and the verdict.
public final class Report {

  /// The verdict if nothing failed.
  static final String HEALTHY = "Nothing keeps this provider from being online.";

  private final List<Line> lines = new ArrayList<>();

  /// A finding about one thing.
  ///
  /// @param topic a word or two
  public record Line(String topic, CheckOutcome outcome) {}

  /// All of them, in the order in which they were found.
  public List<Line> lines() {
    return List.copyOf(lines);
  }

  public void ok(String topic, String seen, Object... values) {
    lines.add(new Line(topic, new CheckOutcome.Ok(sentence(seen, values))));
  }

  public void warn(String topic, String seen, Object... values) {
    lines.add(new Line(topic, new CheckOutcome.Warn(sentence(seen, values))));
  }

  public void skip(String topic, String seen, Object... values) {
    lines.add(new Line(topic, new CheckOutcome.Skipped(sentence(seen, values))));
  }

  public void fail(String topic, Cause cause, String seen, String remedy) {
    lines.add(new Line(topic, new CheckOutcome.Fail(cause, oneLine(seen), oneLine(remedy))));
  }

  private static String sentence(String seen, Object... values) {
    return oneLine(seen.formatted(values));
  }

  /// The sentence with a full stop.
  public static String ended(String sentence) {
    return sentence.endsWith(".") ? sentence : sentence + ".";
  }

  /// Text without line breaks: databases and certificates must not forge a line.
  private static String oneLine(String text) {
    return text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
  }

  /// The failure that explains the others. If several have its cause, the first one seen.
  public Optional<CheckOutcome.Fail> verdict() {
    return lines.stream()
        .map(Line::outcome)
        .filter(CheckOutcome.Fail.class::isInstance)
        .map(CheckOutcome.Fail.class::cast)
        .min(Comparator.comparing(CheckOutcome.Fail::cause));
  }

  public int exitStatus() {
    return verdict().map(fail -> fail.cause().exitStatus()).orElse(0);
  }

  /// One line for each outcome and the verdict in the last.
  public String text() {
    var text = new StringBuilder();
    for (Line line : lines) {
      text.append(
          String.format(
              Locale.ROOT,
              "%-4s  %-11s  %s%n",
              mark(line.outcome()),
              line.topic(),
              line.outcome().seen()));
    }
    return text.append(verdictSentence()).append(System.lineSeparator()).toString();
  }

  private String verdictSentence() {
    return verdict().map(fail -> fail.seen() + " \u2192 " + fail.remedy()).orElse(HEALTHY);
  }

  private static String mark(CheckOutcome outcome) {
    return switch (outcome) {
      case CheckOutcome.Ok _ -> "ok";
      case CheckOutcome.Warn _ -> "warn";
      case CheckOutcome.Fail _ -> "FAIL";
      case CheckOutcome.Skipped _ -> "-";
    };
  }

  /// One object: `status` (the exit status), `cause`, `verdict`, `checks`.
  public String json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("status", exitStatus());
    verdict().ifPresent(fail -> all.put("cause", name(fail.cause())));
    all.put("verdict", verdictSentence());
    all.put("checks", lines.stream().map(Report::fields).toList());
    return JsonMapper.builder().build().writeValueAsString(all);
  }

  private static Map<String, Object> fields(Line line) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("topic", line.topic());
    fields.put("outcome", mark(line.outcome()).replace("-", "skipped"));
    fields.put("seen", line.outcome().seen());
    if (line.outcome() instanceof CheckOutcome.Fail fail) {
      fields.put("cause", name(fail.cause()));
      fields.put("remedy", fail.remedy());
    }
    return fields;
  }

  private static String name(Cause cause) {
    return cause.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
