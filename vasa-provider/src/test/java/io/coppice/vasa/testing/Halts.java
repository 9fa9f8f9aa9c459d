package io.coppice.vasa.testing;

import io.coppice.vasa.step.Step;
import io.coppice.vasa.step.StepObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Ends the process, as the code sees it, at the n-th step that it reaches from now on, on whatever
/// thread.
public final class Halts implements StepObserver {

  private final List<String> reached = new ArrayList<>();
  private final Map<String, Runnable> once = new HashMap<>();
  private int left;
  private boolean ended;

  /// @param step 1 for the next one; 0 for never
  public synchronized void at(int step) {
    left = step;
    ended = false;
  }

  /// Runs `action` when a step is next reached.
  ///
  /// @param step its name, as in [#taken]
  public synchronized void when(String step, Runnable action) {
    once.put(step, action);
  }

  /// Names of the steps reached since the last call.
  public synchronized List<String> taken() {
    List<String> taken = List.copyOf(reached);
    reached.clear();
    return taken;
  }

  /// Ends this thread too if the process ended on another one.
  public synchronized void orEnd() {
    if (ended) {
      throw new HookedEngine.ProcessEnded();
    }
  }

  @Override
  public synchronized void reached(String change, Step step) {
    String name = change + " " + step;
    reached.add(name);
    Objects.requireNonNullElse(once.remove(name), () -> {}).run();
    ended = ended || (left > 0 && --left == 0);
    orEnd();
  }
}
