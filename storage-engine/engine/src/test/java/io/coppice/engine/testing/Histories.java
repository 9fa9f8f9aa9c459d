package io.coppice.engine.testing;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/// How many histories Lincheck looks at: some seconds on a slow machine for each test class.
///
/// One thread has the committer's operations, the other one only readers'; each operation is shown
/// to whoever checks as one that happened at one moment between its call and its return.
public final class Histories {

  private static final int SCENARIOS = 10;
  private static final int SCHEDULES = 400;

  /// Turns of a loop that is not taken for one that never ends: more than the entries of a leaf.
  private static final int LOOP = 2_000;

  private Histories() {}

  /// Runs the operations of a class with thread switches at every access to what threads share.
  ///
  /// @param specification the same operations for one thread, made plainly
  /// @throws AssertionError with the schedule, if a result has no order that explains it
  public static void check(Class<?> operations, Class<?> specification) {
    new ModelCheckingOptions()
        .iterations(SCENARIOS)
        .invocationsPerIteration(SCHEDULES)
        .threads(2)
        .actorsBefore(1)
        .actorsPerThread(3)
        .actorsAfter(0)
        .loopBound(LOOP)
        .sequentialSpecification(specification)
        .check(operations);
  }
}
