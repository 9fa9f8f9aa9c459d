package io.coppice.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MarkdownTest {

  @Test
  void aTableHasAHeadARuleAndRows() {
    assertThat(Markdown.header("Work", "Rate") + Markdown.row("a", 3) + Markdown.row(List.of("b")))
        .isEqualTo("| Work | Rate |\n|---|---|\n| a | 3 |\n| b |\n");
  }
}
