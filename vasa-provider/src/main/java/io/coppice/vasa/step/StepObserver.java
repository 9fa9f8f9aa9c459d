package io.coppice.vasa.step;

/// Is told of every step that is reached, on the thread that reached it. What it throws cuts the
/// change short there, as the end of the process would.
@FunctionalInterface
public interface StepObserver {

  /// Looks away.
  StepObserver NONE = (_, _) -> {};

  /// @param change what is going on: the name of an operation's kind, or `BIND`, `CONTAINER` …
  void reached(String change, Step step);
}
