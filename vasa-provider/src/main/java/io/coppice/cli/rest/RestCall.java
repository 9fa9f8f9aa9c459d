package io.coppice.cli.rest;

import io.coppice.cli.failure.CommandFailedException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// One request of the REST API.
///
/// @param method such as `GET`
/// @param path beneath `/api/v1`, with its segments encoded
/// @param query in order, not encoded
/// @param body JSON; null for none
/// @param tag of the object that a change is for (`If-Match`); null for any
public record RestCall(
    String method,
    String path,
    List<Parameter> query,
    @Nullable String body,
    @Nullable String tag) {

  /// A parameter of the query.
  public record Parameter(String name, String value) {}

  public RestCall {
    query = List.copyOf(query);
  }

  public RestCall(String method, String path, List<Parameter> query, @Nullable String body) {
    this(method, path, query, body, null);
  }

  public static RestCall get(String path) {
    return new RestCall("GET", path, List.of(), null);
  }

  /// This call with one more parameter.
  public RestCall with(String name, Object value) {
    List<Parameter> more = new ArrayList<>(query);
    more.add(new Parameter(name, value.toString()));
    return new RestCall(method, path, more, body, tag);
  }

  /// This call, for the object only as long as it has the tag.
  ///
  /// @param tag as an `ETag`, or without its quotes; null for any
  public RestCall onlyFor(@Nullable String tag) {
    boolean bare = tag != null && !tag.equals("*") && !tag.contains("\"");
    return new RestCall(method, path, query, body, bare ? '"' + tag + '"' : tag);
  }

  boolean isRead() {
    return method.equals("GET");
  }

  /// Path and query as they are sent, from `/api/v1` on.
  String target() {
    String parameters =
        query.stream()
            .map(one -> encoded(one.name()) + "=" + encoded(one.value()))
            .collect(Collectors.joining("&"));
    return "/api/v1" + path + (parameters.isEmpty() ? "" : "?" + parameters);
  }

  /// A text as one segment of a path.
  ///
  /// @throws CommandFailedException if no segment can be like it
  public static String segment(String text) {
    if (text.isEmpty() || text.equals(".") || text.equals("..")) {
      throw CommandFailedException.usage("expected an id or a name, got '%s'", text);
    }
    return encoded(text).replace("%3A", ":");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
