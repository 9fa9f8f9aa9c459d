package io.coppice.app.tool.doctor;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/// The listening TCP ports of this machine and the processes behind them, from Linux's
/// `/proc/net/tcp`.
final class Listeners {

  private static final String LISTENING = "0A";
  private static final int LOCAL_ADDRESS = 1;
  private static final int STATE = 3;
  private static final int INODE = 9;

  private final Map<Integer, Set<String>> inodes = new HashMap<>();
  private final Map<String, Long> owners = new HashMap<>();
  private final Set<Long> readable = new HashSet<>();

  private Listeners() {}

  /// A process that listens.
  ///
  /// @param pid empty if it cannot be seen from here
  record Listener(OptionalLong pid) {

    boolean isOf(long process) {
      return pid.isPresent() && pid.getAsLong() == process;
    }

    @Override
    public String toString() {
      return pid.isPresent()
          ? describe(pid.getAsLong())
          : "a process that cannot be seen from here";
    }
  }

  /// Looks now.
  static Listeners now() {
    var found = new Listeners();
    found.readTable(Path.of("/proc/net/tcp"));
    found.readTable(Path.of("/proc/net/tcp6"));
    found.readOwners();
    return found;
  }

  /// The process that listens at a port at any address.
  Optional<Listener> at(int port) {
    Set<String> sockets = inodes.get(port);
    if (sockets == null) {
      return Optional.empty();
    }
    OptionalLong pid =
        sockets.stream()
            .filter(owners::containsKey)
            .mapToLong(inode -> owners.getOrDefault(inode, 0L))
            .findFirst();
    return Optional.of(new Listener(pid));
  }

  /// Whether the ports at which this process listens can be seen.
  boolean knows(long pid) {
    return readable.contains(pid);
  }

  /// Ports that a process listens at.
  Set<Integer> of(long pid) {
    Set<Integer> ports = new TreeSet<>();
    inodes.forEach(
        (port, sockets) -> {
          if (sockets.stream().anyMatch(inode -> owners.getOrDefault(inode, -1L) == pid)) {
            ports.add(port);
          }
        });
    return ports;
  }

  /// `process 4711 (java)`.
  static String describe(long pid) {
    try {
      String name = Files.readString(Path.of("/proc", Long.toString(pid), "comm")).strip();
      return "process %d (%s)".formatted(pid, name);
    } catch (IOException e) {
      return "process " + pid;
    }
  }

  private void readTable(Path table) {
    try {
      List<String> lines = Files.readAllLines(table);
      for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
        String[] fields = line.strip().split("\\s+");
        if (fields.length > INODE && fields[STATE].equals(LISTENING)) {
          String address = fields[LOCAL_ADDRESS];
          int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1), 16);
          inodes.computeIfAbsent(port, _ -> new HashSet<>()).add(fields[INODE]);
        }
      }
    } catch (IOException e) {
      inodes.putIfAbsent(-1, Set.of()); // no such table: nobody is seen to listen in it
    }
  }

  private void readOwners() {
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        long pid = Long.parseLong(process.getFileName().toString());
        try (DirectoryStream<Path> open = Files.newDirectoryStream(process.resolve("fd"))) {
          readable.add(pid);
          for (Path descriptor : open) {
            readOwner(pid, descriptor);
          }
        } catch (IOException | java.nio.file.DirectoryIteratorException e) {
          readable.remove(pid); // another user's, or it has just ended
        }
      }
    } catch (IOException e) {
      owners.clear();
    }
  }

  private void readOwner(long pid, Path descriptor) {
    try {
      String target = Files.readSymbolicLink(descriptor).toString();
      if (target.startsWith("socket:[")) {
        owners.put(target.substring("socket:[".length(), target.length() - 1), pid);
      }
    } catch (IOException e) {
      // The socket was closed since it was listed, so nobody listens at it.
    }
  }
}
