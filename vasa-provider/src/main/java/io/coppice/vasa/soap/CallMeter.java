package io.coppice.vasa.soap;

import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/// The measure of VASA calls: how long each took and how it ended, how many run, and how many were
/// refused. Requests that are no call of a known operation are not counted. Safe for any thread.
public final class CallMeter {

  static final String OK = "ok";

  private static final Duration[] BUCKETS = {
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(25),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofMillis(2500),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10),
    Duration.ofSeconds(30)
  };

  private final MeterRegistry registry;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final Counter busy;
  private final Counter clients;

  public CallMeter(MeterRegistry registry) {
    this.registry = registry;
    Gauge.builder("coppice.vasa.in.flight", inFlight, AtomicInteger::get)
        .description("Calls of VASA that run now.")
        .register(registry);
    busy = refusals("busy");
    clients = refusals("client");
  }

  private Counter refusals(String reason) {
    return Counter.builder("coppice.vasa.refused")
        .description(
            "Calls of VASA that were refused: busy at a limit or a start, client for who called.")
        .tag("reason", reason)
        .register(registry);
  }

  /// Counts a call that begins now. The caller closes what it gets when the call has ended.
  Call begin(String operation) {
    inFlight.incrementAndGet();
    return new Call(operation, System.nanoTime());
  }

  /// A call under way. For one thread.
  final class Call implements AutoCloseable {

    private final String operation;
    private final long began;

    /// What counts if the call ends in a way that nobody foresaw.
    private String outcome = "StorageFault";

    private Call(String operation, long began) {
      this.operation = operation;
      this.began = began;
    }

    void succeeded() {
      outcome = OK;
    }

    /// @param fault that the client gets
    /// @param cause what the call ended with
    void failed(Fault fault, Throwable cause) {
      outcome = fault.name();
      if (cause instanceof VasaException known && known.refusesCaller()) {
        clients.increment();
      } else if (fault instanceof Fault.VasaProviderBusy) {
        busy.increment();
      }
    }

    @Override
    public void close() {
      inFlight.decrementAndGet();
      Timer.builder("coppice.vasa.call")
          .description("Time of VASA calls from the decoded request to the result.")
          .tag("operation", operation)
          .tag("outcome", outcome)
          .serviceLevelObjectives(BUCKETS)
          .register(registry)
          .record(Duration.ofNanos(System.nanoTime() - began));
    }
  }
}
