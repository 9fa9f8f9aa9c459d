package io.coppice.app.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A PostgreSQL server as its `postmaster.pid` describes it (PostgreSQL 15 and 18, pidfile.h).
///
/// @param pid process id
/// @param port TCP port
/// @param ready whether it takes connections
record Postmaster(long pid, int port, boolean ready) {

  /// The server that runs on a data folder, if the file names a live process whose working folder
  /// is that very folder: only a postmaster of this folder has it.
  static Optional<Postmaster> on(Path data) {
    try {
      List<String> lines = Files.readAllLines(data.resolve("postmaster.pid"));
      if (lines.size() < 8) {
        return Optional.empty();
      }
      long pid = Long.parseLong(lines.get(0).strip());
      Path folder = Path.of("/proc", Long.toString(pid), "cwd").toRealPath();
      if (!folder.equals(data.toRealPath())) {
        return Optional.empty();
      }
      return Optional.of(
          new Postmaster(
              pid, Integer.parseInt(lines.get(3).strip()), lines.get(7).strip().equals("ready")));
    } catch (IOException | NumberFormatException e) {
      return Optional.empty();
    }
  }
}
