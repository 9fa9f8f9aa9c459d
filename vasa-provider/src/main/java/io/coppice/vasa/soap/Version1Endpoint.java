package io.coppice.vasa.soap;

import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.soap.translate.Version1Mapper;
import io.coppice.wsdl.v1.data.StorageAlarm;
import io.coppice.wsdl.v1.data.StorageArray;
import io.coppice.wsdl.v1.data.StorageCapability;
import io.coppice.wsdl.v1.data.StorageEvent;
import io.coppice.wsdl.v1.data.StorageFileSystem;
import io.coppice.wsdl.v1.data.StorageLun;
import io.coppice.wsdl.v1.data.StoragePort;
import io.coppice.wsdl.v1.data.StorageProcessor;
import io.coppice.wsdl.v1.data.UsageContext;
import io.coppice.wsdl.v1.data.VasaAssociationObject;
import io.coppice.wsdl.v1.data.VasaProviderInfo;
import io.coppice.wsdl.v1.service.QueryCatalogResponse;
import io.coppice.wsdl.v1.service.UnregisterVASACertificate;
import io.coppice.wsdl.v1.service.VasaServicePortType;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// VASA 1.0 (contract §6.1): the operations of 2.0 without virtual volumes. The same classes do
/// them, with less in their answers. A nil element of a list is dropped.
@Component
public final class Version1Endpoint implements VasaServicePortType {

  private final VasaSections to;

  Version1Endpoint(VasaSections to) {
    this.to = to;
  }

  @Override
  public VasaProviderInfo setContext(@Nullable UsageContext usageContext) {
    return Version1Mapper.providerInfo(
        to.session().setContext(Version1Mapper.usageContext(usageContext)));
  }

  @Override
  public VasaProviderInfo registerVASACertificate(
      @Nullable String userName, @Nullable String password, @Nullable String newCertificate) {
    return Version1Mapper.providerInfo(
        plain(() -> to.session().registerVASACertificate(userName, password, newCertificate)));
  }

  @Override
  public void unregisterVASACertificate(UnregisterVASACertificate parameters) {
    var wire = new io.coppice.wsdl.service.UnregisterVASACertificate();
    wire.setExistingCertificate(parameters.getExistingCertificate());
    plain(
        () -> {
          to.session().unregisterVASACertificate(wire);
          return true;
        });
  }

  /// Runs `work`. 1.0 does not name a refused certificate.
  private static <T> T plain(Supplier<T> work) {
    try {
      return work.get();
    } catch (VasaException e) {
      throw e.fault() instanceof Fault.InvalidCertificate
          ? new VasaException(
              new Fault.InvalidCertificate(), Objects.requireNonNullElse(e.getMessage(), ""), e)
          : e;
    }
  }

  @Override
  public QueryCatalogResponse queryCatalog() {
    var response = new QueryCatalogResponse();
    to.inventory().queryCatalog().getReturn().stream()
        .filter(Version1Mapper::isKnown)
        .map(Version1Mapper::catalog)
        .forEach(response.getReturn()::add);
    return response;
  }

  @Override
  public Integer getNumberOfEntities(@Nullable String entityType) {
    return to.inventory().getNumberOfEntities(Version1Mapper.entityType(entityType));
  }

  @Override
  public List<String> queryUniqueIdentifiersForEntity(@Nullable String entityType) {
    return to.inventory().queryUniqueIdentifiersForEntity(Version1Mapper.entityType(entityType));
  }

  @Override
  public List<String> queryUniqueIdentifiersForLuns(@Nullable String arrayUniqueId) {
    return to.luns().queryUniqueIdentifiersForLuns(arrayUniqueId);
  }

  @Override
  public List<String> queryUniqueIdentifiersForFileSystems(@Nullable String fsUniqueId) {
    return to.inventory().queryUniqueIdentifiersForFileSystems(fsUniqueId);
  }

  @Override
  public List<StorageArray> queryArrays(@Nullable List<String> arrayUniqueId) {
    return each(to.inventory()::queryArrays, arrayUniqueId, Version1Mapper::array);
  }

  @Override
  public List<StorageProcessor> queryStorageProcessors(@Nullable List<String> spUniqueId) {
    return each(to.inventory()::queryStorageProcessors, spUniqueId, Version1Mapper::processor);
  }

