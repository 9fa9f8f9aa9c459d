package io.coppice.vasa.statistics;

import io.coppice.scsi.unit.Traffic;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.ToLongFunction;

/// The counters that are offered, the same ones for every counted entity.
///
/// Ids are the places of the names in the contract's `CounterNameEnum`, counted from 1; a name of
/// our own has an id beyond them. Counters of the enumeration that are missing here are unknown:
/// cache hits, idle time and other I/Os.
public enum Counter {
  TOTAL_IOS(1, "TotalIOs", Unit.NUMBER, s -> s.traffic().reads() + s.traffic().writes()),
  KBYTES_TRANSFERRED(
      2,
      "KBytesTransfered",
      Unit.KILOBYTE,
      s -> kilobytes(s.traffic().bytesRead() + s.traffic().bytesWritten())),
  IO_TIME(
      3,
      "IOTimeCounter",
      Unit.MILLISECOND,
      s -> millis(s.traffic(), t -> t.readNanos() + t.writeNanos())),
  READ_IOS(4, "ReadIOs", Unit.NUMBER, s -> s.traffic().reads()),
  READ_TIME(6, "ReadIOTimeCounter", Unit.MILLISECOND, s -> millis(s.traffic(), Traffic::readNanos)),
  KBYTES_READ(8, "KBytesRead", Unit.KILOBYTE, s -> kilobytes(s.traffic().bytesRead())),
  WRITE_IOS(9, "WriteIOs", Unit.NUMBER, s -> s.traffic().writes()),
  WRITE_TIME(
      11, "WriteIOTimeCounter", Unit.MILLISECOND, s -> millis(s.traffic(), Traffic::writeNanos)),
  KBYTES_WRITTEN(13, "KBytesWritten", Unit.KILOBYTE, s -> kilobytes(s.traffic().bytesWritten())),
  STATISTICS_TIME(16, "StatisticsTime", Unit.TIMESTAMP, s -> s.at().toEpochMilli()),
  KBYTES_STORED(101, "io.coppice.KBytesStored", Unit.KILOBYTE, s -> kilobytes(s.storedBytes()));

  /// `CounterUnitEnum`; a timestamp is in milliseconds since 1970-01-01T00:00Z.
  public enum Unit {
    NUMBER("Number"),
    KILOBYTE("KiloByte"),
    MILLISECOND("MilliSecond"),
    TIMESTAMP("Timestamp");

    private final String wireName;

    Unit(String wireName) {
      this.wireName = wireName;
    }

    public String wireName() {
      return wireName;
    }
  }

  private final int id;
  private final String wireName;
  private final Unit unit;
  private final ToLongFunction<Sample> value;

  Counter(int id, String wireName, Unit unit, ToLongFunction<Sample> value) {
    this.id = id;
    this.wireName = wireName;
    this.unit = unit;
    this.value = value;
  }

  public static Optional<Counter> ofId(int id) {
    return Arrays.stream(values()).filter(counter -> counter.id == id).findFirst();
  }

  public int id() {
    return id;
  }

  /// `CounterNameEnum`, or a name of our own.
  public String wireName() {
    return wireName;
  }

  public Unit unit() {
    return unit;
  }

  /// Whether it only grows, since the entity became reachable or the provider started.
  public boolean cumulative() {
    return this != STATISTICS_TIME && this != KBYTES_STORED;
  }

  long of(Sample sample) {
    return value.applyAsLong(sample);
  }

  private static long kilobytes(long bytes) {
    return bytes / 1024;
  }

  private static long millis(Traffic traffic, ToLongFunction<Traffic> nanos) {
    return Duration.ofNanos(nanos.applyAsLong(traffic)).toMillis();
  }
}
