package io.coppice.bench;

import io.coppice.harness.Folders;
import io.coppice.kit.ProviderOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/// Options of a benchmark that works in a folder of its own.
public class BenchOptions extends ProviderOptions {

  @Option(names = "--folder", defaultValue = "${sys:java.io.tmpdir}")
  private Path parent = Path.of("");

  /// Measurements that are taken in a folder.
  public interface Work<R> {

    R in(Path folder) throws IOException;
  }

  /// Makes a folder on the disk that is measured.
  public Path makeFolder() throws IOException {
    return Files.createTempDirectory(parent, "coppice-bench");
  }

  /// Makes such a folder for `work` and deletes it at the end, also when the process is told to
  /// end.
  public <R> R inFolder(Work<R> work) throws IOException {
    try (Leftovers leftovers = new Leftovers()) {
      Path folder = makeFolder();
      leftovers.add("delete " + folder, () -> Folders.delete(folder));
      return work.in(folder);
    }
  }
}
