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
    if (UUID.matcher(text).matches()) {
      return text;
    }
    RestConnection connection = session.connection();
    RestCall call = RestCall.get(kind.list());
    List<String> ids =
        PagedList.read(connection, kind.isFiltered() ? call.with("name", text) : call, null)
            .items()
            .stream()
            .filter(one -> isNamed(one, text))
            .map(one -> one.path("id").asString())
            .toList();
    if (ids.isEmpty() && kind.hasFreeIds()) {
      return text;
    }
    if (ids.isEmpty()) {
      throw new CommandFailedException(
          ExitStatus.NOT_FOUND, "there is no %s '%s'".formatted(kind.word(), text));
    }
    if (ids.size() > 1) {
      throw CommandFailedException.usage(
          "expected one %s '%s', but %d have this name; give one of the ids %s",
          kind.word(), text, ids.size(), ids.stream().collect(Collectors.joining(", ")));
    }
    return ids.getFirst();
  }

  private static boolean isNamed(JsonNode one, String text) {
    return text.equals(one.path("name").asStringOpt().orElse(null));
  }
}
