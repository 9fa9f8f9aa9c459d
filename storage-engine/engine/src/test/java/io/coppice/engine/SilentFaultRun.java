package io.coppice.engine;

import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.PoolView;
import io.coppice.engine.testing.SimulatedBlockDevice;
import io.coppice.engine.testing.SmallPool;
import io.coppice.engine.testing.SmallStep;
import io.coppice.engine.testing.SmallSteps;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/// One seed: a pool is worked on, one change at a time, while its device does wrong and says
/// nothing. Whatever it returns after that must be what it held at one moment; and which moments it
/// may be depends on the fault.
final class SilentFaultRun {

  /// What the device does.
  enum Fault {
    /// One write is acknowledged and never arrives.
    LOST_WRITE,
    /// One write lands one block further.
    MISDIRECTED_WRITE,
    /// One bit of what is stored changes.
    FLIPPED_BIT,
    /// From some moment on no sync makes anything stable; then the power goes.
    LYING_SYNCS
  }

  /// How it ended.
  enum Outcome {
    /// Everything was there and could be read.
    INTACT,
    /// Everything was there; blocks could not be read.
    BLOCKS_REFUSED,
    /// The pool was not opened.
    POOL_REFUSED,
    /// It was as before the last change, or before one that a lying device had acknowledged.
    OLDER
  }

  private final SplittableRandom random;
  private final Fault fault;
  private final SmallSteps steps;
  private final List<SmallPool> states = new ArrayList<>(List.of(SmallPool.EMPTY));
  private boolean stopped;
  private PoolFixture pool = PoolFixture.ofBytes(16 << 20);
  private boolean secondIsFaulty;

  SilentFaultRun(Fault fault, long seed) {
    this.fault = fault;
    random = new SplittableRandom(seed);
    steps = new SmallSteps(random.split());
  }

  /// On two devices, of which one does wrong: everything is there and can be read.
  static Outcome mirrored(Fault fault, long seed) {
    SilentFaultRun run = new SilentFaultRun(fault, seed);
    run.pool = PoolFixture.mirrored(16 << 20);
    run.secondIsFaulty = run.random.nextBoolean();
    return run.run();
  }

  /// The one that does wrong, always the same.
  private SimulatedBlockDevice faulty() {
    return secondIsFaulty ? pool.second() : pool.device();
  }

  Outcome run() {
    pool.named(new UUID(random.nextLong(), random.nextLong())).format();
    boolean crash = fault == Fault.LYING_SYNCS || random.nextBoolean();
    work(crash);
    if (fault == Fault.FLIPPED_BIT) {
      flip();
    }
    List<Integer> before = pool.device().contentHashes();
    try (StorageEngine engine = open()) {
      PoolView view = PoolView.of(engine);
      return judge(view, crash);
    } catch (StorageException.Damaged | StorageException.PoolUnusable e) {
      if (!pool.device().contentHashes().equals(before)) {
        throw new AssertionError("expected a refused pool to be left as it was", e);
      }
      return Outcome.POOL_REFUSED;
    }
  }

  private void work(boolean crash) {
    int count = 10 + random.nextInt(30);
    int faultAt = random.nextInt(count);
    RedirectOnWriteEngine engine = open();
    for (int i = 0; i < count && !stopped; i++) {
      if (i == faultAt) {
        arm();
      }
      step(engine, i >= faultAt);
    }
    if (!stopped && random.nextBoolean()) {
      String wrong = last().mismatch(PoolView.of(engine));
      if (wrong != null) {
        throw new AssertionError("while open: " + wrong);
      }
    }
    if (crash || stopped) {
      engine.abandon();
      pool = pool.afterCrash(random);
    } else {
      engine.close();
    }
  }

  private void arm() {
    switch (fault) {
      case LOST_WRITE -> faulty().loseWrite(1 + random.nextInt(4));
      case MISDIRECTED_WRITE -> faulty().misdirectWrite(1 + random.nextInt(4));
      case LYING_SYNCS -> pool.device().lieAboutSyncs();
      case FLIPPED_BIT -> flip();
    }
  }

  private void flip() {
    SimulatedBlockDevice flipped = faulty();
    List<Long> sectors = flipped.storedSectors();
    long sector = sectors.get(random.nextInt(sectors.size()));
    flipped.flipBit(sector + random.nextInt(512), random.nextInt(8));
  }

  // A change that must read a damaged block first is refused, and has changed nothing. One that is
  // in the log before its map turns out to be damaged stops the pool: it may have happened.
  private void step(RedirectOnWriteEngine engine, boolean mayBeRefused) {
    SmallStep step = steps.next(last());
    try {
      step.perform().accept(engine);
    } catch (StorageException.Damaged e) {
      if (!mayBeRefused) {
        throw e;
      }
      return;
    } catch (StorageException.DeviceFailed e) {
      if (!mayBeRefused || !e.getMessage().contains("a map could not be read")) {
        throw e;
      }
      stopped = true;
    }
    states.add(step.apply().apply(last()));
  }

  private SmallPool last() {
    return states.getLast();
  }

  private Outcome judge(PoolView view, boolean crash) {
    String wrong = last().mismatch(view);
    if (wrong == null) {
      return view.unreadable() > 0 ? Outcome.BLOCKS_REFUSED : Outcome.INTACT;
    }
    int oldest = states.size() - 1;
    if (fault == Fault.LYING_SYNCS) {
      oldest = 0;
    } else if (crash || stopped) {
      oldest = Math.max(0, states.size() - 2);
    }
    for (int i = states.size() - 1; i >= oldest; i--) {
      if (states.get(i).mismatch(view) == null) {
        return Outcome.OLDER;
      }
    }
    throw new AssertionError(
        "expected what the pool held after one of its last %d changes, found otherwise: %s"
            .formatted(states.size() - oldest, wrong));
  }

  private RedirectOnWriteEngine open() {
    return pool.open(
        EngineOptions.defaults()
            .withReaderThreads(1)
            .withMapMemoryBytes(MapMemory.any(random))
            .withCheckpointRecords(random.nextInt(3) == 0 ? 100_000 : 3 + random.nextInt(20)));
  }
}
