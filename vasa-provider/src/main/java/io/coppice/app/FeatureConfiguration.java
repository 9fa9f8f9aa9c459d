package io.coppice.app;

import io.coppice.app.setting.CoppiceProperties;
import io.coppice.engine.StorageEngine;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.vasa.binding.Endpoints;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.export.PlainHosts;
import io.coppice.vasa.export.temporary.TemporaryExports;
import io.coppice.vasa.housekeeping.HousekeepingRounds;
import io.coppice.vasa.inventory.Inventory;
import io.coppice.vasa.inventory.PlainLuns;
import io.coppice.vasa.policy.Capabilities;
import io.coppice.vasa.policy.Profiles;
import io.coppice.vasa.recovery.Reconciliation;
import io.coppice.vasa.session.CurrentSession;
import io.coppice.vasa.soap.translate.MessageCatalogs;
import io.coppice.vasa.step.StepObserver;
import io.coppice.vasa.time.ClockSettings;
import io.coppice.vasa.time.SeenTime;
import io.coppice.vasa.volume.bin.BinSettings;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/// Work of the features at start, and the lists that they provide.
@Configuration(proxyBeanMethods = false)
class FeatureConfiguration {

  @Bean
  StepObserver stepObserver() {
    return StepObserver.NONE;
  }

  @Bean
  SeenTime seenTime(StorageEngine engine, InstantSource clock, ClockSettings settings) {
    return new SeenTime(engine.records(), clock, System::nanoTime, settings);
  }

  @Bean
  BinSettings binSettings(CoppiceProperties properties) {
    return properties.bin().settings();
  }

  @Bean
  @Order(10)
  StartStep reconciled(Reconciliation reconciliation) {
    return new StartStep(
        "rows agree with the pool", reconciliation::atStart, reconciliation::progress);
  }

  @Bean
  @Order(15)
  StartStep exportsAreInLine(PlainHosts hosts) {
    return new StartStep("exports are in line with their hosts", hosts::agree);
  }

  @Bean
  @Order(16)
  StartStep temporaryExportsAreWhole(TemporaryExports exports) {
    return new StartStep("temporary exports that were cut short are gone", exports::round);
  }

  @Bean
  @Order(20)
  StartStep hostsAreAskedToMove(Endpoints endpoints) {
    return new StartStep("endpoints out of service are being left", endpoints::askAgain);
  }

  @Bean
  @Order(100)
  StartStep schedulesRun(HousekeepingRounds housekeeping) {
    return new StartStep("schedules run", housekeeping::start);
  }

  @Bean
  Inventory.EntityListing containerListing(Containers containers) {
    return new Inventory.EntityListing(
        "StorageContainer",
        () -> containers.list().stream().map(container -> container.id().toString()).toList());
  }

  @Bean
  Inventory.EntityListing endpointListing(LunDirectory luns, StorageEngine engine) {
    return new Inventory.EntityListing(
        "ProtocolEndpoint",
        () ->
            luns.endpoints().stream()
                .map(endpoint -> Inventory.endpointId(engine.pool().id(), endpoint.lun()))
                .toList());
  }

  @Bean
  Inventory.EntityListing lunListing(PlainLuns luns) {
    return new Inventory.EntityListing("StorageLun", () -> luns.ids(CurrentSession.get()));
  }

  @Bean
  Inventory.EntityListing lunCapabilityListing() {
    return new Inventory.EntityListing(
        "StorageCapability",
        () ->
            Arrays.stream(PlainLuns.Provisioning.values())
                .map(PlainLuns.Provisioning::id)
                .toList());
  }

  @Bean
  Inventory.EntityListing backingPoolListing(PlainLuns luns) {
    return new Inventory.EntityListing("BackingStoragePool", () -> List.of(luns.pool().id()));
  }

  @Bean
  Inventory.EntityListing schemaListing() {
    return new Inventory.EntityListing(
        "CapabilitySchema", () -> List.of(Capabilities.STANDARD_NAMESPACE, Capabilities.NAMESPACE));
  }

  @Bean
  Inventory.EntityListing volumeListing(VirtualVolumes volumes) {
    return new Inventory.EntityListing(
        "VirtualVolumeInfo",
        () -> volumes.ids().stream().map(id -> "rfc4122." + id).toList(),
        volumes::count);
  }

  @Bean
  Inventory.EntityListing catalogListing(MessageCatalogs catalogs) {
    return new Inventory.EntityListing("MessageCatalog", catalogs::ids);
  }

  @Bean
  Inventory.EntityListing profileListing(Profiles profiles) {
    return new Inventory.EntityListing(
        "CapabilityProfile",
        () -> profiles.offered().stream().map(profile -> profile.id()).toList());
  }
}
