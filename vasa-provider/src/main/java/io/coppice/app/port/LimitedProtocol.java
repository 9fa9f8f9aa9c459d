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

  /// The web server makes the protocol of its own port by this class's name.
  public LimitedProtocol() {
    this(new LimitedEndpoint());
  }

  private LimitedProtocol(LimitedEndpoint endpoint) {
    super(endpoint);
    this.endpoint = endpoint;
  }

  /// A protocol that reports handshakes which did not end well.
  ///
  /// @param brokenOff receives the client's IP address and the failure in TLS's words
  public static LimitedProtocol watched(BiConsumer<String, String> brokenOff) {
    return new LimitedProtocol(new WatchedHandshakes(brokenOff));
  }

  /// Sets the limits from now on.
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

  /// Sweeps, and catches everything: an exception must not end later sweeps.
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
