package io.coppice.load;

import io.coppice.driver.soap.UnreachableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Works on machines, so many at once, until it is told to end.
final class Crew {

  private static final long POLL_NANOS = 10_000_000_000L;
  private static final long TICK_NANOS = 100_000_000;

  /// Room for one machine.
  private static final class Slot {
    private final ReentrantLock busy = new ReentrantLock();
    private @Nullable LoadedMachine machine;
    private @Nullable LoadedHost runsOn;
  }

  private final LoadSettings settings;
  private final String container;
  private final List<LoadedHost> hosts;
  private final Gate gate;
  private final Figures figures;
  private final List<Slot> slots = new ArrayList<>();
  private final AtomicInteger names = new AtomicInteger();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ending;

  Crew(
      LoadSettings settings, String container, List<LoadedHost> hosts, Gate gate, Figures figures) {
    this.settings = settings;
    this.container = container;
    this.hosts = List.copyOf(hosts);
    this.gate = gate;
    this.figures = figures;
    for (int i = 0; i < settings.machines(); i++) {
      slots.add(new Slot());
    }
  }

  /// Makes all machines, then works on them; hosts poll all the while.
  void start() {
    AtomicInteger next = new AtomicInteger();
    for (int i = 0; i < settings.atOnce(); i++) {
      Random random = new Random(settings.seed() * 1000 + i);
      threads.add(Thread.ofPlatform().name("crew-" + i).start(() -> work(next, random)));
    }
    for (LoadedHost host : hosts) {
      long first = new Random(settings.seed()).nextLong(POLL_NANOS);
      threads.add(Thread.ofVirtual().name("poll-" + host.name()).start(() -> poll(host, first)));
    }
  }

  /// How many machines there are.
  int machines() {
    return (int) slots.stream().filter(slot -> slot.machine != null).count();
  }

  void endAndJoin() {
    ending = true;
    for (Thread thread : threads) {
      boolean joined = false;
      while (!joined) {
        try {
          thread.join();
          joined = true;
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  private void poll(LoadedHost host, long first) {
    long due = System.nanoTime() + first;
    while (!ending) {
      if (System.nanoTime() - due >= 0) {
        measured("poll for events", host::poll);
        due = Math.max(due, System.nanoTime() - POLL_NANOS) + POLL_NANOS;
      }
      LockSupport.parkNanos(TICK_NANOS);
    }
  }

  private void work(AtomicInteger next, Random random) {
    int mine;
    while (!ending && (mine = next.getAndIncrement()) < slots.size()) {
      Slot slot = slots.get(mine);
      withSlot(slot, () -> fill(slot, random));
    }
    while (!ending) {
      Slot slot = slots.get(random.nextInt(slots.size()));
      withSlot(slot, () -> step(slot, random));
    }
  }

  private static void withSlot(Slot slot, Runnable work) {
    if (slot.busy.tryLock()) {
      try {
        work.run();
      } finally {
        slot.busy.unlock();
      }
    }
  }

  private void step(Slot slot, Random random) {
    LoadedMachine machine = slot.machine;
    if (machine == null) {
      refill(slot, random);
      return;
    }
    LoadedHost on = slot.runsOn;
    int dice = random.nextInt(100);
    if (on != null) {
      if (dice < 35) {
        measured("snapshot, running", () -> machine.snapshot(on));
      } else {
        measured("power off", () -> machine.powerOff(on));
        slot.runsOn = null;
      }
      return;
    }
    LoadedHost host = hosts.get(random.nextInt(hosts.size()));
    if (dice < 50) {
      measured("power on", () -> machine.powerOn(host));
      slot.runsOn = host;
    } else if (dice < 65) {
      measured("snapshot, off", () -> machine.snapshot(host));
    } else if (dice < 80 && machine.hasSnapshots()) {
      measured("revert", () -> machine.revert(host));
    } else if (dice >= 88) {
      measured("delete", () -> machine.delete(host));
      slot.machine = null;
    }
  }

  private void fill(Slot slot, Random random) {
    LoadedHost host = hosts.get(random.nextInt(hosts.size()));
    String name = "vm" + names.incrementAndGet();
    int disks = 1 + random.nextInt(2);
    measured("create", () -> slot.machine = LoadedMachine.create(host, container, name, disks));
  }

  /// A new machine, or a clone of another one.
  private void refill(Slot slot, Random random) {
    Slot source = slots.get(random.nextInt(slots.size()));
    if (source == slot || random.nextInt(3) == 0 || !source.busy.tryLock()) {
      fill(slot, random);
      return;
    }
    try {
      LoadedMachine machine = source.machine;
      if (machine == null) {
        fill(slot, random);
        return;
      }
      LoadedHost host = hosts.get(random.nextInt(hosts.size()));
      boolean linked = random.nextBoolean();
      String name = "vm" + names.incrementAndGet();
      measured(
          linked ? "clone, linked" : "clone, full",
          () -> slot.machine = machine.clone(host, name, linked));
    } finally {
      source.busy.unlock();
    }
  }

  /// Runs an operation; its time counts unless the gate was closed in between.
  private void measured(String operation, Runnable work) {
    gate.enter();
    gate.leave();
    long closings = gate.closings();
    long start = System.nanoTime();
    try {
      work.run();
      long took = System.nanoTime() - start;
      if (gate.closings() == closings) {
        figures.ended(operation, took);
      } else {
        figures.held();
      }
    } catch (RuntimeException | Error e) { // the run goes on and reports it at its end
      figures.failed(operation, e);
      if (e instanceof UnreachableException) {
        LockSupport.parkNanos(TICK_NANOS);
      }
    }
  }
}
