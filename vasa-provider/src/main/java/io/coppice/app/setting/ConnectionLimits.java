package io.coppice.app.setting;

import java.time.Duration;

/// Limits of the connections of a port.
///
/// @param perAddress connections of one client address at a time
/// @param handshakeOrHead how long a TLS handshake, and the head of a request, may each take
public record ConnectionLimits(int perAddress, Duration handshakeOrHead) {

  /// No limits, until some are set.
  public static final ConnectionLimits NONE =
      new ConnectionLimits(Integer.MAX_VALUE, Duration.ofDays(1));
}
