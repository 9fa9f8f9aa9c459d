package io.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ConformancePageTest {

  @Test
  void tablesFollowTheListsAndProseStays() {
    String page = ConformancePage.read().generated().text();
    String changed =
        page.replaceFirst("\\| `bindVirtualVolume` .*\n", "")
            .replaceFirst("42h UNMAP", "43h")
            .replaceFirst("\\| `queryArrays`.*\n", "| `nothing` | a | b | c |\n")
            .replaceFirst("\\| 74 \\|", "| 75 |")
            .replaceFirst("\n## Pages\n", "\n## Pages\n\nA sentence.\n");

    assertThat(changed).isNotEqualTo(page);
    assertThat(new ConformancePage(changed).generated().text())
        .isEqualTo(page.replaceFirst("\n## Pages\n", "\n## Pages\n\nA sentence.\n"));
  }

  @Test
  void pageWithoutTheTableOfAListIsNotWritten() {
    ConformancePage page =
        new ConformancePage(
            ConformancePage.read().text().replace("\n| Kind | iSCSI keys | Tests |\n", "\n"));

    assertThatThrownBy(page::generated)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("iSCSI keys");
  }

  @Test
  void factsBelongToTheEntryAboveThem() {
    List<ConformanceEntry> entries =
        ConformanceEntry.parse(
            """
            # Head

            == reads
            28h READ (10)
              test ReadTest#reads
              test ReadTest#readsAgain
              note blocks
            == refused: nothing wears
            07h REASSIGN BLOCKS
            """);

    assertThat(entries).hasSize(2);
    ConformanceEntry read = entries.getFirst();
    assertThat(read.group()).isEqualTo("reads");
    assertThat(read.code()).isEqualTo("28h");
    assertThat(read.fact("note")).isEqualTo("blocks");
    assertThat(read.faults()).isEmpty();
    assertThat(read.proofs())
        .containsExactly(
            new ConformanceEntry.Proof("ReadTest", "reads"),
            new ConformanceEntry.Proof("ReadTest", "readsAgain"));
    assertThat(read.isRefused()).isFalse();
    assertThat(entries.getLast().isRefused()).isTrue();
  }

  @Test
  void factOfAnUnknownKindIsNoMistypedNote() {
    assertThatThrownBy(() -> ConformanceEntry.parse("28h READ\n  tests ReadTest#reads\n"))
        .hasMessageContaining("tests ReadTest#reads");
    assertThatThrownBy(
            () -> ConformanceEntry.parse("28h READ\n  test ReadTest\n").getFirst().proofs())
        .hasMessageContaining("Class#method");
  }
}
