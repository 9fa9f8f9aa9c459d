package io.coppice.bench.replication;

import io.coppice.harness.Mismatch;
import io.coppice.sites.GroupEnd;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A look at a source each 100 ms, which notes every cycle that ends well.
final class CycleWatch implements AutoCloseable {

  private static final long LOOK_MILLIS = 100;

  private final GroupEnd source;
  private final List<Seen> seen = new ArrayList<>(); // under the lock of this
  private final Thread thread;
  private volatile @Nullable RuntimeException failure;
  private volatile boolean ending;

  /// A cycle, in seconds.
  ///
  /// @param took from its begin to its end, as the source says
  /// @param age of its replica when it was seen to be at the target
  /// @param behind age of the replica before, at that time: what a loss of the source would have
  ///   cost at most
  record Seen(double took, double age, double behind) {}

  /// @param source of a group whose target has a replica
  CycleWatch(GroupEnd source) {
    this.source = source;
    thread = Thread.ofPlatform().name("cycle-watch").start(this::watch);
  }

  private void watch() {
    try {
      Instant newest = source.newest();
      while (!ending) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
        JsonNode view = source.view();
        Instant now = Instant.now();
        Instant next = Instant.parse(view.get("newest").asString());
        if (next.isAfter(newest)) {
          double took = Duration.parse(view.get("cycles").get("took").asString()).toNanos() / 1e9;
          note(new Seen(took, seconds(next, now), seconds(newest, now)));
          newest = next;
        }
      }
    } catch (RuntimeException e) {
      failure = e;
    }
  }

  private synchronized void note(Seen cycle) {
    seen.add(cycle);
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toNanos() / 1e9;
  }

  /// The cycles so far.
  synchronized List<Seen> seen() {
    RuntimeException failed = failure;
    if (failed != null) {
      throw new Mismatch("the source could not be watched: " + failed.getMessage(), failed);
    }
    return List.copyOf(seen);
  }

  @Override
  public void close() {
    ending = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
