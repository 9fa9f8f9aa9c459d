package io.coppice.bench.engine;

import io.coppice.bench.DiskFiles;
import io.coppice.bench.Leftovers;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.subject.FioSubject;
import io.coppice.bench.subject.Prepared;
import io.coppice.bench.subject.Subject;
import io.coppice.harness.Commands;
import io.coppice.harness.Mismatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A file system of its own on a loop device over a file that was written over first. Needs root.
///
/// @param kind as mount(8) calls it
/// @param mounted where its files are
record LoopDisk(String kind, Path mounted) {

  private static final int LIMIT_SECONDS = 120;

  /// Makes and mounts it. What undoes that is among the leftovers.
  ///
  /// @throws Mismatch with the reason if this machine cannot
  static LoopDisk make(Stage stage, String kind, long bytes) throws IOException {
    for (String tool : List.of("mkfs." + kind, "losetup", "mount", "umount")) {
      if (!Commands.exists(tool)) {
        throw new Mismatch(tool + " is missing");
      }
    }
    if (!"root".equals(System.getProperty("user.name"))) {
      throw new Mismatch("loop devices need root");
    }
    Leftovers leftovers = stage.leftovers();
    Path image = stage.folder().resolve(kind + ".img");
    leftovers.add("remove " + image, () -> Files.deleteIfExists(image));
    DiskFiles.fill(image, bytes);
    String device =
        Commands.require(
                LIMIT_SECONDS, "losetup", "--find", "--show", "--direct-io=on", image.toString())
            .strip();
    leftovers.add("detach " + device, () -> run("losetup", "-d", device));
    // -K: no discard, which would make the file sparse again
    run("mkfs." + kind, "-q", "-K", "-f", device);
    Path mounted = Files.createDirectory(stage.folder().resolve(kind));
    leftovers.add("remove " + mounted, () -> Files.deleteIfExists(mounted));
    run("mount", "-t", kind, "-o", "nodiscard", device, mounted.toString());
    leftovers.add("unmount " + mounted, () -> run("umount", mounted.toString()));
    return new LoopDisk(kind, mounted);
  }

  private static void run(String... command) {
    Commands.require(LIMIT_SECONDS, command);
  }

  /// A file of random data on it.
  FioSubject file(long bytes) {
    FioSubject file = new FioSubject(kind, mounted.resolve("disk.img"), bytes);
    file.fill();
    return file;
  }

  /// A copy of a file by reflink, made anew before each run.
  Subject copyOf(FioSubject file, long bytes) {
    Path copy = mounted.resolve("copy.img");
    FioSubject copied = new FioSubject(kind + " after a reflink copy", copy, bytes);
    return new Prepared(
        copied,
        () -> {
          run("rm", "-f", copy.toString());
          run("sync", "--file-system", mounted.toString());
          run("cp", "--reflink=always", file.file().toString(), copy.toString());
          run("sync", "--file-system", mounted.toString());
        });
  }
}
