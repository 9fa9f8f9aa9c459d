package io.coppice.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Tables and sheets, for eyes, whatever a server sends.
class TextTableTest {

  private record Row(String name, Long size, Boolean on, Instant at, List<String> words) {}

  private static final List<Column<Row>> COLUMNS =
      List.of(
          Column.of("NAME", Row::name),
          Column.size("SIZE", Row::size),
          Column.of("ON", Row::on),
          Column.<Row>of("AT", Row::at).onlyWide(),
          Column.<Row>of("WORDS", Row::words).onlyWide());

  private static final Row ROW =
      new Row("db-1", 1L << 30, true, Instant.parse("2026-01-02T03:04:05.678Z"), List.of("a", "b"));
  private static final Row EMPTY = new Row(null, null, null, null, List.of());

  @Test
  void columnsAreAsWideAsTheirWidestCellAndSizesStandOnTheRight() {
    assertThat(TextTable.of(COLUMNS, List.of(ROW, EMPTY), false))
        .isEqualTo(
            """
            NAME     SIZE  ON
            db-1  1.0 GiB  yes
            -           -  -
            """);
  }

  @Test
  void wideShowsTheOthersToo() {
    assertThat(TextTable.of(COLUMNS, List.of(ROW), true))
        .isEqualTo(
            """
            NAME     SIZE  ON   AT                    WORDS
            db-1  1.0 GiB  yes  2026-01-02T03:04:05Z  a, b
            """);
  }

  @Test
  void wideCharactersTakeTwoColumns() {
    Row chinese = new Row("数据", 1L, false, null, List.of());

    assertThat(TextTable.of(COLUMNS, List.of(chinese, ROW), false).lines())
        .containsExactly("NAME     SIZE  ON", "数据      1 B  no", "db-1  1.0 GiB  yes");
  }

  @Test
  void controlsOfATerminalAreShownInsteadOfCarriedOut() {
    String evil = "a\u001b[2J\rb\nc\u009bd\u202ee\u2028f\ud800g";

    String table = TextTable.of(COLUMNS, List.of(new Row(evil, 1L, true, null, List.of())), false);

    assertThat(table).contains("a\\x1b[2J\\x0db\\x0ac\\x9bd\\u202ee\\u2028f\\ud800g");
    assertThat(table.lines()).hasSize(2);
  }

  @Test
  void jsonAndYamlReadBackTheSameAndAreSafe() {
    String evil = "a\u001b[2J\u009b\u202e\n- 数据 \ud83d\ude00";
    JsonNode answer = Notation.tree(java.util.Map.of("name", evil, "size", 5));

    String json = Notation.json(answer);
    String yaml = Notation.yaml(answer);

    assertThat(json + yaml + Notation.line(answer)).doesNotContain("\u001b", "\u009b", "\u202e");
    assertThat(json).contains("数据 \ud83d\ude00");
    assertThat(Notation.read(json)).isEqualTo(answer);
    assertThat(Notation.read(Notation.line(answer))).isEqualTo(answer);
    assertThat(Notation.parse("a file", yaml)).isEqualTo(answer);
  }

  @Test
  void aSheetHasALineForEachFieldWithUnits() {
    JsonNode answer =
        Notation.read(
            """
            {"name": "x", "size": 1073741824, "hostBytesRead": 2048, "bytesVerified": 7, "policy": {"id": "p", "generation": 2},
             "violations": [{"capability": "c\\u001b"}], "none": null, "metadata": {}, "ids": ["a", "b"]}""");

    assertThat(FieldSheet.of(answer))
        .isEqualTo(
            """
            name                      x
            size                      1.0 GiB (1073741824)
            hostBytesRead             2.0 KiB (2048)
            bytesVerified             7 B
            policy.id                 p
            policy.generation         2
            violations[0].capability  c\\x1b
            none                      -
            metadata                  -
            ids                       a, b
            """);
  }
}
