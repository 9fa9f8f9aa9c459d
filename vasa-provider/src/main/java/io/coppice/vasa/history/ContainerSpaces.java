package io.coppice.vasa.history;

import io.coppice.vasa.container.Containers;
import io.coppice.vasa.gate.WorkGate;
import io.coppice.vasa.time.IntervalThread;
import io.coppice.vasa.volume.space.ContainerSpace;
import io.coppice.vasa.volume.space.SpaceStatistics;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The space of containers, asked once a minute by a thread of its own, because the database that
/// knows their quotas may hang. An answer counts for a while; then there is none.
public final class ContainerSpaces implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ContainerSpaces.class);
  private static final Duration PAUSE = Duration.ofSeconds(30);
  private static final Duration COUNTS = Duration.ofSeconds(90);

  private final Containers containers;
  private final SpaceStatistics spaces;
  private final WorkGate gate;
  private final LongSupplier nanos;
  private final IntervalThread thread = new IntervalThread("history-containers", PAUSE, this::ask);
  private volatile Answer answer;

  private record Answer(long nanos, Map<UUID, ContainerSpace> spaces) {}

  public ContainerSpaces(
      Containers containers, SpaceStatistics spaces, WorkGate gate, LongSupplier nanos) {
    this.containers = containers;
    this.spaces = spaces;
    this.gate = gate;
    this.nanos = nanos;
    this.answer = new Answer(nanos.getAsLong(), Map.of());
  }

  public void start() {
    thread.start();
  }

  /// Asks the database, unless the control plane waits for it.
  public void ask() {
    try (var pass = gate.tryEnter().orElse(null)) {
      if (pass != null) {
        Map<UUID, ContainerSpace> found = new HashMap<>();
        spaces
            .ofContainers(containers.list())
            .forEach((id, content) -> found.put(id, content.space()));
        answer = new Answer(nanos.getAsLong(), Map.copyOf(found));
      }
    } catch (RuntimeException e) { // a gap; the next minute asks again
      log.atDebug().setCause(e).log("history without the space of containers");
    }
  }

  public Map<UUID, ContainerSpace> get() {
    Answer last = answer;
    return nanos.getAsLong() - last.nanos() <= COUNTS.toNanos() ? last.spaces() : Map.of();
  }

  @Override
  public void close() {
    thread.close();
  }
}
