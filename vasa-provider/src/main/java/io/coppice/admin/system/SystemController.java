package io.coppice.admin.system;

import io.coppice.admin.SystemFacts;
import io.coppice.engine.status.EngineCounters;
import io.coppice.engine.status.MirrorStatus;
import io.coppice.engine.status.PoolInfo;
import io.coppice.engine.status.PoolSpace;
import io.coppice.engine.status.PoolStatus;
import io.coppice.scsi.directory.ProtocolEndpoint;
import io.coppice.vasa.binding.Endpoints;
import io.coppice.vasa.binding.Exports;
import io.coppice.vasa.pool.StoragePool;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// The pool and the process. Needs no database.
@RestController
final class SystemController {

  private final StoragePool pool;
  private final Endpoints endpoints;
  private final Exports exports;
  private final SystemFacts facts;

  SystemController(StoragePool pool, Endpoints endpoints, Exports exports, SystemFacts facts) {
    this.pool = pool;
    this.endpoints = endpoints;
    this.exports = exports;
    this.facts = facts;
  }

  /// @param status whether volumes' I/O is served, and why not
  /// @param keptBack the part of the pool's size that is not for volumes, and why, as a sentence
  /// @param spaceLimit why less than the whole pool can be filled now; null if all of it can
  /// @param mirror the two devices of the pool; null if it is kept on one
  record SystemState(
      UUID pool,
      Instant created,
      String version,
      Urls urls,
      PoolStatus status,
      PoolSpace space,
      String keptBack,
      @Nullable String spaceLimit,
      EngineCounters counters,
      @Nullable MirrorStatus mirror,
      Targets targets,
      List<String> portals,
      List<ProtocolEndpoint> protocolEndpoints) {}

  record Urls(URI vasa, URI management) {}

  /// iSCSI names.
  record Targets(String protocolEndpoints, String plain) {}

  @GetMapping("/system")
  SystemState system() {
    PoolInfo info = pool.info();
    PoolSpace space = pool.space();
    return new SystemState(
        info.id(),
        info.created(),
        facts.version(),
        new Urls(facts.vasa().get(), facts.management().get()),
        pool.status(),
        space,
        keptBack(space),
        pool.spaceLimit().orElse(null),
        pool.counters(),
        pool.mirror().orElse(null),
        new Targets(endpoints.target(), exports.target()),
        facts.portals().get(),
        endpoints.all());
  }

  private static String keptBack(PoolSpace space) {
    long spare = space.capacity() / 7;
    return "of %d bytes %d are for volumes and their maps; %d stay free so that there is always a zone worth cleaning, %d are for checkpoints, the log and the cleaner"
        .formatted(
            space.size(),
            space.capacity(),
            spare,
            Math.max(0, space.size() - space.capacity() - spare));
  }
}
