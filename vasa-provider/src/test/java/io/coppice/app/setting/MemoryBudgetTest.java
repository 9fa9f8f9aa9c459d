package io.coppice.app.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {

  private static final long MIB = 1 << 20;
  private static final Path ROOT = Path.of("..");

  @Test
  void buffersMustFitInWhatTheProcessMayTakeForThem() {
    MemoryBudget budget = new MemoryBudget(512 * MIB, 256 * MIB, 256 * MIB, 4096 * MIB);

    assertThatThrownBy(budget::require)
        .isInstanceOf(StartupException.class)
        .hasMessageContaining(MemoryBudget.buffers() / MIB + " MiB outside of the Java heap")
        .hasMessageContaining("allows 256 MiB");
  }

  @Test
  void allOfItMustFitInTheMachine() {
    MemoryBudget budget = new MemoryBudget(512 * MIB, 1024 * MIB, 8192 * MIB, 4096 * MIB);

    assertThatThrownBy(budget::require)
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("allow 9728 MiB")
        .hasMessageContaining("there are 4096 MiB");
  }

  @Test
  void defaultsFitInAMachineOfTwoGiB() {
    MemoryBudget budget = new MemoryBudget(512 * MIB, 1024 * MIB, 256 * MIB, 2048 * MIB);

    assertThatCode(budget::require).doesNotThrowAnyException();
  }

  /// Where the product starts, it says how much it may take.
  @Test
  void launcherAndImageSetWhatTheBudgetNeeds() throws IOException {
    for (String file : new String[] {"coppice", "docker/package/coppice"}) {
      Matcher option =
          Pattern.compile("-XX:MaxDirectMemorySize=(\\d+)m")
              .matcher(Files.readString(ROOT.resolve(file)));
      assertThat(option.find()).as(file).isTrue();
      assertThat(Long.parseLong(option.group(1)) * MIB)
          .as(file)
          .isGreaterThanOrEqualTo(MemoryBudget.buffers());
    }
  }

  /// The table adds up, and is what a start checks.
  @Test
  void documentAddsUpTheSame() throws IOException {
    String text = Files.readString(ROOT.resolve("docs/operations.md"));

    assertThat(row(text, "data of commands")).isEqualTo(MemoryBudget.COMMANDS / MIB);
    assertThat(row(text, "parts of blocks")).isEqualTo(MemoryBudget.RAGGED / MIB);
    assertThat(row(text, "threads of the engine")).isEqualTo(MemoryBudget.ENGINE / MIB);
    assertThat(row(text, "network")).isEqualTo(MemoryBudget.NETWORK / MIB);
    assertThat(row(text, "sum of the buffers")).isEqualTo(MemoryBudget.buffers() / MIB);
  }

  private static long row(String text, String name) {
    Matcher row =
        Pattern.compile("^\\| [^|]*" + name + "[^|]* \\| ([\\d,]+) MiB \\|", Pattern.MULTILINE)
            .matcher(text);
    assertThat(row.find()).as("row " + name).isTrue();
    return Long.parseLong(row.group(1).replace(",", ""));
  }
}
