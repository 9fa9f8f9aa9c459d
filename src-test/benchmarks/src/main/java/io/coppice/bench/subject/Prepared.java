package io.coppice.bench.subject;

import java.time.Duration;

/// A subject with something to be done before each run.
public record Prepared(Subject subject, Runnable before) implements Subject {

  @Override
  public String name() {
    return subject.name();
  }

  @Override
  public void prepare() {
    before.run();
  }

  @Override
  public boolean knows(Load load) {
    return subject.knows(load);
  }

  @Override
  public Reading run(Load load, Duration time) {
    return subject.run(load, time);
  }
}
