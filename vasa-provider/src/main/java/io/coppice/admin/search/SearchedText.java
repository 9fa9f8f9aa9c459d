package io.coppice.admin.search;

import io.coppice.admin.problem.RequestRejectedException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A text that somebody looks for, in either case.
///
/// @param given without blanks around it
/// @param text the same in lower case
record SearchedText(String given, String text) {

  /// The ranks of candidates: the smaller one is better.
  static final int EQUAL = 0;

  static final int BEGINS = 1;
  static final int WITHIN = 2;
  static final int NONE = 3;

  private static final int LONGEST = 200;

  /// Fewer characters are the beginning of too many ids.
  private static final int SHORTEST_ID = 4;

  private static final int HEX_DIGITS = 32;
  private static final Pattern UUID_PART = Pattern.compile("[0-9a-f-]{4,36}");
  private static final Pattern NAA_PART = Pattern.compile("(naa\\.)?6[0-9a-f]{9,31}");
  private static final Pattern LUN = Pattern.compile("[0-9]{1,5}");
  private static final String NAA = "naa.";

  /// The first and the last of the ids that begin with a text.
  record UuidRange(UUID first, UUID last) {}

  /// @throws RequestRejectedException if it is blank or too long, or has control characters, which
  ///   nothing that can be found has, and of which the database takes not all
  static SearchedText parse(String query) {
    String text = query.strip();
    if (text.isEmpty() || text.length() > LONGEST) {
      throw RequestRejectedException.field(
          "q",
          "expected a text of 1 to %d characters that are not all blank, got %d"
              .formatted(LONGEST, text.length()));
    }
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw RequestRejectedException.field("q", "expected no control characters, got some");
    }
    return new SearchedText(text, text.toLowerCase(Locale.ROOT));
  }

  /// The rank of something that is looked for anywhere in it.
  int rank(@Nullable String candidate) {
    if (candidate == null) {
      return NONE;
    }
    String lower = candidate.toLowerCase(Locale.ROOT);
    if (lower.equals(text)) {
      return EQUAL;
    }
    if (lower.startsWith(text)) {
      return BEGINS;
    }
    return lower.contains(text) ? WITHIN : NONE;
  }

  /// The rank of an id of our own, of which nobody remembers the middle.
  int rankOfId(UUID id) {
    int rank = rank(id.toString());
    return rank == EQUAL || rank == BEGINS && text.length() >= SHORTEST_ID ? rank : NONE;
  }

  /// The ids that may begin with the text; empty if none can.
  Optional<UuidRange> ids() {
    String digits = text.replace("-", "");
    if (!UUID_PART.matcher(text).matches()
        || digits.length() < SHORTEST_ID
        || digits.length() > HEX_DIGITS) {
      return Optional.empty();
    }
    int missing = HEX_DIGITS - digits.length();
    return Optional.of(
        new UuidRange(uuid(digits + "0".repeat(missing)), uuid(digits + "f".repeat(missing))));
  }

  private static UUID uuid(String digits) {
    return new UUID(
        Long.parseUnsignedLong(digits.substring(0, 16), 16),
        Long.parseUnsignedLong(digits.substring(16), 16));
  }

  /// The beginning of the name of a logical unit (`naa.6…`) that it may be; empty if it cannot.
  Optional<String> naa() {
    return NAA_PART.matcher(text).matches()
        ? Optional.of(text.startsWith(NAA) ? text : NAA + text)
        : Optional.empty();
  }

  /// The number of a logical unit that it is; empty if it is none.
  OptionalInt lun() {
    return LUN.matcher(text).matches()
        ? OptionalInt.of(Integer.parseInt(text))
        : OptionalInt.empty();
  }
}
