package io.coppice.vasa.alert.delivery;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The courier of one target: a virtual thread that takes messages from its outbox, in their order,
/// and tries each until it has arrived or is too old. An attempt has a thread of its own and ends
/// with the patience of the settings, whatever the server does, so none hangs.
///
/// A message leaves the outbox, and later the rows, after the target took it: a crash between sends
/// it again, with the same id.
final class Courier implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Courier.class);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final int LONGEST_REASON = 300;

  private final Target target;
  private final Outbox outbox;
  private final Carrier carrier;
  private final DeliverySettings settings;
  private final Duration interval;
  private final InstantSource clock;
  private final Thread thread;

  /// End of the pause, as [System#nanoTime]; null for none. Of the thread.
  private @Nullable Long pauseEnd;

  private Duration retry = FIRST_PAUSE;
  private volatile boolean closed;

  /// @param interval shortest time between two deliveries
  Courier(
      Target target,
      Outbox outbox,
      Carrier carrier,
      DeliverySettings settings,
      Duration interval,
      InstantSource clock) {
    this.target = target;
    this.outbox = outbox;
    this.carrier = carrier;
    this.settings = settings;
    this.interval = interval;
    this.clock = clock;
    thread = Thread.ofVirtual().name("alerts-to-" + target.id()).start(this::run);
  }

  private void run() {
    try {
      while (!closed) {
        outbox.await(pauseEnd);
        outbox.takeTest().ifPresent(this::tryTest);
        if (pauseEnd == null || pauseEnd - System.nanoTime() <= 0) {
          pauseEnd = null;
          step();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Delivers once, if something waits, and begins a pause.
  private void step() throws InterruptedException {
    outbox.expire(clock.instant().minus(settings.kept()));
    List<Message> part = outbox.first(carrier.most());
    if (part.isEmpty()) {
      return;
    }
    String reason = attempt(part);
    if (reason == null) {
      outbox.delivered(part, clock.instant());
      retry = FIRST_PAUSE;
      pause(interval);
      return;
    }
    if (outbox.state().obstacle() == null) {
      log.atWarn().addKeyValue("target", target.name()).log("alerts do not arrive: {}", reason);
    }
    outbox.failed(reason);
    pause(retry);
    retry = shorter(retry.multipliedBy(2), settings.longestPause());
  }

  private void pause(Duration length) {
    pauseEnd = length.isZero() ? null : System.nanoTime() + length.toNanos();
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  private void tryTest(Message test) {
    try {
      outbox.ended(test, attempt(List.of(test)), clock.instant());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// @return why it failed; null if it did not
  private @Nullable String attempt(List<Message> part) throws InterruptedException {
    FutureTask<Void> attempt =
        new FutureTask<>(
            () -> {
              carrier.carry(part);
              return null;
            });
    Thread.ofVirtual().name("alert-attempt").start(attempt);
    try {
      attempt.get(settings.patience().toNanos(), TimeUnit.NANOSECONDS);
      return null;
    } catch (TimeoutException e) {
      return "no answer within " + settings.patience().toSeconds() + " s";
    } catch (CancellationException e) {
      return "the attempt was cut short";
    } catch (ExecutionException e) {
      return reason(e.getCause() == null ? e : e.getCause());
    } finally {
      attempt.cancel(true);
    }
  }

  private static String reason(Throwable cause) {
    String text =
        cause instanceof IOException && cause.getMessage() != null
            ? cause.getMessage()
            : cause.toString();
    String line = text.replaceAll("[\\p{Cntrl}\\u2028\\u2029]+", " ").strip();
    return line.length() > LONGEST_REASON ? line.substring(0, LONGEST_REASON) + "…" : line;
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    carrier.close();
  }
}
