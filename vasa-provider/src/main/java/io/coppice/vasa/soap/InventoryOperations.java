package io.coppice.vasa.soap;

import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.inventory.Inventory;
import io.coppice.wsdl.data.BackingStoragePool;
import io.coppice.wsdl.data.BaseStorageEntity;
import io.coppice.wsdl.data.StorageArray;
import io.coppice.wsdl.data.StorageCapability;
import io.coppice.wsdl.data.StorageDrsMigrationCapabilityResult;
import io.coppice.wsdl.data.StorageFileSystem;
import io.coppice.wsdl.data.StorageLun;
import io.coppice.wsdl.data.StoragePort;
import io.coppice.wsdl.data.StorageProcessor;
import io.coppice.wsdl.data.VasaAssociationObject;
import io.coppice.wsdl.service.QueryCatalogResponse;
import io.coppice.wsdl.service.SetStatisticsContext;
import io.coppice.wsdl.statistics.ArrayStatisticsManifest;
import io.coppice.wsdl.statistics.AssociatedStatistics;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Inventory and statistics (contract §5.2, §5.10).
///
/// This is an array of virtual volumes only: it has no LUNs, file systems or string capabilities of
/// VASA 1.0, so those lists are empty. Statistics are not offered.
@Component
public final class InventoryOperations {

  private final Inventory inventory;
  private final InventoryMapper mapper;
  private final MessageCatalogs catalogs;

  public InventoryOperations(
      Inventory inventory, InventoryMapper mapper, MessageCatalogs catalogs) {
    this.inventory = inventory;
    this.mapper = mapper;
    this.catalogs = catalogs;
  }

  QueryCatalogResponse queryCatalog() {
    var response = new QueryCatalogResponse();
    response.getReturn().addAll(catalogs.list());
    return response;
  }

  Integer getNumberOfEntities(@Nullable String entityType) {
    return inventory.identifiers(Xml.required(entityType, "entityType")).size();
  }

  List<String> queryUniqueIdentifiersForEntity(@Nullable String entityType) {
    return inventory.identifiers(Xml.required(entityType, "entityType"));
  }

  List<String> queryUniqueIdentifiersForLuns(@Nullable String arrayUniqueId) {
    requireArray(Xml.required(arrayUniqueId, "arrayUniqueId"));
    return List.of();
  }

  List<String> queryUniqueIdentifiersForFileSystems(@Nullable String fsUniqueId) {
    requireArray(Xml.required(fsUniqueId, "fsUniqueId"));
    return List.of();
  }

  List<StorageArray> queryArrays(@Nullable List<String> arrayUniqueId) {
    return chosen(arrayUniqueId, List.of(inventory.array()), Inventory.Array::id, mapper::array);
  }

  List<StorageProcessor> queryStorageProcessors(@Nullable List<String> spUniqueId) {
    return chosen(
        spUniqueId, List.of(inventory.processor()), Inventory.Processor::id, mapper::processor);
  }

  List<StoragePort> queryStoragePorts(@Nullable List<String> portUniqueId) {
    return chosen(portUniqueId, inventory.ports(), Inventory.Port::id, mapper::port);
  }

  List<StorageLun> queryStorageLuns(@Nullable List<String> lunUniqueId) {
    Xml.all(lunUniqueId, "lunUniqueId");
    return List.of();
  }

  List<StorageFileSystem> queryStorageFileSystems(@Nullable List<String> fsUniqueId) {
    Xml.all(fsUniqueId, "fsUniqueId");
    return List.of();
  }

  List<StorageCapability> queryStorageCapabilities(@Nullable List<String> capabilityUniqueId) {
    Xml.all(capabilityUniqueId, "capabilityUniqueId");
    return List.of();
  }

  List<VasaAssociationObject> queryAssociatedProcessorsForArray(
      @Nullable List<String> arrayUniqueId) {
    return chosen(
        arrayUniqueId,
        List.of(inventory.array()),
        Inventory.Array::id,
        array -> association(array.id(), List.of(inventory.processor().id())));
  }

