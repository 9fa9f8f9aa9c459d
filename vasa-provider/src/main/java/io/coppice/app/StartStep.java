package io.coppice.app;

import java.util.function.Supplier;

/// Something that a feature does once, after the database is migrated and before the first call is
/// answered. Steps run in the order of their beans (`@Order`); one that fails is tried again with
/// all before it, so it must be repeatable.
///
/// @param name said when it is done
/// @param progress how far it has come, asked from another thread; empty if nobody knows
public record StartStep(String name, Runnable work, Supplier<String> progress) {

  public StartStep(String name, Runnable work) {
    this(name, work, () -> "");
  }
}
