package io.coppice.cli.verb;

import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.failure.ExitStatus;
import io.coppice.cli.rest.PagedList;
import io.coppice.cli.rest.RestCall;
import io.coppice.cli.rest.RestConnection;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// The ids of objects that a person has named.
final class Names {

  private static final Pattern UUID =
      Pattern.compile("(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private Names() {}

  /// The id: a UUID is one, and everything else is looked for as a name. Where ids may be any text,
  /// what is no name is one, too.
  ///
  /// @throws CommandFailedException if no object has this name, or several
  static String idOf(Kind kind, String text, ClientSession session) {
    return idOf(List.of(kind), text, session);
  }

  /// The same for an object of any of some kinds.
  ///
  /// @throws CommandFailedException if no object has this name, or several
  static String idOf(List<Kind> kinds, String text, ClientSession session) {
    if (UUID.matcher(text).matches()) {
      return text;
    }
    List<String> ids = kinds.stream().flatMap(kind -> idsOf(kind, text, session).stream()).toList();
    if (ids.isEmpty() && kinds.stream().anyMatch(Kind::hasFreeIds)) {
      return text;
    }
    String word = kinds.stream().map(Kind::word).collect(Collectors.joining(" or "));
    if (ids.isEmpty()) {
      throw new CommandFailedException(
          ExitStatus.NOT_FOUND, "there is no %s '%s'".formatted(word, text));
    }
    if (ids.size() > 1) {
      throw CommandFailedException.usage(
          "expected one %s '%s', but %d have this name; give one of the ids %s",
          word, text, ids.size(), String.join(", ", ids));
    }
    return ids.getFirst();
  }

  private static List<String> idsOf(Kind kind, String text, ClientSession session) {
    RestConnection connection = session.connection();
    RestCall call = RestCall.get(kind.list());
    return PagedList.read(connection, kind.isFiltered() ? call.with("name", text) : call, null)
        .items()
        .stream()
        .filter(one -> isNamed(one, text))
        .map(one -> one.path("id").asString())
        .toList();
  }

  private static boolean isNamed(JsonNode one, String text) {
    return text.equals(one.path("name").asStringOpt().orElse(null));
  }
}
