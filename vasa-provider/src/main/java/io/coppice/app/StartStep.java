package io.coppice.app;

import java.util.function.Supplier;

/// A step that a feature takes once, after the database is migrated and before the first call is
/// answered. Steps run in the order of their beans (`@Order`). A step that fails is tried again
/// with all steps before it, so it must be repeatable.
///
/// @param name reported when the step is done
/// @param progress its progress, asked from another thread; empty if unknown
record StartStep(String name, Runnable work, Supplier<String> progress) {

  public StartStep(String name, Runnable work) {
    this(name, work, () -> "");
  }
}
