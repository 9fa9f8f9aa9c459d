package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.harness.ProviderJar;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The demo as a user starts it, with a smaller disk.
class DemoIT {

  @TempDir private Path folder;

  @Test
  void endsWithPass() throws Exception {
    Path output = folder.resolve("demo.txt");
    Path json = folder.resolve("demo.json");
    Process demo =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "io.coppice.demo.Demo",
                "--provider-jar",
                ProviderJar.served().toString(),
                "--disk-mib",
                "192",
                "--json",
                json.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();

    boolean ended = demo.waitFor(10, TimeUnit.MINUTES);
    if (!ended) {
      demo.destroyForcibly();
    }
    String printed = Files.readString(output);
    Files.writeString(Path.of("target", "demo.txt"), printed);

    assertThat(ended).as("the demo ended within 10 minutes; it printed %s", printed).isTrue();
    assertThat(printed.lines().toList().getLast()).as(printed).isEqualTo("PASS");
    assertThat(demo.exitValue()).isZero();
    assertThat(Files.readString(json)).contains("\"verdict\": \"PASS\"").contains("kill -9");
  }
}
