package io.coppice.admin;

import static io.coppice.admin.AdminServer.made;

/// Protection policies, groups and points that tests make over REST.
final class Protecting {

  /// A rule that takes a point each hour and keeps two.
  static final String HOURLY =
      "{\"name\": \"hour\", \"kind\": \"hourly\", \"minute\": 0, \"keepCount\": 2}";

  private Protecting() {}

  /// Makes a policy with [#HOURLY].
  ///
  /// @return its id
  static String policy(AdminServer server, String name) {
    return made(
        server.post(
            "protection-policies", "{\"name\": \"%s\", \"rules\": [%s]}".formatted(name, HOURLY)));
  }

  /// The body of a group of one volume.
  static String group(String name, String policy, String volume) {
    return "{\"name\": \"%s\", \"policy\": \"%s\", \"members\": [{\"volume\": \"%s\"}]}"
        .formatted(name, policy, volume);
  }

  /// Makes a group of one volume.
  ///
  /// @return its id
  static String group(AdminServer server, String name, String policy, String volume) {
    return made(server.post("protection-groups", group(name, policy, volume)));
  }

  /// Takes a point of a group.
  ///
  /// @return its id
  static String point(AdminServer server, String group, String name) {
    return made(
        server.post(
            "protection-groups/" + group + "/points", "{\"name\": \"%s\"}".formatted(name)));
  }
}
