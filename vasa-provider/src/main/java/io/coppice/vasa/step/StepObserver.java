package io.coppice.vasa.step;

/// An observer of every step, called on the thread that reached it. An exception of the observer
/// cuts the change short there, as the end of the process would.
@FunctionalInterface
public interface StepObserver {

  /// An observer that does nothing.
  StepObserver NONE = (_, _) -> {};

  /// @param change the change under way: the name of an operation's kind, or `BIND`, `CONTAINER` …
  void reached(String change, Step step);
}
