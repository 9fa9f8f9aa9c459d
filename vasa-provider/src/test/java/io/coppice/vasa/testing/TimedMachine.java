package io.coppice.vasa.testing;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.vasa.container.StorageContainer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A virtual machine of three disks with journals in a real pool, and what it held at each moment.
public final class TimedMachine implements AutoCloseable {

  /// Bytes of each disk.
  public static final long SIZE = 4L << 20;

  private static final int BYTES = 64 << 10;

  private final TestClock clock = new TestClock();
  private final PoolFixture pool =
      PoolFixture.ofBytes(256L << 20).zones(1 << 20).clock(clock).nanos(clock::nanos);
  private final StorageEngine engine = pool.format().open();

  public ControlPlane plane = ControlPlane.withBin(engine, clock, ControlPlane.NO_BIN);
  public final StorageContainer container = plane.containers.create("c1", 40L << 20);
  public final List<VolumeId> disks = List.of(disk("one"), disk("two"), disk("three"));

  /// What the disks held at each moment, from the first one on that all of them reach back to.
  public final TreeMap<Instant, List<Integer>> held = new TreeMap<>();

  private final List<Integer> now = new ArrayList<>(List.of(0, 0, 0));

  public TimedMachine() {
    TestJournals.keep(plane, all());
    cut();
  }

  private VolumeId disk(String name) {
    return plane.volume(container, SIZE, Map.of("VMW_VmID", "vm-1", "VMW_VVolName", name));
  }

  public VolumeId[] all() {
    return disks.toArray(VolumeId[]::new);
  }

  /// Writes a value onto a disk.
  public void write(int disk, int value) {
    plane.write(disks.get(disk), 0, BYTES, value);
    now.set(disk, value);
  }

  /// Makes points.
  ///
  /// @return their moment
  public Instant cut() {
    Instant moment = TestJournals.cut(plane, all());
    held.put(moment, List.copyOf(now));
    return moment;
  }

  /// What the disks hold.
  public List<Integer> content() {
    return content(disks);
  }

  /// What volumes hold, and that each of them holds it all over.
  public List<Integer> content(List<VolumeId> volumes) {
    List<Integer> values = new ArrayList<>();
    for (VolumeId volume : volumes) {
      int first = plane.read(volume, 0);
      int last = plane.read(volume, BYTES - 1);
      values.add(first == last ? first : -1);
    }
    return values;
  }

  /// Moments at which a disk has a point.
  public List<Instant> points(int disk) {
    return plane.engine.journals().points(disks.get(disk), Instant.EPOCH, 10_000);
  }

  /// Starts the control plane anew, over the same pool and database.
  public void restart() {
    plane.target.close();
    plane = plane.restarted();
  }

  @Override
  public void close() {
    plane.target.close();
    engine.close();
    pool.close();
  }
}
