package io.coppice.vasa.history.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// The files of the history, which their owner alone reads: names of virtual machines and their
/// load are nobody else's business.
public final class OwnFiles {

  private OwnFiles() {}

  /// A folder, made if it is not there.
  public static Path folder(Path folder) throws IOException {
    return Files.createDirectories(folder, mode("rwx------"));
  }

  /// An empty file to write.
  static FileChannel fresh(Path file) throws IOException {
    return opened(file, StandardOpenOption.TRUNCATE_EXISTING);
  }

  /// Writes a whole file, stable on return.
  public static void write(Path file, String text) throws IOException {
    try (FileChannel channel = fresh(file)) {
      write(channel, text);
      channel.force(true);
    }
  }

  /// Adds a text to a file, made if it is not there.
  public static void append(Path file, String text) throws IOException {
    try (FileChannel channel = opened(file, StandardOpenOption.APPEND)) {
      write(channel, text);
    }
  }

  private static FileChannel opened(Path file, OpenOption how) throws IOException {
    return FileChannel.open(
        file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, how), mode("rw-------"));
  }

  private static void write(FileChannel channel, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  private static FileAttribute<Set<PosixFilePermission>> mode(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }
}
