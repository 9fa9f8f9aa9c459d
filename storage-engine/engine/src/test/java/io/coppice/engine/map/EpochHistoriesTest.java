package io.coppice.engine.map;

import io.coppice.engine.testing.Histories;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/// What the committer takes out of reach is not used again before every reader has left that may
/// hold it.
public class EpochHistoriesTest {

  private static final int USED_AGAIN = -1;

  private final EpochGate gate = new EpochGate();
  private volatile Thing current = new Thing(0);

  private static final class Thing {
    private volatile int content;

    Thing(int content) {
      this.content = content;
    }
  }

  @Operation(nonParallelGroup = "committer")
  public void replace(@Param(gen = IntGen.class, conf = "1:9") int content) {
    Thing old = current;
    current = new Thing(content);
    gate.retire(() -> old.content = USED_AGAIN);
  }

  @Operation(nonParallelGroup = "committer")
  public void advance() {
    gate.advance();
  }

  @Operation
  public int read() {
    int ticket = gate.enter();
    try {
      Thing held = current;
      return held.content;
    } finally {
      gate.leave(ticket);
    }
  }

  /// Nothing is ever used again.
  public static final class NeverReused {
    private int content;

    public void replace(int replacement) {
      content = replacement;
    }

    public void advance() {}

    public int read() {
      return content;
    }
  }

  @Test
  void nothingIsUsedAgainUnderAReader() {
    Histories.check(EpochHistoriesTest.class, NeverReused.class);
  }
}
