package io.coppice.app;

import io.coppice.vasa.alert.AlertSource;
import io.coppice.vasa.alert.source.RunbookSource;
import io.coppice.vasa.audit.OwnWork;
import io.coppice.vasa.export.Exports;
import io.coppice.vasa.export.PlainHosts;
import io.coppice.vasa.gate.WorkGate;
import io.coppice.vasa.replication.group.ReplicationGroups;
import io.coppice.vasa.replication.runbook.PoolRunbooks;
import io.coppice.vasa.replication.runbook.RunbookNames;
import io.coppice.vasa.replication.runbook.RunbookRuns;
import io.coppice.vasa.replication.runbook.Runbooks;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/// Runbooks, their runs, and their tests by schedule.
@Configuration(proxyBeanMethods = false)
class RunbookConfiguration {

  @Bean(destroyMethod = "close")
  PoolRunbooks poolRunbooks(
      VolumeStore store,
      ReplicationGroups groups,
      Exports exports,
      PlainHosts hosts,
      WorkGate gate,
      OwnWork own,
      InstantSource clock) {
    return new PoolRunbooks(
        store, groups, exports, hosts, new PoolRunbooks.Duties(gate, own), clock);
  }

  @Bean(destroyMethod = "")
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

  @Bean
  AlertSource runbookSource(Runbooks runbooks) {
    return new RunbookSource(runbooks);
  }

  @Bean
  @Order(101)
  StartStep runbooksAreTested(PoolRunbooks pool) {
    return new StartStep("runbooks are tested by schedule", pool::start);
  }
}
