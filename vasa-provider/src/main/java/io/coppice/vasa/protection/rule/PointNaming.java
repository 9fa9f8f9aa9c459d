package io.coppice.vasa.protection.rule;

import io.coppice.vasa.fault.VasaException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The pattern of the names of recovery points: text with the places `{policy}`, `{rule}`, `{date}`
/// as `2026-11-27`, and `{time}` as `02:00:00`.
///
/// @param text 1 to [#MAX_LENGTH] characters, without control characters and other braces
public record PointNaming(String text) {

  /// Longest pattern, in characters.
  public static final int MAX_LENGTH = 80;

  private static final Pattern PLACE = Pattern.compile("\\{(policy|rule|date|time)}");
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

  /// The pattern of rules that have none of their own.
  public static final PointNaming USUAL = new PointNaming("{policy} {rule} {date} {time}");

  /// @throws VasaException (InvalidArgument) if the text is no pattern
  public PointNaming {
    if (text.isBlank()
        || text.length() > MAX_LENGTH
        || text.chars().anyMatch(Character::isISOControl)) {
      throw VasaException.invalidArgument(
          "expected a name pattern of 1 to %d characters without control characters, got %d"
              .formatted(MAX_LENGTH, text.length()));
    }
    String rest = PLACE.matcher(text).replaceAll("");
    if (rest.contains("{") || rest.contains("}")) {
      throw VasaException.invalidArgument(
          "expected no braces but those of {policy}, {rule}, {date} and {time}, got '%s'"
              .formatted(text));
    }
  }

  /// The name of a point.
  ///
  /// @param at the moment that the name tells
  /// @param zone the zone in which it tells it
  public String nameOf(String policy, String rule, Instant at, ZoneId zone) {
    var local = at.atZone(zone);
    return PLACE
        .matcher(text)
        .replaceAll(
            place ->
                Matcher.quoteReplacement(
                    switch (place.group(1)) {
                      case "policy" -> policy;
                      case "rule" -> rule;
                      case "date" -> local.toLocalDate().toString();
                      default -> TIME.format(local);
                    }));
  }
}
