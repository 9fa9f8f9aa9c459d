package io.coppice.cli.command;

import java.time.Instant;
import java.util.List;

/// The rates that `top` shows at one moment.
///
/// @param total of all volumes, the ones that nobody reaches any more included
/// @param volumes those that were used, the first in the chosen order first
record TrafficRates(Instant at, TrafficRate total, List<TrafficRate> volumes) {
  TrafficRates {
    volumes = List.copyOf(volumes);
  }
}
