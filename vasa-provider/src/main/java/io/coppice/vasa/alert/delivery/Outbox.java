package io.coppice.vasa.alert.delivery;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The messages that wait for one target, in their order, and what is known of the way there. Safe
/// for any thread; nothing in it waits but [#await].
final class Outbox {

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final int most;
  private final Deque<Message> waiting = new ArrayDeque<>();
  private final List<Message> unsaved = new ArrayList<>();
  private final List<UUID> done = new ArrayList<>();
  private @Nullable Message test;
  private @Nullable TestOutcome outcome;
  private @Nullable String obstacle;
  private @Nullable Instant delivered;
  private int failures;
  private long lost;
  private long nextPlace;

  Outbox(int most) {
    this.most = most;
  }

  /// The end of a test, or that it waits.
  ///
  /// @param reason null while it waits, and if it was delivered
  record TestOutcome(UUID id, Instant at, State state, @Nullable String reason) {

    enum State {
      WAITING,
      DELIVERED,
      FAILED
    }
  }

  /// The knowledge of the way to the target.
  record State(
      int waiting,
      long lost,
      int failures,
      @Nullable String obstacle,
      @Nullable Instant delivered,
      @Nullable TestOutcome test) {}

  synchronized State state() {
    return new State(waiting.size(), lost, failures, obstacle, delivered, outcome);
  }

  synchronized long place() {
    return nextPlace++;
  }

  /// Adds a message at the end. If there are too many, the oldest is given up.
  synchronized void add(Message message) {
    if (waiting.stream().anyMatch(one -> one.id().equals(message.id()))) {
      return; // told of twice, as after a crash
    }
    waiting.addLast(message);
    unsaved.add(message);
    while (waiting.size() > most) {
      giveUp(waiting.getFirst());
    }
    notifyAll();
  }

  /// Puts what was kept before all that has come since the start.
  synchronized void restore(List<Message> kept) {
    kept.reversed()
        .forEach(
            one -> {
              waiting.removeIf(newer -> newer.id().equals(one.id()));
              unsaved.removeIf(newer -> newer.id().equals(one.id()));
              waiting.addFirst(one);
            });
    nextPlace = Math.max(nextPlace, kept.stream().mapToLong(Message::place).max().orElse(-1) + 1);
    while (waiting.size() > most) {
      giveUp(waiting.getFirst());
    }
    notifyAll();
  }

  /// Asks for a test, which takes the place of one that still waits.
  synchronized void addTest(Message message) {
    test = message;
    outcome = new TestOutcome(message.id(), message.at(), TestOutcome.State.WAITING, null);
    notifyAll();
  }

  synchronized Optional<Message> takeTest() {
    Message asked = test;
    test = null;
    return Optional.ofNullable(asked);
  }

  synchronized void ended(Message asked, @Nullable String reason, Instant at) {
    if (outcome != null && outcome.id().equals(asked.id())) {
      outcome =
          new TestOutcome(
              asked.id(),
              at,
              reason == null ? TestOutcome.State.DELIVERED : TestOutcome.State.FAILED,
              reason);
    }
    if (reason == null) {
      obstacle = null;
      failures = 0;
      delivered = at;
    }
  }

  /// Waits for a test, or else for the end of a pause, or without one for a message.
  ///
  /// @param pauseEnd as [System#nanoTime]; null for no pause
  /// @throws InterruptedException if the courier is ended
  synchronized void await(@Nullable Long pauseEnd) throws InterruptedException {
    while (test == null) {
      if (pauseEnd == null) {
        if (!waiting.isEmpty()) {
          break;
        }
        wait();
      } else {
        long left = pauseEnd - System.nanoTime();
        if (left <= 0) {
          break;
        }
        wait(Math.max(1, left / NANOS_PER_MILLI));
      }
    }
  }

  /// The first messages, which stay.
  synchronized List<Message> first(int count) {
    return waiting.stream().limit(count).toList();
  }

  synchronized void delivered(List<Message> messages, Instant at) {
    messages.forEach(this::remove);
    delivered = at;
    obstacle = null;
    failures = 0;
  }

  synchronized void failed(String reason) {
    obstacle = reason;
    failures++;
  }

  /// Gives up messages that are older than a time.
  synchronized void expire(Instant before) {
    while (!waiting.isEmpty() && waiting.getFirst().at().isBefore(before)) {
      giveUp(waiting.getFirst());
    }
  }

  private void giveUp(Message message) {
    lost++;
    remove(message);
  }

  private void remove(Message message) {
    waiting.remove(message);
    if (!unsaved.remove(message)) {
      done.add(message.id());
    }
  }

  /// The changes to be written: new messages, and ids of those that are not needed any more.
  record Unsaved(List<Message> added, List<UUID> done) {}

  synchronized Unsaved unsaved() {
    return new Unsaved(List.copyOf(unsaved), List.copyOf(done));
  }

  /// Notes what was written. A message that went meanwhile has a row that has to go, too.
  synchronized void saved(Unsaved written) {
    done.removeAll(written.done());
    for (Message message : written.added()) {
      if (!unsaved.remove(message)) {
        done.add(message.id());
      }
    }
  }
}
