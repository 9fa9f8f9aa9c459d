package io.coppice.bench.iscsi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/// The cost of the threads of a process so far, by the kernel's count, threads of like name
/// together.
///
/// @param groups by name without its number
record ThreadCosts(Map<String, Cost> groups) {

  private static final double TICK_MICROS = 10_000;

  /// @param micros of CPU, user and system, in steps of 10 ms
  /// @param waits times that a thread gave up its processor to wait
  /// @param preemptions times that it was taken away
  record Cost(double micros, long waits, long preemptions) {

    private Cost plus(Cost other, int sign) {
      return new Cost(
          micros + sign * other.micros,
          waits + sign * other.waits,
          preemptions + sign * other.preemptions);
    }
  }

  static ThreadCosts of(long pid) {
    Map<String, Cost> groups = new TreeMap<>();
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
      for (Path thread : threads) {
        try {
          String stat = Files.readString(thread.resolve("stat"));
          String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
          groups.merge(
              name.replaceAll("[-#]?[0-9]+(-[0-9]+)*$", ""),
              cost(stat, Files.readString(thread.resolve("status"))),
              (one, other) -> one.plus(other, 1));
        } catch (NoSuchFileException ended) {
          // Its time is lost to this; they live long.
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ThreadCosts(groups);
  }

  private static Cost cost(String stat, String status) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    double ticks = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    return new Cost(
        ticks * TICK_MICROS,
        number(status, "\nvoluntary_ctxt_switches:"),
        number(status, "\nnonvoluntary_ctxt_switches:"));
  }

  private static long number(String status, String name) {
    int start = status.indexOf(name) + name.length();
    return Long.parseLong(status.substring(start, status.indexOf('\n', start)).strip());
  }

  ThreadCosts since(ThreadCosts earlier) {
    Map<String, Cost> left = new TreeMap<>();
    groups.forEach(
        (name, cost) -> {
          Cost before = earlier.groups.get(name);
          left.put(name, before == null ? cost : cost.plus(before, -1));
        });
    return new ThreadCosts(left);
  }

  Cost all() {
    return groups.values().stream().reduce(new Cost(0, 0, 0), (one, other) -> one.plus(other, 1));
  }
}
