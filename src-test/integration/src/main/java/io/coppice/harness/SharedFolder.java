package io.coppice.harness;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/// A folder that test processes share: the first that asks fills it, and the others wait until it
/// is whole.
public final class SharedFolder {

  private SharedFolder() {}

  /// Fills a folder, unless it was filled for the same `key` before. What it held for another key
  /// is deleted first. The key is written last, so a folder whose filling ended early is filled
  /// anew.
  ///
  /// @param key names what the content is made from
  public static synchronized void fill(Path folder, String key, Filling filling)
      throws IOException {
    Files.createDirectories(Objects.requireNonNull(folder.getParent()));
    Path lock = folder.resolveSibling(folder.getFileName() + ".lock");
    try (FileChannel file =
            FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock _ = file.lock()) {
      Path filledFor = folder.resolve("key");
      if (Files.exists(filledFor) && Files.readString(filledFor).equals(key)) {
        return;
      }
      if (Files.exists(folder)) {
        Folders.delete(folder);
      }
      Files.createDirectory(folder);
      filling.fill();
      Files.writeString(filledFor, key);
    }
  }

  /// The making of the content of an empty folder.
  @FunctionalInterface
  public interface Filling {
    void fill() throws IOException;
  }
}
