package io.coppice.admin;

import java.util.List;
import java.util.Set;

/// A list of the API, as a path with ids, and the orders and parameters that it takes.
record ListedPath(String path, List<String> sorts, String usual, Set<String> parameters) {

  @Override
  public String toString() {
    return path;
  }

  /// The fields, each once.
  List<String> fields() {
    return sorts.stream().filter(sort -> !sort.startsWith("-")).toList();
  }
}
