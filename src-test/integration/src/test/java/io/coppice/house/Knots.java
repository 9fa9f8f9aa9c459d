package io.coppice.house;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Strongly connected components of a graph, by Tarjan's algorithm: sets of nodes of which each is
/// reached from each other one. A node alone is no knot.
final class Knots {

  private final Map<String, Set<String>> edges;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final Map<String, Integer> lowest = new HashMap<>();
  private final Deque<String> path = new ArrayDeque<>();
  private final Set<String> onPath = new HashSet<>();
  private final List<Set<String>> found = new ArrayList<>();

  private Knots(Map<String, Set<String>> edges) {
    this.edges = edges;
  }

  /// @param edges from each node to others; a node that is no key has none
  static List<Set<String>> of(Map<String, Set<String>> edges) {
    Knots knots = new Knots(edges);
    new TreeSet<>(edges.keySet()).forEach(knots::visitOnce);
    return knots.found;
  }

  private void visitOnce(String node) {
    if (!numbers.containsKey(node)) {
      visit(node);
    }
  }

  private void visit(String node) {
    numbers.put(node, numbers.size());
    lowest.put(node, numbers.get(node));
    path.push(node);
    onPath.add(node);
    for (String next : edges.getOrDefault(node, Set.of())) {
      if (!numbers.containsKey(next)) {
        visit(next);
        lowest.merge(node, lowest.get(next), Math::min);
      } else if (onPath.contains(next)) {
        lowest.merge(node, numbers.get(next), Math::min);
      }
    }
    if (lowest.get(node).equals(numbers.get(node))) {
      take(node);
    }
  }

  /// Takes a component, whose first visited node is `root`, off the path.
  private void take(String root) {
    Set<String> knot = new TreeSet<>();
    String last;
    do {
      last = path.pop();
      onPath.remove(last);
      knot.add(last);
    } while (!last.equals(root));
    if (knot.size() > 1) {
      found.add(knot);
    }
  }
}
