package io.coppice.vasa.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// A clock that stands still until it is told otherwise.
public final class TestClock implements InstantSource {

  private volatile Instant now = Instant.parse("2026-11-21T12:00:00Z");
  private volatile long nanos;

  @Override
  public Instant instant() {
    return now;
  }

  /// Lets time pass.
  public void advance(Duration by) {
    now = now.plus(by);
    nanos += by.toNanos();
  }

  /// Sets the clock without time passing.
  public void jump(Duration by) {
    now = now.plus(by);
  }

  /// Nanoseconds that have passed.
  public long nanos() {
    return nanos;
  }
}
