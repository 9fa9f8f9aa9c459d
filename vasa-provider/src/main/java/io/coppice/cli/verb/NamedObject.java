package io.coppice.cli.verb;

import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.output.Notation;
import io.coppice.cli.rest.PagedList;
import io.coppice.cli.rest.RestCall;
import io.coppice.cli.rest.Tagged;
import java.util.List;
import java.util.function.LongFunction;
import tools.jackson.databind.JsonNode;

/// An object with generations that a file describes: it is made, or takes the place of the one of
/// its name.
///
/// @param path of its list, such as `/policies`
/// @param kind in words, such as `policy`
/// @param draft from the generation that is replaced to the body of the call
public record NamedObject(String path, String kind, String name, LongFunction<?> draft) {

  /// The operations of REST that [#call] may lead to, for a list at `path`.
  public static List<String> operations(String path) {
    return List.of("GET " + path, "GET " + path + "/{id}", "POST " + path, "PUT " + path + "/{id}");
  }

  /// The call that makes or replaces it, refused if somebody changes the object first.
  ///
  /// @param made the body of the call if there is none of its name
  /// @throws CommandFailedException if several have its name
  public RestCall call(ClientSession session, Object made) {
    List<JsonNode> same =
        PagedList.read(session.connection(), RestCall.get(path), null).items().stream()
            .filter(one -> one.path("name").asString("").equals(name))
            .toList();
    if (same.size() > 1) {
      throw CommandFailedException.usage(
          "expected one %s '%s', but %d have this name: %s",
          kind,
          name,
          same.size(),
          String.join(", ", same.stream().map(one -> one.path("id").asString()).toList()));
    }
    return same.isEmpty()
        ? new RestCall("POST", path, List.of(), Notation.write(made))
        : replacement(
            session, path + "/" + RestCall.segment(same.getFirst().path("id").asString()));
  }

  private RestCall replacement(ClientSession session, String one) {
    Tagged read = session.connection().read(RestCall.get(one));
    long generation = read.body().path("generation").asLong();
    String body = Notation.write(draft.apply(generation));
    return new RestCall("PUT", one, List.of(), body).onlyFor(read.tag());
  }
}