  @Override
  public List<StoragePort> queryStoragePorts(@Nullable List<String> portUniqueId) {
    return each(to.inventory()::queryStoragePorts, portUniqueId, Version1Mapper::port);
  }

  @Override
  public List<StorageLun> queryStorageLuns(@Nullable List<String> lunUniqueId) {
    return each(to.luns()::queryStorageLuns, lunUniqueId, Version1Mapper::lun);
  }

  @Override
  public List<StorageFileSystem> queryStorageFileSystems(@Nullable List<String> fsUniqueId) {
    return each(to.inventory()::queryStorageFileSystems, fsUniqueId, Version1Mapper::fileSystem);
  }

  @Override
  public List<StorageCapability> queryStorageCapabilities(
      @Nullable List<String> capabilityUniqueId) {
    return each(
        to.luns()::queryStorageCapabilities, capabilityUniqueId, Version1Mapper::capability);
  }

  @Override
  public List<VasaAssociationObject> queryAssociatedProcessorsForArray(
      @Nullable List<String> arrayUniqueId) {
    return each(
        to.inventory()::queryAssociatedProcessorsForArray,
        arrayUniqueId,
        Version1Mapper::association);
  }

  @Override
  public List<VasaAssociationObject> queryAssociatedPortsForProcessor(
      @Nullable List<String> spUniqueId) {
    return each(
        to.inventory()::queryAssociatedPortsForProcessor, spUniqueId, Version1Mapper::association);
  }

  @Override
  public List<VasaAssociationObject> queryAssociatedLunsForPort(
      @Nullable List<String> portUniqueId) {
    return each(to.luns()::queryAssociatedLunsForPort, portUniqueId, Version1Mapper::association);
  }

  @Override
  public List<VasaAssociationObject> queryAssociatedCapabilityForLun(
      @Nullable List<String> lunUniqueId) {
    return each(
        to.luns()::queryAssociatedCapabilityForLun, lunUniqueId, Version1Mapper::association);
  }

  @Override
  public List<VasaAssociationObject> queryAssociatedCapabilityForFileSystem(
      @Nullable List<String> fsUniqueId) {
    return each(
        to.inventory()::queryAssociatedCapabilityForFileSystem,
        fsUniqueId,
        Version1Mapper::association);
  }

  @Override
  public Boolean queryDRSMigrationCapabilityForPerformance(
      @Nullable String srcUniqueId, @Nullable String dstUniqueId, @Nullable String entityType) {
    return to.luns()
        .queryDRSMigrationCapabilityForPerformance(srcUniqueId, dstUniqueId, entityType);
  }

  @Override
  public List<StorageEvent> getEvents(@Nullable Long lastEventId) {
    return knownAfter(
            lastEventId,
            to.events()::getEvents,
            io.coppice.wsdl.data.StorageEvent::getEventId,
            Version1Mapper::isKnown)
        .stream()
        .map(Version1Mapper::event)
        .toList();
  }

  @Override
  public List<StorageAlarm> getAlarms(@Nullable Long lastAlarmId) {
    return knownAfter(
            lastAlarmId,
            to.events()::getAlarms,
            io.coppice.wsdl.data.StorageAlarm::getAlarmId,
            Version1Mapper::isKnown)
        .stream()
        .map(Version1Mapper::alarm)
        .toList();
  }

  /// The first page that has something 1.0 knows; empty at the end. A client would stop at a page
  /// without anything.
  private static <T> List<T> knownAfter(
      @Nullable Long last,
      Function<@Nullable Long, List<T>> page,
      Function<T, Long> idOf,
      Predicate<T> known) {
    Long after = last;
    while (true) {
      List<T> all = page.apply(after);
      List<T> wanted = all.stream().filter(known).toList();
      if (all.isEmpty() || !wanted.isEmpty()) {
        return wanted;
      }
      after = idOf.apply(all.getLast());
    }
  }

  private static <T, W> List<W> each(
      Function<List<String>, List<T>> query,
      @Nullable List<String> ids,
      Function<T, W> toVersion1) {
    List<String> present = ids == null ? List.of() : ids.stream().filter(Objects::nonNull).toList();
    return query.apply(present).stream().map(toVersion1).toList();
  }
}
