package io.coppice.engine;

import io.coppice.engine.core.RedirectOnWriteEngine;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.engine.testing.PoolView;
import io.coppice.engine.testing.SmallPool;
import io.coppice.engine.testing.SmallStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// Short sequences of changes, each tried once in peace and once with a crash at every operation of
/// the device.
///
/// They begin in a small pool that has a bit of everything: a volume of 16 blocks, a snapshot from
/// which it differs in some, a clone of that, and a second volume, which differs from a snapshot of
/// it, too.
final class SequenceRun {

  private static final int SECTORS = 2048;
  private static final VolumeId HEAD = id(1);
  private static final VolumeId SNAPSHOT = id(2);
  private static final VolumeId CLONE = id(3);
  private static final VolumeId OTHER = id(4);
  private static final VolumeId OTHER_SNAPSHOT = id(5);

  private final PoolFixture base = PoolFixture.ofBytes(8 << 20).readers(1).format();
  private final SmallPool first;

  /// What may stand at a place of a sequence.
  ///
  /// @param needs volumes that must exist
  /// @param step at a place, or null where the pool is opened anew
  /// @param crash whether that comes after a crash
  record Letter(
      String name, List<VolumeId> needs, @Nullable IntFunction<SmallStep> step, boolean crash) {}

  static final List<Letter> ALPHABET =
      List.of(
          letter("write", at -> SmallStep.write(HEAD, 8, numbers(at, 24)), HEAD),
          letter("write a part", at -> SmallStep.write(HEAD, 11, numbers(at, 2)), HEAD),
          letter("write the clone", at -> SmallStep.write(CLONE, 16, numbers(at, 16)), CLONE),
          letter("zero", at -> SmallStep.zero(HEAD, 16, 16, false), HEAD),
          letter("unmap", at -> SmallStep.zero(HEAD, 0, SECTORS, true), HEAD),
          letter("repeat", at -> SmallStep.repeat(HEAD, 8, 40, 9000 + at), HEAD),
          letter(
              "compare and write", at -> SmallStep.compareAndWrite(HEAD, 10, numbers(at, 4)), HEAD),
          letter("copy within", at -> SmallStep.copy(HEAD, 8, HEAD, 64, 32), HEAD),
          letter("copy between", at -> SmallStep.copy(HEAD, 0, OTHER, 8, 48), HEAD, OTHER),
          letter("copy back", at -> SmallStep.copy(OTHER, 0, HEAD, 16, 24), HEAD, OTHER),
          letter("snapshot", at -> SmallStep.snapshot(operation(at, 1), HEAD, id(10 + at)), HEAD),
          letter("clone", at -> SmallStep.clone(operation(at, 2), HEAD, id(20 + at)), HEAD),
          letter(
              "clone the snapshot",
              at -> SmallStep.clone(operation(at, 3), SNAPSHOT, id(30 + at)),
              SNAPSHOT),
          letter(
              "revert", at -> SmallStep.revert(operation(at, 4), HEAD, SNAPSHOT), HEAD, SNAPSHOT),
          letter(
              "revert both",
              at ->
                  SmallStep.revert(operation(at, 9), Map.of(HEAD, SNAPSHOT, OTHER, OTHER_SNAPSHOT)),
              HEAD,
              SNAPSHOT,
              OTHER),
          letter("delete", at -> SmallStep.delete(operation(at, 5), HEAD), HEAD),
          letter(
              "delete the snapshot", at -> SmallStep.delete(operation(at, 6), SNAPSHOT), SNAPSHOT),
          letter("delete the clone", at -> SmallStep.delete(operation(at, 7), CLONE), CLONE),
          letter("grow", at -> SmallStep.resize(operation(at, 8), HEAD, SECTORS + 16 + at), HEAD),
          letter("checkpoint", at -> SmallStep.checkpoint()),
          new Letter("reopen", List.of(), null, false),
          new Letter("crash", List.of(), null, true));

  private static Letter letter(String name, IntFunction<SmallStep> step, VolumeId... needs) {
    return new Letter(name, List.of(needs), step, false);
  }

  SequenceRun() {
    SmallPool pool = SmallPool.EMPTY;
    try (RedirectOnWriteEngine engine = open(base)) {
      for (SmallStep step :
          List.of(
              SmallStep.create(operation(100, 1), HEAD, SECTORS),
              SmallStep.create(operation(100, 2), OTHER, SECTORS),
              SmallStep.write(HEAD, 0, numbers(100, 128)),
              SmallStep.write(OTHER, 8, numbers(101, 32)),
              SmallStep.snapshot(operation(100, 3), HEAD, SNAPSHOT),
              SmallStep.snapshot(operation(100, 5), OTHER, OTHER_SNAPSHOT),
              SmallStep.write(HEAD, 16, numbers(102, 16)),
              SmallStep.write(OTHER, 16, numbers(103, 8)),
              SmallStep.clone(operation(100, 4), SNAPSHOT, CLONE))) {
        step.perform().accept(engine);
        pool = step.apply().apply(pool);
      }
    }
    first = pool;
  }