  List<VasaAssociationObject> queryAssociatedPortsForProcessor(@Nullable List<String> spUniqueId) {
    return chosen(
        spUniqueId,
        List.of(inventory.processor()),
        Inventory.Processor::id,
        processor ->
            association(
                processor.id(), inventory.ports().stream().map(Inventory.Port::id).toList()));
  }

  List<VasaAssociationObject> queryAssociatedLunsForPort(@Nullable List<String> portUniqueId) {
    Xml.all(portUniqueId, "portUniqueId");
    return List.of();
  }

  List<VasaAssociationObject> queryAssociatedCapabilityForLun(@Nullable List<String> lunUniqueId) {
    Xml.all(lunUniqueId, "lunUniqueId");
    return List.of();
  }

  List<VasaAssociationObject> queryAssociatedCapabilityForFileSystem(
      @Nullable List<String> fsUniqueId) {
    Xml.all(fsUniqueId, "fsUniqueId");
    return List.of();
  }

  /// There are no two LUNs or file systems here that data could be moved between.
  Boolean queryDRSMigrationCapabilityForPerformance(
      @Nullable String srcUniqueId, @Nullable String dstUniqueId, @Nullable String entityType) {
    String source = Xml.required(srcUniqueId, "srcUniqueId");
    Xml.required(dstUniqueId, "dstUniqueId");
    String type = Xml.required(entityType, "entityType");
    if (!Set.of("StorageLun", "StorageFileSystem").contains(type)) {
      throw VasaException.invalidArgument(
          "expected StorageLun or StorageFileSystem as entityType, got " + type);
    }
    throw VasaException.notFound("there is no %s %s".formatted(type, source));
  }

  StorageDrsMigrationCapabilityResult queryDrsMigrationCapabilityForPerformanceEx(
      @Nullable List<String> entityId) {
    throw VasaException.notImplemented("queryDrsMigrationCapabilityForPerformanceEx");
  }

  List<BackingStoragePool> queryBackingStoragePools(@Nullable List<String> storagePoolUniqueId) {
    throw VasaException.notImplemented("queryBackingStoragePools");
  }

  List<ArrayStatisticsManifest> queryAssociatedStatisticsManifestForArray(
      @Nullable List<ArrayStatisticsManifest> arrayStatisticsManifest) {
    throw VasaException.notImplemented("queryAssociatedStatisticsManifestForArray");
  }

  void setStatisticsContext(SetStatisticsContext parameters) {
    throw VasaException.notImplemented("setStatisticsContext");
  }

  List<AssociatedStatistics> queryAssociatedStatisticsForEntity(
      @Nullable String entityTypeName, @Nullable List<String> entityId) {
    throw VasaException.notImplemented("queryAssociatedStatisticsForEntity");
  }

  private void requireArray(String id) {
    if (!id.equals(inventory.array().id())) {
      throw VasaException.notFound("there is no storage array " + id);
    }
  }

  /// What the ids choose, in the inventory's order; all if there are none. Unknown ids are skipped.
  private static <T, W> List<W> chosen(
      @Nullable List<String> ids, List<T> values, Function<T, String> idOf, Function<T, W> toWire) {
    List<String> wanted = Xml.all(ids, "the identifiers");
    return values.stream()
        .filter(value -> wanted.isEmpty() || wanted.contains(idOf.apply(value)))
        .map(toWire)
        .toList();
  }

  private static VasaAssociationObject association(String entity, List<String> associated) {
    var wire = new VasaAssociationObject();
    wire.getEntityId().add(reference(entity));
    associated.forEach(id -> wire.getAssociatedId().add(reference(id)));
    return wire;
  }

  private static BaseStorageEntity reference(String id) {
    var entity = new BaseStorageEntity();
    InventoryMapper.identify(entity, id);
    return entity;
  }
}
