package io.coppice.bench.subject;

import java.time.Duration;

/// Something that a [Load] is run against.
public interface Subject {

  String name();

  /// What has to be done before each run, and is not measured.
  default void prepare() {}

  /// Whether it knows how to run this.
  default boolean knows(Load load) {
    return true;
  }

  Reading run(Load load, Duration time);
}
