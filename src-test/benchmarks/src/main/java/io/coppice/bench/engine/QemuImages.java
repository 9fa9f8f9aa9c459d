package io.coppice.bench.engine;

import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.subject.Prepared;
import io.coppice.bench.subject.QemuSubject;
import io.coppice.bench.subject.Subject;
import io.coppice.harness.Commands;
import io.coppice.harness.Mismatch;
import java.nio.file.Files;
import java.nio.file.Path;

/// qcow2 images with and without backing files.
record QemuImages(Stage stage) {

  private static final int LIMIT_SECONDS = 300;

  /// Blocks written to each image of a chain, one to each 8 MiB or so, so that each has tables of
  /// its own that a read must look into.
  private static final String WRITTEN = "-c256";

  /// An image with the content of a raw file.
  ///
  /// @throws Mismatch with the reason if this machine cannot
  QemuSubject full(Path raw, long bytes) {
    if (!Commands.exists("qemu-img")) {
      throw new Mismatch("qemu-img is missing");
    }
    Path image = image("full");
    run("convert", "-f", "raw", "-O", "qcow2", raw.toString(), image.toString());
    return new QemuSubject("qcow2", image, bytes);
  }

  /// The last of a chain of so many images, each upon the one before, over a copy of `raw`.
  QemuSubject chain(Path raw, long bytes, int depth) {
    Path below = image("base");
    run("convert", "-f", "raw", "-O", "qcow2", raw.toString(), below.toString());
    for (int i = 1; i <= depth; i++) {
      Path above = image("chain" + i);
      create(below, above);
      run(
          "bench",
          "-q",
          "-f",
          "qcow2",
          "-t",
          "unsafe",
          "-w",
          WRITTEN,
          "-s4096",
          "-S" + (bytes / 256 + 4096),
          "-o" + i * 65536L,
          above.toString());
      below = above;
    }
    return new QemuSubject("qcow2, chain of " + depth, below, bytes);
  }

  /// An empty image upon `base`, made anew before each run.
  Subject overlay(Path base, long bytes) {
    Path above = image("overlay");
    return new Prepared(
        new QemuSubject("qcow2 with one backing file", above, bytes), () -> create(base, above));
  }

  Path image(String name) {
    Path image = stage.folder().resolve(name + ".qcow2");
    stage.leftovers().add("remove " + image, () -> Files.deleteIfExists(image));
    return image;
  }

  private static void create(Path below, Path above) {
    run("create", "-q", "-f", "qcow2", "-F", "qcow2", "-b", below.toString(), above.toString());
  }

  private static void run(String... arguments) {
    String[] command = new String[arguments.length + 1];
    command[0] = "qemu-img";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    Commands.require(LIMIT_SECONDS, command);
  }
}
