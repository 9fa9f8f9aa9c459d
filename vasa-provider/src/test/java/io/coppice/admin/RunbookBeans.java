package io.coppice.admin;

import io.coppice.vasa.replication.group.ReplicationGroups;
import io.coppice.vasa.replication.runbook.PoolRunbooks;
import io.coppice.vasa.replication.runbook.RunbookNames;
import io.coppice.vasa.replication.runbook.RunbookRuns;
import io.coppice.vasa.replication.runbook.Runbooks;
import io.coppice.vasa.testing.ControlPlane;
import org.springframework.context.annotation.Bean;

/// The beans of runbooks for the [AdminApplication]. No test begins by itself.
class RunbookBeans {

  @Bean(destroyMethod = "close")
  PoolRunbooks poolRunbooks(ControlPlane control, ReplicationGroups groups) {
    return pool(control, groups);
  }

  /// The runbooks of a pool, as after a start.
  static PoolRunbooks pool(ControlPlane control, ReplicationGroups groups) {
    return new PoolRunbooks(
        control.store,
        groups,
        control.exports,
        control.plainHosts,
        new PoolRunbooks.Duties(control.gate, control.ownWork),
        control.clock);
  }

  @Bean
  Runbooks runbooks(PoolRunbooks pool) {
    return pool.runbooks();
  }

  @Bean(destroyMethod = "")
  RunbookRuns runbookRuns(PoolRunbooks pool) {
    return pool.runs();
  }

  @Bean
  RunbookNames runbookNames(PoolRunbooks pool) {
    return pool.names();
  }
}
