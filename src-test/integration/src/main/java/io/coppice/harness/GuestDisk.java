package io.coppice.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Random;

/// The disk of a guest as a local image: what the virtual volume must hold.
///
/// An ext4 file system made from real files of this machine; where `mke2fs` is missing, a
/// deterministic tree of pseudo-files laid out one after the other.
public final class GuestDisk {

  private final Path image;
  private final Path files;
  private final long sizeInBytes;
  private final boolean ext4;

  private GuestDisk(Path image, Path files, long sizeInBytes, boolean ext4) {
    this.image = image;
    this.files = files;
    this.sizeInBytes = sizeInBytes;
    this.ext4 = ext4;
  }

  /// Makes the image in `folder`.
  ///
  /// @param sizeInBytes at least 64 MiB
  /// @param contentInBytes about how many bytes of files go in
  public static GuestDisk make(Path folder, long sizeInBytes, long contentInBytes) {
    Path image = folder.resolve("guest.img");
    Path files = folder.resolve("guest-files");
    boolean ext4 = Commands.exists("mke2fs") && Commands.exists("debugfs");
    try {
      Files.createDirectories(files);
      try (FileChannel channel =
          FileChannel.open(image, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.allocate(1), sizeInBytes - 1);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    GuestDisk disk = new GuestDisk(image, files, sizeInBytes, ext4);
    if (ext4) {
      disk.copyRealFiles(contentInBytes);
      Commands.require(
          120,
          "mke2fs",
          "-q",
          "-F",
          "-t",
          "ext4",
          "-E",
          "hash_seed=00000000-0000-4000-8000-000000000001",
          "-U",
          "00000000-0000-4000-8000-000000000002",
          "-d",
          files.toString(),
          image.toString());
    } else {
      disk.writePattern(0, contentInBytes, 1);
    }
    return disk;
  }

  public Path image() {
    return image;
  }

  public long sizeInBytes() {
    return sizeInBytes;
  }

  /// Whether it is a file system that `e2fsck` understands.
  public boolean isExt4() {
    return ext4;
  }

  /// Changes some files: what a guest does between two snapshots.
  ///
  /// @param generation another number, other changes
  public void change(int generation) {
    if (!ext4) {
      writePattern(generation * (8L << 20), 16L << 20, generation);
      return;
    }
    try {
      Path fresh = files.resolveSibling("changed-" + generation);
      byte[] bytes = new byte[12 << 20];
      new Random(generation).nextBytes(bytes);
      Files.write(fresh, bytes);
      Path script = files.resolveSibling("debugfs-" + generation);
      Files.writeString(
          script,
          "write %s changed-%d%nrm changed-%d%nmkdir folder-%d%n"
              .formatted(fresh, generation, generation - 1, generation));
      Commands.require(60, "debugfs", "-w", "-f", script.toString(), image.toString());
      Files.delete(fresh);
      Files.delete(script);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void copyRealFiles(long contentInBytes) {
    Path source = Path.of(System.getProperty("java.home"));
    long[] left = {contentInBytes};
    try {
      Files.walkFileTree(
          source,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
                throws IOException {
              Files.createDirectories(files.resolve(source.relativize(folder)));
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              if (attributes.isRegularFile() && attributes.size() <= left[0]) {
                Files.copy(file, files.resolve(source.relativize(file)));
                left[0] -= attributes.size();
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void writePattern(long offset, long length, int seed) {
    Random random = new Random(seed);
    byte[] chunk = new byte[1 << 20];
    try (FileChannel channel = FileChannel.open(image, StandardOpenOption.WRITE)) {
      for (long at = offset; at < Math.min(offset + length, sizeInBytes); at += chunk.length) {
        random.nextBytes(chunk);
        ByteBuffer buffer =
            ByteBuffer.wrap(chunk, 0, (int) Math.min(chunk.length, sizeInBytes - at));
        while (buffer.hasRemaining()) {
          channel.write(buffer, at + buffer.position());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
