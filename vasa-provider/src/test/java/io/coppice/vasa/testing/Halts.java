package io.coppice.vasa.testing;

import io.coppice.vasa.step.Step;
import io.coppice.vasa.step.StepObserver;
import java.util.ArrayList;
import java.util.List;

/// Ends the process, as the code sees it, at the n-th step that it reaches from now on.
public final class Halts implements StepObserver {

  private final List<String> reached = new ArrayList<>();
  private int left;

  /// @param step 1 for the next one; 0 for never
  public void at(int step) {
    left = step;
  }

  /// Names of the steps reached since the last call.
  public List<String> taken() {
    List<String> taken = List.copyOf(reached);
    reached.clear();
    return taken;
  }

  @Override
  public void reached(String change, Step step) {
    reached.add(change + " " + step);
    if (left > 0 && --left == 0) {
      throw new HookedEngine.ProcessEnded();
    }
  }
}
