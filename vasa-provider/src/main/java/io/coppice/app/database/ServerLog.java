package io.coppice.app.database;

import io.coppice.engine.files.OwnerOnly;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The log file of PostgreSQL's programs and server, with a limit to its growth. When it has more
/// than [#MOST] bytes, the last of them become `postgres.log.1`, in place of the former ones, and
/// it goes on empty.
///
/// The server has the file open and appends to it, so the file is emptied in place and not renamed.
/// Lines written between the copy and the emptying are lost. A crash between them leaves the same
/// lines in both files.
final class ServerLog {

  /// Most bytes of either file, apart from lines written between two looks.
  static final long MOST = 8L << 20;

  private static final Logger log = LoggerFactory.getLogger(ServerLog.class);

  private final Path file;
  private final Path older;

  ServerLog(Path file) {
    this.file = file;
    this.older = file.resolveSibling(file.getFileName() + ".1");
  }

  Path file() {
    return file;
  }

  /// Looks at the size, and shortens a file that is too long. If the disk is full, the file cannot
  /// be shortened and is left until the next look.
  void bound() {
    try {
      if (Files.exists(file) && Files.size(file) > MOST) {
        shorten();
      }
    } catch (IOException e) {
      log.atDebug().setCause(e).log("the database's log cannot be shortened");
    }
  }

  private void shorten() throws IOException {
    Path partial = older.resolveSibling(older.getFileName() + ".partial");
    Files.deleteIfExists(partial);
    OwnerOnly.createFile(partial);
    try (FileChannel from =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        FileChannel to = FileChannel.open(partial, StandardOpenOption.WRITE)) {
      long at = from.size() - MOST;
      while (at < from.size()) {
        at += from.transferTo(at, from.size() - at, to);
      }
      Files.move(
          partial, older, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      from.truncate(0);
    } finally {
      Files.deleteIfExists(partial);
    }
  }
}