  /// Tries one sequence.
  ///
  /// @return how often it crashed; 0 as well if it is not possible
  int run(List<Letter> sequence) {
    List<SmallPool> states = states(sequence);
    if (states.isEmpty()) {
      return 0;
    }
    int crashes = 0;
    Play play = new Play(sequence, states, 0);
    play.run();
    for (int at = 1; play.interrupted || at == 1; at++) {
      play = new Play(sequence, states, at);
      play.run();
      crashes += play.interrupted ? 1 : 0;
    }
    return crashes;
  }

  /// What the pool holds before each letter and at the end; nothing if a letter is not possible.
  private List<SmallPool> states(List<Letter> sequence) {
    List<SmallPool> states = new ArrayList<>(List.of(first));
    for (int i = 0; i < sequence.size(); i++) {
      Letter letter = sequence.get(i);
      SmallPool now = states.getLast();
      if (!letter.needs.stream().allMatch(now::has)) {
        return List.of();
      }
      try {
        states.add(letter.step == null ? now : letter.step.apply(i).apply().apply(now));
      } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
        return List.of();
      }
    }
    return states;
  }

  /// One go through a sequence.
  private final class Play {

    private final List<Letter> sequence;
    private final List<SmallPool> states;
    private final int crashAt;
    private final SplittableRandom random;
    private PoolFixture pool = base.afterCrash(new SplittableRandom(0));
    private boolean interrupted;

    /// @param crashAt operation of the device in which the power goes, from 1 on; 0 for never
    Play(List<Letter> sequence, List<SmallPool> states, int crashAt) {
      this.sequence = sequence;
      this.states = states;
      this.crashAt = crashAt;
      random = new SplittableRandom(crashAt);
    }

    void run() {
      RedirectOnWriteEngine engine = open(pool);
      if (crashAt > 0) {
        pool.device().losePowerAfter(crashAt);
      }
      for (int i = 0; i < sequence.size(); i++) {
        try {
          engine = perform(engine, i);
        } catch (StorageException.DeviceFailed e) {
          interrupted = true;
          engine.abandon();
          engine = recover(i);
        }
      }
      finish(engine);
    }

    private RedirectOnWriteEngine perform(RedirectOnWriteEngine engine, int at) {
      Letter letter = sequence.get(at);
      if (letter.step != null) {
        letter.step.apply(at).perform().accept(engine);
        return engine;
      }
      if (letter.crash) {
        engine.abandon();
        if (!pool.device().powerIsLost()) {
          long left = pool.device().operationsUntilPowerLoss();
          pool = pool.afterCrash(random);
          pool.device().losePowerAfter(left);
        }
      } else {
        engine.close();
      }
      return open(pool);
    }

    /// What was under way has happened or not; its repeat makes sure.
    private RedirectOnWriteEngine recover(int at) {
      pool = pool.afterCrash(random).whole();
      RedirectOnWriteEngine engine = open(pool);
      PoolView view = PoolView.of(engine);
      String before = states.get(at).mismatch(view);
      String after = states.get(at + 1).mismatch(view);
      if (before != null && after != null) {
        throw new AssertionError(
            "%s: neither as before (%s) nor as after it (%s)"
                .formatted(sequence.get(at).name, before, after));
      }
      IntFunction<SmallStep> step = sequence.get(at).step;
      if (step != null) {
        step.apply(at).perform().accept(engine);
      }
      return engine;
    }

    private void finish(RedirectOnWriteEngine worked) {
      RedirectOnWriteEngine engine = worked;
      if (pool.device().powerIsLost()) {
        // After the last answer.
        interrupted = true;
        engine.abandon();
        pool = pool.afterCrash(random).whole();
        engine = open(pool);
      }
      String wrong = states.getLast().mismatch(PoolView.of(engine));
      if (wrong != null) {
        throw new AssertionError("at the end: " + wrong);
      }
      pool.device().losePowerAfter(Long.MAX_VALUE / 2);
      int number = 0;
      for (VolumeInfo volume : engine.list()) {
        engine.delete(operation(200, ++number), volume.id());
      }
      engine.awaitReclaim();
      if (engine.space().used() != 0) {
        throw new AssertionError("expected nothing in use, found " + engine.space());
      }
      engine.abandon();
    }
  }

  private static RedirectOnWriteEngine open(PoolFixture pool) {
    try {
      return pool.open();
    } catch (StorageException.PoolUnusable e) {
      throw new StorageException.DeviceFailed("the pool cannot be opened", e);
    }
  }

  private static VolumeId id(int number) {
    return new VolumeId(new UUID(0, number));
  }

  private static OperationId operation(int place, int letter) {
    return new OperationId(new UUID(place, letter));
  }

  private static int[] numbers(int place, int count) {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = 1000 * (place + 1) + i;
    }
    return numbers;
  }
}
