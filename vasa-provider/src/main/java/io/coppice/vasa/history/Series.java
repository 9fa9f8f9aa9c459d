package io.coppice.vasa.history;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A figure that the history has of an object.
public enum Series {
  READS("reads", "1/s", Source.TRAFFIC, 0),
  WRITES("writes", "1/s", Source.TRAFFIC, 1),
  BYTES_READ("bytesRead", "B/s", Source.TRAFFIC, 2),
  BYTES_WRITTEN("bytesWritten", "B/s", Source.TRAFFIC, 3),
  READ_LATENCY("readLatency", "µs", Source.LATENCY, 4),
  READ_DEVICE("readDevice", "µs", Source.LATENCY, 4),
  READ_QUEUE("readQueue", "µs", Source.LATENCY, 6),
  READ_LIMIT("readLimit", "µs", Source.LATENCY, 8),
  READ_LATENCY_MAX("readLatencyMax", "µs", Source.LATENCY, 10),
  WRITE_LATENCY("writeLatency", "µs", Source.LATENCY, 5),
  WRITE_DEVICE("writeDevice", "µs", Source.LATENCY, 5),
  WRITE_QUEUE("writeQueue", "µs", Source.LATENCY, 7),
  WRITE_LIMIT("writeLimit", "µs", Source.LATENCY, 9),
  WRITE_LATENCY_MAX("writeLatencyMax", "µs", Source.LATENCY, 11),
  MAPPED("mapped", "B", Source.VOLUME, 0),
  UNIQUE("unique", "B", Source.VOLUME, 1),
  CAPACITY("capacity", "B", Source.POOL, 0),
  POOL_USED("used", "B", Source.POOL, 1),
  FREE("free", "B", Source.POOL, 2),
  QUOTA("quota", "B", Source.CONTAINER, 0),
  CONTAINER_USED("used", "B", Source.CONTAINER, 1),
  PROVISIONED("provisioned", "B", Source.CONTAINER, 2);

  /// The origin of a series.
  enum Source {
    TRAFFIC,
    LATENCY,
    VOLUME,
    POOL,
    CONTAINER
  }

  private final String text;
  private final String unit;
  private final Source source;
  private final int place;

  Series(String text, String unit, Source source, int place) {
    this.text = text;
    this.unit = unit;
    this.source = source;
    this.place = place;
  }

  /// As it is written in requests and answers.
  public String text() {
    return text;
  }

  public String unit() {
    return unit;
  }

  Source source() {
    return source;
  }

  /// Its place among the figures of a record.
  int place() {
    return place;
  }

  boolean isOfReads() {
    return place % 2 == 0;
  }

  /// Whether its values are whole bytes, and not within half a percent.
  public boolean isExact() {
    return source == Source.POOL || source == Source.CONTAINER;
  }

  /// Whether it is the sum of three latencies.
  boolean isSum() {
    return this == READ_LATENCY || this == WRITE_LATENCY;
  }

  private static List<Series> with(Source space) {
    return Arrays.stream(values())
        .filter(
            one ->
                one.source == Source.TRAFFIC || one.source == Source.LATENCY || one.source == space)
        .toList();
  }

  /// Those of a volume or a virtual machine.
  public static List<Series> ofVolumes() {
    return with(Source.VOLUME);
  }

  /// Those of a host or an initiator, which has no space.
  public static List<Series> ofHosts() {
    return with(Source.TRAFFIC);
  }

  public static List<Series> ofPool() {
    return with(Source.POOL);
  }

  public static List<Series> ofContainers() {
    return with(Source.CONTAINER);
  }

  /// The one of a name among some.
  public static Optional<Series> find(List<Series> some, String text) {
    return some.stream().filter(one -> one.text.equals(text)).findFirst();
  }
}
