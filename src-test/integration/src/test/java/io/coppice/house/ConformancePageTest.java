package io.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConformancePageTest {

  @Test
  void rowsFollowTheCodeAndKeepWhatPeopleWrote() throws ClassNotFoundException {
    ConformancePage page = ConformancePage.read();
    ConformancePage changed =
        new ConformancePage(
            page.text()
                .replaceFirst("\\| `bindVirtualVolume` \\| implemented .*\n", "")
                .replaceFirst("\\| 42h \\| UNMAP \\| .*\n", "")
                .replaceFirst(
                    "(\\| `queryArrays` \\| )implemented", "| `nothing` | a |\n$1refused"));

    String generated = changed.generated().text();

    assertThat(generated)
        .contains("\n| `bindVirtualVolume` | implemented |  |  |  |  |\n")
        .contains("\n| 42h | UNMAP | supported |  |  |\n")
        .contains("\n| `queryArrays` | implemented | InvalidArgument | W1, OS | `Vasa")
        .doesNotContain("`nothing`")
        .contains(ConformancePage.read().section("Pages"));
  }
}
