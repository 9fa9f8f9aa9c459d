package io.coppice.admin.system;

import io.coppice.admin.SystemFacts;
import io.coppice.admin.access.WithinContainers;
import io.coppice.api.system.SystemState;
import io.coppice.api.system.Targets;
import io.coppice.api.system.Urls;
import io.coppice.engine.status.PoolInfo;
import io.coppice.engine.status.PoolSpace;
import io.coppice.vasa.binding.Endpoints;
import io.coppice.vasa.export.Exports;
import io.coppice.vasa.pool.StoragePool;
import io.coppice.vasa.volume.space.PromisedSpace;
import io.coppice.vasa.volume.space.ReclaimablePool;
import io.coppice.vasa.volume.space.SpaceStatistics;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// The pool and the process. Needs no database.
@RestController
final class SystemController {

  private final StoragePool pool;
  private final SpaceStatistics spaces;
  private final Endpoints endpoints;
  private final Exports exports;
  private final SystemFacts facts;

  SystemController(
      StoragePool pool,
      SpaceStatistics spaces,
      Endpoints endpoints,
      Exports exports,
      SystemFacts facts) {
    this.spaces = spaces;
    this.pool = pool;
    this.endpoints = endpoints;
    this.exports = exports;
    this.facts = facts;
  }

  @GetMapping("/system")
  @WithinContainers
  SystemState system() {
    PoolInfo info = pool.info();
    ReclaimablePool counted = spaces.pool();
    PoolSpace space = counted.space();
    PromisedSpace promised = spaces.promised();
    return new SystemState(
        info.id(),
        info.created(),
        facts.version(),
        new Urls(facts.vasa().get(), facts.management().get()),
        pool.status(),
        space,
        counted.reclaimable(),
        promised.provisioned(),
        promised.mapped(),
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
