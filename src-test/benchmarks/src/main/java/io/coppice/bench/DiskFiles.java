package io.coppice.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/// Files that are written over before anything is measured, so that no later write has the file
/// system allocate.
public final class DiskFiles {

  private static final int PIECE = 4 << 20;

  private DiskFiles() {}

  /// Makes a file of random bytes.
  ///
  /// @param sizeInBytes a multiple of 4 MiB, or what is filled is the next one
  public static void fill(Path file, long sizeInBytes) throws IOException {
    byte[] piece = new byte[PIECE];
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (long at = 0; at < sizeInBytes; at += PIECE) {
        ThreadLocalRandom.current().nextBytes(piece);
        channel.write(ByteBuffer.wrap(piece), at);
      }
      channel.force(true);
    }
  }

  /// Writes a file once as it is.
  public static void writeOver(Path file) throws IOException {
    ByteBuffer piece = ByteBuffer.allocateDirect(PIECE);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      for (long at = 0; at < channel.size(); at += PIECE) {
        channel.read(piece.clear(), at);
        channel.write(piece.flip(), at);
      }
      channel.force(true);
    }
  }
}
