package io.coppice.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Option;

class ToolTest {

  private static final class Settings extends ProviderOptions {

    @Least(4)
    @Option(names = "--size", defaultValue = "16")
    private int size;

    @Option(names = "--only", defaultValue = "")
    private String only = "";

    @Option(names = "--quick")
    private boolean quick;
  }

  @Test
  void optionsThatAreNotGivenHaveTheirDefaults() {
    Settings settings = new Settings();

    Tool.read(settings, "--provider-jar", "a.jar");

    assertThat(settings.providerJar()).isEqualTo(Path.of("a.jar"));
    assertThat(settings.size).isEqualTo(16);
    assertThat(settings.only).isEmpty();
    assertThat(settings.quick).isFalse();
  }

  @Test
  void theLastValueOfAnOptionIsTaken() {
    Settings settings = new Settings();

    Tool.read(
        settings,
        "--provider-jar",
        "a.jar",
        "--size",
        "4",
        "--quick",
        "--only",
        "@io",
        "--size",
        "5");

    assertThat(settings.size).isEqualTo(5);
    assertThat(settings.only).isEqualTo("@io");
    assertThat(settings.quick).isTrue();
  }

  @Test
  void badCommandLinesAreRefused() {
    refuses("--provider-jar");
    refuses("--size", "--size");
    refuses("--size", "--provider-jar", "a.jar", "--size", "many");
    refuses("4 or more after --size, got 3", "--provider-jar", "a.jar", "--size", "3");
    refuses("--depth", "--provider-jar", "a.jar", "--depth", "3");
    refuses("more", "--provider-jar", "a.jar", "more");
  }

  private static void refuses(String part, String... arguments) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tool.read(new Settings(), arguments))
        .withMessageContaining(part);
  }
}
