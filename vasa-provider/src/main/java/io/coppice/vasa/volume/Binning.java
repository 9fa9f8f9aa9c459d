package io.coppice.vasa.volume;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.stream.Stream;

/// The stay of a volume or snapshot in the recycle bin.
///
/// @param since when it came there, by the time that has passed
/// @param until when it is to be purged, by the same time; it may go earlier for its space
/// @param author who put it there, as [io.coppice.vasa.actor.Actor#name] has it
public record Binning(Instant since, Instant until, Reason reason, String author) {

  /// The reason why something is in the bin.
  public enum Reason {
    /// It was deleted.
    DELETED("deleted"),
    /// It has the content that its volume had before a revert: a safety copy.
    REVERTED("reverted");

    private final String text;

    Reason(String text) {
      this.text = text;
    }
  }

  /// As the pool keeps it: the two times in ISO 8601, the reason and the author, with spaces
  /// between.
  public String text() {
    return "%s %s %s %s".formatted(since, until, reason.text, author);
  }

  /// The opposite of [#text]; empty if the text is none of this form.
  public static Optional<Binning> parse(String text) {
    String[] parts = text.split(" ", 4);
    if (parts.length != 4) {
      return Optional.empty();
    }
    try {
      Instant since = Instant.parse(parts[0]);
      Instant until = Instant.parse(parts[1]);
      return Stream.of(Reason.values())
          .filter(reason -> reason.text.equals(parts[2]))
          .findFirst()
          .map(reason -> new Binning(since, until, reason, parts[3]));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /// Whether it is a safety copy of a revert.
  public boolean isSafetyCopy() {
    return reason == Reason.REVERTED;
  }
}
