package io.coppice.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class LeftoversTest {

  @Test
  void leftoversAreUndoneFromTheLastToTheFirstWhateverFails() {
    StringBuilder undone = new StringBuilder();
    Leftovers leftovers = new Leftovers();
    leftovers.add("undo a", () -> undone.append('a'));
    int mark = leftovers.mark();
    leftovers.add("undo b", () -> undone.append('b'));
    leftovers.add(
        "undo c",
        () -> {
          undone.append('c');
          throw new IOException("on purpose");
        });

    leftovers.undoTo(mark);
    assertThat(undone).hasToString("cb");
    leftovers.close();
    assertThat(undone).hasToString("cba");
  }
}
