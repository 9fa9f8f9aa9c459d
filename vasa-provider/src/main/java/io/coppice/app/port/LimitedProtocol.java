package io.coppice.app.port;

import io.coppice.app.setting.ConnectionLimits;
import java.util.Objects;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.apache.coyote.http11.Http11NioProtocol;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// HTTP on a port whose connections are limited.
public final class LimitedProtocol extends Http11NioProtocol {

  private static final Logger log = LoggerFactory.getLogger(LimitedProtocol.class);
  private static final int SWEEP_SECONDS = 1;

  private final LimitedEndpoint endpoint;
  private @Nullable ScheduledFuture<?> sweeps;

  /// By name, as the web server makes that of its own port.
  public LimitedProtocol() {
    this(new LimitedEndpoint());
  }

  private LimitedProtocol(LimitedEndpoint endpoint) {
    super(endpoint);
    this.endpoint = endpoint;
  }

  /// One that tells of handshakes which did not end well.
  ///
  /// @param brokenOff is told the client's IP address and what went wrong, in TLS's words
  public static LimitedProtocol watched(BiConsumer<String, String> brokenOff) {
    return new LimitedProtocol(new WatchedHandshakes(brokenOff));
  }

  /// From now on.
  public void limit(ConnectionLimits limits) {
    endpoint.limit(limits);
  }

  @Override
  public void start() throws Exception {
    super.start();
    sweeps =
        Objects.requireNonNull(getUtilityExecutor(), "the server's executor")
            .scheduleWithFixedDelay(this::sweep, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
  }

  /// What is thrown must not end the sweeps that follow.
  private void sweep() {
    try {
      endpoint.sweep();
    } catch (RuntimeException e) {
      log.atWarn().setCause(e).log("connections that take too long were not all closed");
    }
  }

  @Override
  public void stop() throws Exception {
    ScheduledFuture<?> running = sweeps;
    if (running != null) {
      running.cancel(false);
    }
    super.stop();
  }
}
