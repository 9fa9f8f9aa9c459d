package io.coppice.bench.engine;

import java.time.Duration;

/// Something that a [Load] is run against.
interface Subject {

  String name();

  Reading run(Load load, Duration time);
}
