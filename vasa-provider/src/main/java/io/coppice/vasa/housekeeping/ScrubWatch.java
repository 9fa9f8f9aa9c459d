package io.coppice.vasa.housekeeping;

import io.coppice.engine.ScrubStatus;
import io.coppice.engine.StorageEngine;
import io.coppice.vasa.audit.OwnWork;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Service;

/// The watch over the passes of the scrubber, for the audit trail: a pass mends what it finds, and
/// mostly begins by itself. One thread.
@Service
public final class ScrubWatch {

  static final String BEGUN = "scrub.begin";
  static final String ENDED = "scrub.end";

  /// Each look copies the known damage.
  private static final Duration PAUSE = Duration.ofMinutes(1);

  private final StorageEngine engine;
  private final OwnWork own;
  private final InstantSource clock;
  private Instant begun;
  private Instant ended;
  private @Nullable Instant looked;

  @Autowired
  public ScrubWatch(StorageEngine engine, OwnWork own, InstantSource clock) {
    this(
        engine,
        own,
        clock,
        Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime()));
  }

  /// @param since passes that began or ended earlier were told by another process
  public ScrubWatch(StorageEngine engine, OwnWork own, InstantSource clock, Instant since) {
    this.engine = engine;
    this.own = own;
    this.clock = clock;
    begun = since;
    ended = since;
  }

  /// Tells of a pass that has begun or ended since the last look, once a minute.
  void lookWhenDue() {
    Instant now = clock.instant();
    if (looked != null && !looked.isAfter(now) && looked.plus(PAUSE).isAfter(now)) {
      return;
    }
    looked = now;
    ScrubStatus status = engine.scrub().status();
    Instant end = status.lastEnded();
    if (end != null && end.isAfter(ended)) {
      ended = end;
      own.done(
          ENDED,
          "%s, %d bytes verified, %d damaged blocks and %d findings known"
              .formatted(
                  end, status.bytesVerified(), status.badBlocks(), status.findings().size()));
    }
    Instant begin = status.lastStarted();
    if (begin != null && begin.isAfter(begun)) {
      begun = begin;
      own.done(BEGUN, begin.toString());
    }
  }
}
