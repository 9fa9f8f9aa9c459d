package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.harness.ProviderJar;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The demo of two sites as a user starts it, with a smaller disk.
class SitesDemoIT {

  @TempDir private Path folder;

  @Test
  void endsWithPassAndLeavesNothing() throws Exception {
    Path output = folder.resolve("demo.txt");
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    Process demo =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                "io.coppice.demo.sites.SitesDemo",
                "--provider-jar",
                ProviderJar.served().toString(),
                "--disk-mib",
                "32")
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();

    boolean ended = demo.waitFor(5, TimeUnit.MINUTES);
    List<ProcessHandle> children = demo.descendants().toList();
    if (!ended) {
      demo.destroy(); // so that it ends its providers
      demo.waitFor(1, TimeUnit.MINUTES);
    }
    String printed = Files.readString(output);
    Files.writeString(Path.of("target", "demo-sites.txt"), printed);

    assertThat(ended).as("the demo ended within 5 minutes; it printed %s", printed).isTrue();
    assertThat(printed.lines().toList().getLast()).as(printed).startsWith("PASS: ");
    assertThat(demo.exitValue()).isZero();
    assertThat(children).isEmpty();
    assertThat(printed).contains("kill -9", "SHA-256", "changed at b");
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left.map(Path::toString)).noneMatch(name -> name.contains("coppice-sites"));
    }
    try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
      assertThat(
              all.flatMap(process -> process.info().commandLine().stream())
                  .filter(line -> line.contains(temporary.toString())))
          .as("processes that run on")
          .isEmpty();
    }
  }
}
