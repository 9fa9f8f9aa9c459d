package io.coppice.app.notice;

import io.coppice.admin.health.Planes;
import io.coppice.api.system.Plane;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/// The notices of a running Coppice to its service manager: `READY=1` once, when both planes are
/// ready (as `/readyz` has it); `STATUS=` with the reasons of both whenever they change;
/// `STOPPING=1`; and, if the manager asks for it, `WATCHDOG=1` while the process is of use (as
/// `/livez` has it).
///
/// A thread of its own looks and sends. What could not be sent is sent again at the next look.
public final class ServiceNotices implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(ServiceNotices.class);
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final long MICROS_TO_NANOS = 1_000;

  private final @Nullable NotifySocket socket;
  private final Planes planes;
  private final long watchdogNanos;
  private @Nullable ScheduledExecutorService looks;

  // Of the thread that looks, and after its end of the one that stops.
  private boolean announced;
  private boolean failed;
  private String sent = "";
  private long lastSign;

  /// @param environment may have `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`; without the
  ///   first one, nothing is sent
  public ServiceNotices(Map<String, String> environment, Planes planes) {
    this.socket = NotifySocket.of(environment).orElse(null);
    this.planes = planes;
    this.watchdogNanos = watchdogNanos(environment);
  }

  /// The time after which the manager misses a sign of life; 0: it does not ask for one.
  private static long watchdogNanos(Map<String, String> environment) {
    String micros = environment.getOrDefault("WATCHDOG_USEC", "");
    String pid = environment.getOrDefault("WATCHDOG_PID", "");
    boolean isOurs = pid.isEmpty() || pid.equals(String.valueOf(ProcessHandle.current().pid()));
    return isOurs && micros.matches("[0-9]{1,15}") ? Long.parseLong(micros) * MICROS_TO_NANOS : 0;
  }

  /// Sends one status, for the time in which nobody looks yet. A failure changes nothing.
  public static void tell(Map<String, String> environment, String status) {
    NotifySocket.of(environment)
        .ifPresent(
            socket -> {
              try {
                socket.send(statusLine(status));
              } catch (IOException _) {
                // The first look finds the same and reports it.
              }
            });
  }

  /// One line: another one would be another notice.
  private static String statusLine(String status) {
    return "STATUS=" + status.replaceAll("\\s+", " ");
  }

  @Override
  public synchronized void start() {
    if (socket != null && looks == null) {
      looks =
          Executors.newSingleThreadScheduledExecutor(
              Thread.ofPlatform().name("service-notices").daemon(true).factory());
      long pause = LOOK.toNanos();
      if (watchdogNanos > 0) {
        pause = Math.clamp(watchdogNanos / 4, 1, pause);
      }
      lastSign = System.nanoTime() - watchdogNanos;
      looks.scheduleWithFixedDelay(this::look, 0, pause, TimeUnit.NANOSECONDS);
    }
  }

  private void look() {
    Plane data = planes.data();
    Plane control = planes.control();
    String status = statusLine(data.reason() + " " + control.reason());
    boolean becomesReady = !announced && data.ready() && control.ready();
    if ((becomesReady || !status.equals(sent))
        && send(becomesReady ? "READY=1\n" + status : status)) {
      sent = status;
      announced |= becomesReady;
    }
    long now = System.nanoTime();
    if (watchdogNanos > 0
        && data.ready()
        && now - lastSign >= watchdogNanos / 2
        && send("WATCHDOG=1")) {
      lastSign = now;
    }
  }

  /// Reports the first of several failures.
  private boolean send(String message) {
    try {
      if (socket != null) {
        socket.send(message);
      }
      failed = false;
      return true;
    } catch (IOException e) {
      if (!failed) {
        log.atWarn().addKeyValue("reason", e.getMessage()).log("service manager not notified");
      }
      failed = true;
      return false;
    }
  }

  @Override
  public synchronized void stop() {
    ScheduledExecutorService running = looks;
    if (running != null) {
      running.close();
      looks = null;
      send("STOPPING=1\n" + statusLine("Coppice stops."));
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return looks != null;
  }

  /// Starts after everything else and stops before it.
  @Override
  public int getPhase() {
    return Integer.MAX_VALUE;
  }
}
