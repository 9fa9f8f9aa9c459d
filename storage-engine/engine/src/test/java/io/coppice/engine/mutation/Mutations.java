package io.coppice.engine.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Applies each patch of `src/test/mutations` to a throw-away copy of the engine, compiles it and
/// runs the tests that the patch names. A mutation that they do not notice shows a test that is
/// missing.
///
/// Not part of the build: `./coppice test mutations [NAME ...]`. `-Dmutations=01,17` chooses by the
/// beginnings of names. Needs `git`.
class Mutations {

  private static final Path PATCHES = Path.of("src/test/mutations");
  private static final Path SOURCES = Path.of("src/main/java");
  private static final String STRIP_MODULE_PATH = "-p3";
  private static final int BOUND_SECONDS = 300;
  private static final int CRASH_POINTS = 1000;

  @TempDir Path scratch;

  private enum Verdict {
    CAUGHT,
    MISSED,
    DOES_NOT_APPLY,
    DOES_NOT_COMPILE
  }

  private record Result(Verdict verdict, String how) {}

  @Test
  void everyMutationIsCaught() throws Exception {
    List<String> open = new ArrayList<>();
    int caught = 0;
    for (Mutation mutation : chosen()) {
      long start = System.nanoTime();
      Result result = run(mutation);
      System.out.printf(
          "%-16s %5.1f s  %s: %s%n",
          result.verdict, (System.nanoTime() - start) / 1e9, mutation.name(), result.how);
      if (result.verdict == Verdict.CAUGHT) {
        caught++;
      } else {
        open.add("%s %s".formatted(mutation.name(), result.verdict));
      }
    }
    System.out.printf("mutations: %d caught, %d not%n", caught, open.size());
    assertThat(open).as("mutations that no test notices").isEmpty();
    assertThat(caught).as("mutations chosen").isPositive();
  }

  private static List<Mutation> chosen() throws IOException {
    List<String> prefixes = List.of(System.getProperty("mutations", "").split("[, ]+"));
    List<Mutation> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(PATCHES)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".patch")).sorted().toList()) {
        Mutation mutation = Mutation.read(file);
        if (prefixes.stream().anyMatch(mutation.name()::startsWith)) {
          all.add(mutation);
        }
      }
    }
    return all;
  }

  private Result run(Mutation mutation) throws IOException, InterruptedException {
    Path copy = Files.createDirectory(scratch.resolve(mutation.name()));
    copySources(copy.resolve(SOURCES));
    Path out = Files.createDirectory(copy.resolve("classes"));
    Path log = copy.resolve("log");
    if (start(copy, log, apply(mutation)).waitFor() != 0) {
      return new Result(Verdict.DOES_NOT_APPLY, lastLine(log));
    }
    if (!compile(copy.resolve(SOURCES), out, log)) {
      return new Result(Verdict.DOES_NOT_COMPILE, firstLine(log));
    }
    Process tests = start(Path.of(""), log, command(mutation, out));
    try {
      if (!tests.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
        return new Result(Verdict.CAUGHT, "the tests did not end in " + BOUND_SECONDS + " s");
      }
    } finally {
      tests.destroyForcibly().waitFor();
    }
    return switch (tests.exitValue()) {
      case ChosenTests.PASSED -> new Result(Verdict.MISSED, mutation.meaning());
      case ChosenTests.FAILED -> new Result(Verdict.CAUGHT, lastLine(log));
      default -> throw new IOException("the tests did not run: " + lastLine(log));
    };
  }

  private static List<String> apply(Mutation mutation) {
    return List.of("git", "apply", STRIP_MODULE_PATH, mutation.patch().toAbsolutePath().toString());
  }

  // Compiled as it is: what a mutation leaves unused is no matter here.
  private static boolean compile(Path sources, Path out, Path log) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (Stream<Path> files = Files.walk(sources);
        var output = Files.newBufferedWriter(log)) {
      List<Path> java = files.filter(each -> each.toString().endsWith(".java")).toList();
      List<String> options =
          List.of("-proc:none", "-nowarn", "-cp", classPath(), "-d", out.toString());
      try (var manager = compiler.getStandardFileManager(null, null, null)) {
        return compiler
            .getTask(
                output, manager, null, options, null, manager.getJavaFileObjectsFromPaths(java))
            .call();
      }
    }
  }

  private static List<String> command(Mutation mutation, Path out) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1g");
    command.add("-Dcrash.points=" + CRASH_POINTS);
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-cp");
    command.add(out + File.pathSeparator + classPath());
    command.add(ChosenTests.class.getName());
    mutation.tests().forEach(test -> command.add("io.coppice.engine." + test));
    return command;
  }

  // Surefire starts its process with a class path of its own and tells the tests' one apart.
  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  // Outside every repository: in one, `git apply` takes paths from its top.
  private static Process start(Path folder, Path log, List<String> command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toAbsolutePath().toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("GIT_CEILING_DIRECTORIES", folder.toAbsolutePath().toString());
    return builder.start();
  }

  private static void copySources(Path target) throws IOException {
    Files.walkFileTree(
        SOURCES,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(target.resolve(SOURCES.relativize(folder)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(file, target.resolve(SOURCES.relativize(file)));
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static String firstLine(Path log) throws IOException {
    return Files.readString(log).lines().findFirst().orElse("");
  }

  private static String lastLine(Path log) throws IOException {
    String last = Files.readString(log).lines().reduce("", (before, line) -> line);
    return last.length() > 160 ? last.substring(0, 160) + " ..." : last;
  }
}
