package io.coppice.vasa.history;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpace;
import io.coppice.engine.status.PoolSpace;
import io.coppice.scsi.unit.IoTime;
import io.coppice.scsi.unit.PhaseCounts;
import io.coppice.scsi.unit.Traffic;
import io.coppice.scsi.unit.TrafficCounts;
import io.coppice.vasa.testing.TestClock;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.space.ContainerSpace;
import io.coppice.vasa.volume.space.MeasuredVolume;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A pool with volumes in one container, as its counters show it, and a clock.
final class RecordedWorld {

  static final UUID CONTAINER = UUID.fromString("c0000000-0000-4000-8000-000000000001");
  static final VolumeId DISK =
      new VolumeId(UUID.fromString("d0000000-0000-4000-8000-000000000001"));
  static final long SIZE = 1000L << 30;

  final TestClock clock = new TestClock();
  final Map<VolumeId, Traffic> traffic = new HashMap<>();
  final Map<String, Traffic> initiators = new HashMap<>();
  final Map<VolumeId, @Nullable VolumeSpace> spaces = new LinkedHashMap<>();
  Traffic all = Traffic.NONE;
  long used = 300L << 30;
  boolean database = true;

  Sources sources() {
    return new Sources(
        new TrafficCounts() {
          @Override
          public Map<VolumeId, Traffic> byVolume() {
            return Map.copyOf(traffic);
          }

          @Override
          public Map<String, Traffic> byInitiator() {
            return Map.copyOf(initiators);
          }

          @Override
          public Traffic inAll() {
            return all;
          }

          @Override
          public PhaseCounts readPhases() {
            throw new UnsupportedOperationException("the history needs none");
          }

          @Override
          public PhaseCounts writePhases() {
            throw new UnsupportedOperationException("the history needs none");
          }
        },
        () -> new PoolSpace(SIZE, SIZE, used, 0, 0, SIZE - used),
        () ->
            spaces.entrySet().stream()
                .map(
                    one ->
                        new MeasuredVolume(
                            one.getKey(),
                            CONTAINER,
                            VolumeType.DATA,
                            false,
                            null,
                            "disk",
                            "vm-1",
                            one.getValue()))
                .toList(),
        () ->
            database
                ? Map.of(CONTAINER, new ContainerSpace(SIZE / 2, SIZE, used, 0, 0, 0, 0))
                : Map.of());
  }

  HistoryRecorder.Clocks clocks() {
    return new HistoryRecorder.Clocks(clock, clock::nanos, clock);
  }

  static Traffic reads(long count, long bytes, long nanos) {
    IoTime time = new IoTime(nanos, nanos / 10, nanos / 5);
    return new Traffic(count, 0, bytes, 0, nanos, 0, time, IoTime.NONE);
  }

  /// Lets the disk be read.
  void read(long count, long nanosEach) {
    Traffic more = reads(count, count * 4096, count * nanosEach);
    traffic.merge(DISK, more, Traffic::plus);
    all = all.plus(more);
  }

  /// Lets a recorder look each `step`, for some time, while the pool fills.
  void run(HistoryRecorder recorder, Duration time, Duration step, long bytesEach) {
    for (long i = 0; i < time.dividedBy(step); i++) {
      clock.advance(step.minusSeconds(10));
      recorder.record();
      clock.advance(Duration.ofSeconds(10));
      used += bytesEach;
      recorder.record();
    }
  }
}
