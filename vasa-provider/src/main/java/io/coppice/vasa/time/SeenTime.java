package io.coppice.vasa.time;

import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The time that this provider has seen pass: while it runs, and during an outage up to the limit
/// of the settings. It decides what is due and what is given up for its age. The machine's clock
/// does not, so a clock that jumps deletes nothing and holds nothing up.
///
/// This time is the machine's clock with an offset, which is 0 as long as that clock goes evenly. A
/// step of the clock changes the offset by as much, so this time goes on. Steps up to the limit of
/// the settings are followed. This time never goes back by more than these.
///
/// | The machine's clock | This time |
/// |---|---|
/// | goes evenly, is corrected by little | the same |
/// | jumps while the provider runs | goes on evenly |
/// | is further on after an outage | goes on by the outage, at most by `countedOutage` |
/// | is further back after an outage | goes on from where it was |
/// | comes back near this time | the same again |
///
/// The last time seen is a record of the pool, which [#keep] writes once a minute. A crash loses a
/// minute of it, which counts as part of the outage. Safe for any thread.
public final class SeenTime {

  /// Key of the pool's record: a version, this time, the machine's clock and this time at the last
  /// jump or `-`, with spaces between.
  public static final String RECORD = "control/time";

  private static final Logger log = LoggerFactory.getLogger(SeenTime.class);

  private static final String FORM = "1";
  private static final Duration KEEPING = Duration.ofMinutes(1);

  /// The period in which a clock that creeps by less than the largest step is followed.
  private static final Duration PERIOD = Duration.ofHours(1);

  private final PoolRecords records;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final ClockSettings settings;
  private final List<ClockJump> news = new ArrayList<>();

  private Duration offset = Duration.ZERO;
  private Instant periodBegin;
  private long periodBeginNanos;
  private Instant kept = Instant.MIN;
  private Optional<Instant> jumped = Optional.empty();

  /// Goes on from the last time seen in the pool's record.
  ///
  /// @param nanos a count of nanoseconds that no change of the clock affects, as [System#nanoTime]
  public SeenTime(
      PoolRecords records, InstantSource clock, LongSupplier nanos, ClockSettings settings) {
    this.records = records;
    this.clock = clock;
    this.nanos = nanos;
    this.settings = settings;
    this.periodBegin = clock.instant();
    this.periodBeginNanos = nanos.getAsLong();
    last().ifPresent(this::goOnFrom);
  }

  private record Last(Instant seen, Instant clock, Optional<Instant> jumped) {}

  private Optional<Last> last() {
    Optional<String> text = records.find(RECORD);
    try {
      return text.map(SeenTime::parsed);
    } catch (DateTimeException e) {
      log.atWarn()
          .addKeyValue("record", text.orElse(""))
          .log("expected the last time seen in the pool, got something else: it counts as unknown");
      return Optional.empty();
    }
  }

  private static Last parsed(String text) {
    String[] parts = text.split(" ", -1);
    if (parts.length != 4 || !parts[0].equals(FORM)) {
      throw new DateTimeException(text);
    }
    return new Last(
        Instant.parse(parts[1]),
        Instant.parse(parts[2]),
        parts[3].equals("-") ? Optional.empty() : Optional.of(Instant.parse(parts[3])));
  }

  private void goOnFrom(Last last) {
    jumped = last.jumped();
    kept = last.seen();
    Duration outage = Duration.between(last.clock(), periodBegin);
    Duration counted =
        outage.isNegative() ? Duration.ZERO : least(outage, settings.countedOutage());
    offset = Duration.between(periodBegin, last.seen().plus(counted));
    Duration uncounted = outage.minus(counted);
    if (isStep(uncounted)) {
      noteJump(uncounted, periodBegin);
    }
    forgetSmallOffset();
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private boolean isStep(Duration difference) {
    return difference.abs().compareTo(settings.largestStep()) > 0;
  }

  private void noteJump(Duration by, Instant now) {
    jumped = Optional.of(now.plus(offset));
    news.add(new ClockJump(by.truncatedTo(ChronoUnit.SECONDS), now));
    kept = Instant.MIN;
  }

  private void forgetSmallOffset() {
    if (!isStep(offset)) {
      offset = Duration.ZERO;
    }
  }

  /// This time.
  public synchronized Instant now() {
    Instant now = clock.instant();
    long count = nanos.getAsLong();
    Duration passed = Duration.ofNanos(count - periodBeginNanos);
    Duration step = Duration.between(periodBegin, now).minus(passed);
    if (isStep(step)) {
      offset = offset.minus(step);
      noteJump(step, now);
      forgetSmallOffset();
    }
    if (isStep(step) || passed.compareTo(PERIOD) > 0) {
      periodBegin = now;
      periodBeginNanos = count;
    }
    return now.plus(offset);
  }

  /// The machine's clock at a moment of this time, past or future, judged by the present offset.
  public synchronized Instant onTheClock(Instant seen) {
    now();
    return seen.minus(offset);
  }

  /// Looks at the clock, and judges whether it has gone evenly for so long. If so, things that are
  /// older than that by the machine's clock are so in truth.
  public synchronized boolean sawEvenClockFor(Duration time) {
    Instant now = now();
    return jumped.isEmpty() || Duration.between(jumped.get(), now).compareTo(time) >= 0;
  }

  /// The lead of the machine's clock over this time.
  public synchronized Duration ahead() {
    now();
    return offset.negated().truncatedTo(ChronoUnit.SECONDS);
  }

  /// Jumps since the last call.
  public synchronized List<ClockJump> takeNews() {
    now();
    List<ClockJump> taken = List.copyOf(news);
    news.clear();
    return taken;
  }

  /// Writes the last time seen into the pool, if a minute has passed since the last write.
  ///
  /// @throws io.coppice.engine.StorageException if the pool fails; the next call tries again
  public synchronized void keep() {
    Instant now = now();
    if (kept.isAfter(now.minus(KEEPING))) {
      return;
    }
    String text =
        String.join(
            " ",
            FORM,
            now.toString(),
            now.minus(offset).toString(),
            jumped.map(Instant::toString).orElse("-"));
    records.apply(OperationId.random(), List.of(new RecordChange.Put(RECORD, text)));
    kept = now;
  }
}
