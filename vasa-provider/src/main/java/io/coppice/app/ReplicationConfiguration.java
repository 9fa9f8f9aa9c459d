package io.coppice.app;

import io.coppice.app.setting.AdvertisedAddresses;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.tls.PairingOverHttp;
import io.coppice.app.tls.TlsFiles;
import io.coppice.engine.StorageEngine;
import io.coppice.replication.PoolName;
import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.alert.AlertSource;
import io.coppice.vasa.alert.source.RunbookSource;
import io.coppice.vasa.audit.OwnWork;
import io.coppice.vasa.binding.Bindings;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.export.Exports;
import io.coppice.vasa.export.PlainHosts;
import io.coppice.vasa.gate.WorkGate;
import io.coppice.vasa.inventory.Inventory;
import io.coppice.vasa.policy.Profiles;
import io.coppice.vasa.replication.FaultDomain;
import io.coppice.vasa.replication.Replication;
import io.coppice.vasa.replication.group.PoolReplication;
import io.coppice.vasa.replication.group.ReplicationGroups;
import io.coppice.vasa.replication.lag.LagHistory;
import io.coppice.vasa.replication.lag.LagWatch;
import io.coppice.vasa.replication.link.PeerLinks;
import io.coppice.vasa.replication.pairing.Pairing;
import io.coppice.vasa.replication.pairing.PeerRecords;
import io.coppice.vasa.replication.partner.GroupChanging;
import io.coppice.vasa.replication.partner.LongChanges;
import io.coppice.vasa.replication.partner.Partner;
import io.coppice.vasa.replication.runbook.PoolRunbooks;
import io.coppice.vasa.replication.runbook.RunbookNames;
import io.coppice.vasa.replication.runbook.RunbookRuns;
import io.coppice.vasa.replication.runbook.Runbooks;
import io.coppice.vasa.session.CurrentSession;
import io.coppice.vasa.session.TrustSets;
import io.coppice.vasa.task.Tasks;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.vasa.volume.lifecycle.VolumeRecovery;
import io.coppice.vasa.volume.policy.VolumePolicies;
import io.coppice.vasa.volume.store.VolumeStore;
import java.time.InstantSource;
import java.util.Set;
import java.util.function.Predicate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

/// Replication between this pool and others, and runbooks for it. Cycles need the data plane only.
@Configuration(proxyBeanMethods = false)
class ReplicationConfiguration {

  @Bean
  PoolName poolName(StorageEngine engine, CoppiceProperties properties) {
    return new PoolName(engine.pool().id(), properties.vasa().name());
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  PoolReplication poolReplication(
      PoolName self,
      PeerRecords peers,
      VolumeStore store,
      VirtualVolumes virtual,
      VolumeRecovery recovery,
      Containers containers,
      CoppiceProperties properties,
      InstantSource clock) {
    AdvertisedAddresses reach = new AdvertisedAddresses(properties);
    PeerLinks.Settings settings =
        new PeerLinks.Settings(
            properties.replication().listen(),
            properties.replication().connections(),
            properties.replication().link(),
            reach::links);
    return new PoolReplication(self, peers, settings, store, virtual, recovery, containers, clock);
  }

  @Bean
  ReplicationGroups replicationGroups(PoolReplication replication) {
    return replication.groups();
  }

  @Bean
  LagWatch lagWatch(ReplicationGroups groups, PeerRecords peers, InstantSource clock) {
    return new LagWatch(groups, peers::all, clock);
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  LagHistory lagHistory(ReplicationGroups groups, LagWatch watch, InstantSource clock) {
    return new LagHistory(groups, watch, clock);
  }

  @Bean
  Pairing pairing(
      PoolName self,
      PeerRecords peers,
      PoolReplication replication,
      VolumeStore store,
      TlsFiles tls,
      InstantSource clock) {
    return new Pairing(
        new Pairing.Site(
            self, replication.links()::address, () -> tls.management().current().leaf()),
        peers,
        new PairingOverHttp(),
        store.changes()::note,
        clock,
        System::nanoTime);
  }

  @Bean
  LongChanges longChanges(
      ReplicationGroups groups, Tasks tasks, JdbcClient jdbc, TransactionOperations transactions) {
    return new LongChanges(groups, tasks, jdbc, transactions, LongChanges.PATIENCE);
  }

  @Bean
  Replication replication(
      PoolName self,
      ReplicationGroups groups,
      LongChanges longOnes,
      PeerRecords peers,
      Containers containers,
      Bindings bindings,
      TrustSets trust,
      Profiles profiles,
      VolumePolicies policies) {
    FaultDomain domain =
        new FaultDomain(
            FaultDomain.idOf(self.id()),
            self.name(),
            "One Coppice pool and its provider",
            Inventory.arrayId(self.id()),
            self.id().toString());
    GroupChanging changing =
        new GroupChanging(groups, longOnes, bindings, () -> ownHosts(trust), profiles, policies);
    return new Partner(domain, groups, peers, containers, changing);
  }

  private static Predicate<HostId> ownHosts(TrustSets trust) {
    Set<String> hosts = trust.hostsOf(CurrentSession.get().trustSet());
    return host -> hosts.contains(host.value());
  }

  @Bean
  @Order(12)
  StartStep replicationIsSettled(ReplicationGroups groups) {
    return new StartStep("replication groups are settled", groups.roles()::settleAll);
  }

  @Bean
  @Order(17)
  StartStep longChangesGoOn(LongChanges changes) {
    return new StartStep("changes of replication groups go on", changes::resume);
  }

  // ---- runbooks

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
