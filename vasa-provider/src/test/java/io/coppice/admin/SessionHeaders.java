package io.coppice.admin;

import io.coppice.admin.AdminServer.Answer;
import java.util.Map;
import java.util.stream.Stream;

/// The headers of a session, as a browser sends them.
final class SessionHeaders {

  private SessionHeaders() {}

  /// The body that opens one.
  static String login(String name, String password) {
    return "{\"name\": \"%s\", \"password\": \"%s\"}".formatted(name, password);
  }

  static Map<String, String> of(Answer opened) {
    String cookie = opened.header("Set-Cookie");
    return Map.of(
        "Cookie", cookie.substring(0, cookie.indexOf(';')), "X-Coppice-CSRF", opened.text("/csrf"));
  }

  /// Names and values in turn.
  static String[] flat(Map<String, String> headers) {
    return headers.entrySet().stream()
        .flatMap(header -> Stream.of(header.getKey(), header.getValue()))
        .toArray(String[]::new);
  }
}
