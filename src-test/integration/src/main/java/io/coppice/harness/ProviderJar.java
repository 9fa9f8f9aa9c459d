package io.coppice.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/// The provider's jar, and the commands that run it as the launcher does: unpacked, beside a cache
/// of its classes that one start on a throw-away pool has made (decision 34). The start costs half
/// a minute once for each build, and every later one takes half as long.
public final class ProviderJar {

  private static final int PATIENCE_IN_SECONDS = 600;

  private ProviderJar() {}

  /// The unpacked jar of this build, which is made at the first call.
  ///
  /// @throws IllegalStateException if it cannot be unpacked or started
  public static Path served() {
    return Served.JAR;
  }

  /// A command of the provider's tools, such as `doctor`.
  public static List<String> tool(String verb) {
    List<String> command = java(served());
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(List.of("-jar", served().toString(), verb));
    return command;
  }

  /// Java with the options of the launcher, and with the cache if there is one beside the jar.
  static List<String> java(Path jar) {
    List<String> command = java();
    Path cache = jar.resolveSibling("coppice.aot");
    if (Files.exists(cache)) {
      command.add("-XX:AOTCache=" + cache);
    }
    return command;
  }

  private static List<String> java() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:+UseCompactObjectHeaders"));
    command.addAll(List.of("-Xlog:aot=off", "-Xlog:cds=off"));
    return command;
  }

  private static final class Served {

    static final Path JAR = made(Path.of(System.getProperty("coppice.jar")));

    private static Path made(Path packed) {
      Path folder = Path.of("target", "served").toAbsolutePath();
      Path jar = folder.resolve(packed.getFileName());
      try {
        SharedFolder.fill(folder, keyOf(packed), () -> make(packed, folder, jar));
        return jar;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static String keyOf(Path packed) throws IOException {
      BasicFileAttributes file = Files.readAttributes(packed, BasicFileAttributes.class);
      return "%s %s %d %s"
          .formatted(
              packed, file.lastModifiedTime(), file.size(), System.getProperty("java.vm.version"));
    }

    private static void make(Path packed, Path folder, Path jar) {
      List<String> unpack = java();
      unpack.addAll(List.of("-Djarmode=tools", "-jar", packed.toString(), "extract"));
      unpack.addAll(List.of("--destination", folder.toString()));
      run(unpack);
      List<String> train = java();
      train.add("-XX:AOTCacheOutput=" + folder.resolve("coppice.aot"));
      train.addAll(List.of("-jar", jar.toString(), "train", folder.resolve("train").toString()));
      run(train);
      Commands.run(10, List.of("rm", "-rf", folder.resolve("train").toString()));
    }

    private static void run(List<String> command) {
      Commands.Outcome outcome = Commands.run(PATIENCE_IN_SECONDS, command);
      if (outcome.exitCode() != 0) {
        throw new IllegalStateException(
            "expected %s to end with 0, got %d: %s"
                .formatted(command, outcome.exitCode(), outcome.output()));
      }
    }
  }
}
