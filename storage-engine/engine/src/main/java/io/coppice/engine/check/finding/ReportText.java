package io.coppice.engine.check.finding;

import java.util.Locale;
import java.util.stream.Collectors;

/// A report for people, and for programs.
public final class ReportText {

  private ReportText() {}

  /// A line per finding, then the objects looked at, then the verdict.
  public static String lines(CheckReport report) {
    StringBuilder text = new StringBuilder();
    report.findings().forEach(finding -> text.append(finding).append('\n'));
    text.append("checked: ")
        .append(
            report.counts().entrySet().stream()
                .map(count -> "%d %s".formatted(count.getValue(), count.getKey()))
                .collect(Collectors.joining(", ")))
        .append('\n');
    text.append(
        report.isClean()
            ? "clean\n"
            : "%d damages, %d warnings\n".formatted(report.damages(), report.warnings()));
    return text.toString();
  }

  /// One object: `clean`, `damages`, `warnings`, `counts`, `findings`.
  public static String json(CheckReport report) {
    String counts =
        report.counts().entrySet().stream()
            .map(count -> "%s:%d".formatted(quoted(count.getKey()), count.getValue()))
            .collect(Collectors.joining(","));
    String findings =
        report.findings().stream().map(ReportText::json).collect(Collectors.joining(","));
    return "{\"clean\":%b,\"damages\":%d,\"warnings\":%d,\"counts\":{%s},\"findings\":[%s]}\n"
        .formatted(report.isClean(), report.damages(), report.warnings(), counts, findings);
  }

  private static String json(Finding finding) {
    FindingLocation where = finding.where();
    return "{\"severity\":%s,\"structure\":%s,\"zone\":%s,\"offset\":%s,\"volume\":%s,\"lba\":%s,\"sentence\":%s}"
        .formatted(
            quoted(finding.severity().name().toLowerCase(Locale.ROOT)),
            quoted(finding.structure().toString()),
            known(where.zone()),
            known(where.offset()),
            where.volume() == null ? "null" : quoted(where.volume().toString()),
            known(where.lba()),
            quoted(finding.sentence()));
  }

  private static String known(long value) {
    return value < 0 ? "null" : Long.toString(value);
  }

  private static String quoted(String text) {
    return text.chars()
        .mapToObj(
            c ->
                c < 0x20 || c == '"' || c == '\\'
                    ? "\\u%04x".formatted(c)
                    : Character.toString((char) c))
        .collect(Collectors.joining("", "\"", "\""));
  }
}
