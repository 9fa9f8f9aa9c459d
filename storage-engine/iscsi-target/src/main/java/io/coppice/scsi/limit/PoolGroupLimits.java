package io.coppice.scsi.limit;

import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/// The [GroupLimits] in the pool's records: `scsi/limit/GROUP` holds I/Os a second, a space and
/// bytes a second, 0 for any.
public final class PoolGroupLimits implements GroupLimits {

  private static final String PREFIX = "scsi/limit/";

  private final PoolRecords records;
  private final FairQueues queues;
  private final Runnable changed;
  private final Map<String, Limits> byName = new ConcurrentSkipListMap<>();

  /// Puts the limits that the pool holds into force.
  public PoolGroupLimits(PoolRecords records, FairQueues queues, Runnable changed) {
    this.records = records;
    this.queues = queues;
    this.changed = changed;
    records
        .withPrefix(PREFIX)
        .forEach(
            (key, value) -> {
              String group = key.substring(PREFIX.length());
              Limits limits = parse(key, value);
              byName.put(group, limits);
              queues.limitGroup(group, limits);
            });
  }

  private static Limits parse(String key, String value) {
    try {
      String[] fields = value.split(" ");
      return new Limits(Long.parseLong(fields[0]), Long.parseLong(fields[1]));
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "expected the pool's record %s to be readable, got: %s".formatted(key, value), e);
    }
  }

  @Override
  public Map<String, Limits> all() {
    return new TreeMap<>(byName);
  }

  @Override
  public synchronized void limit(OperationId operation, String group, Limits limits) {
    int length = group.getBytes(StandardCharsets.UTF_8).length;
    if (length < 1 || length > MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          "expected a group's name of 1 to %d bytes, got %d".formatted(MAX_NAME_BYTES, length));
    }
    String key = PREFIX + group;
    records.apply(
        operation,
        List.of(
            limits.isNone()
                ? new RecordChange.Remove(key)
                : new RecordChange.Put(key, limits.maxIops() + " " + limits.maxBandwidth())));
    if (limits.isNone()) {
      byName.remove(group);
    } else {
      byName.put(group, limits);
    }
    queues.limitGroup(group, limits);
    changed.run();
  }
}
