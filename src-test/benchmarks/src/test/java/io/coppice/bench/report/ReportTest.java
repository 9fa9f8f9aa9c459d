package io.coppice.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

  @TempDir Path folder;

  @Test
  void rowsStandInATableThatIsPrintedAndKept() throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    Report report = new Report(new PrintStream(printed, true, StandardCharsets.UTF_8), folder);

    report.group("Copies", "As it was done.");
    report.row(Row.of("copy", "21.0 GB/s").against("raw: 3.0").judged(7, Aim.atLeast(6)));
    report.row(Row.of("space", "2 %").judged(2, Aim.atMost(0.5)));
    report.note("Read back.");

    String expected =
        """

        ### Copies

        As it was done.

        %s| copy | 21.0 GB/s | raw: 3.0 | 7.00 | at least 6 | met |  |  |
        | space | 2 %% |  | 2.00 | at most 0.5 | **lost** |  |  |

        Read back.
        """
            .formatted(Row.HEADER);
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEqualTo(expected);
    assertThat(Files.readString(report.markdown())).isEqualTo(expected);
  }

  @Test
  void whatHasAnAimIsInThePlot() throws IOException {
    Report report =
        new Report(
            new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8), folder);

    report.row(Row.of("read & write", "1").judged(0.5, Aim.atLeast(1)));
    report.row(Row.of("no aim", "1").figure(3));
    report.row(Row.notMeasured("nothing", "a tool is missing"));

    assertThat(Files.readString(report.plot()))
        .contains("read &amp; write")
        .contains("0.500 (at least 1)")
        .doesNotContain("no aim", "nothing");
  }
}
