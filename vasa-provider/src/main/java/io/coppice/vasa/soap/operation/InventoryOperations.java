package io.coppice.vasa.soap.operation;

import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.inventory.EntityIds;
import io.coppice.vasa.inventory.Inventory;
import io.coppice.vasa.soap.translate.ArrayIdentity;
import io.coppice.vasa.soap.translate.InventoryMapper;
import io.coppice.vasa.soap.translate.MessageCatalogs;
import io.coppice.vasa.soap.value.Xml;
import io.coppice.wsdl.data.BaseStorageEntity;
import io.coppice.wsdl.data.StorageArray;
import io.coppice.wsdl.data.StorageFileSystem;
import io.coppice.wsdl.data.StoragePort;
import io.coppice.wsdl.data.StorageProcessor;
import io.coppice.wsdl.data.VasaAssociationObject;
import io.coppice.wsdl.service.QueryCatalogResponse;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Inventory operations, except those on LUNs, which stand in [LunOperations] (contract §5.2).
/// There are no file systems, so their lists are empty.
@Component
public final class InventoryOperations {

  static final String PROCESSOR = "StorageProcessor";
  static final String PORT = "StoragePort";
  static final String FILE_SYSTEM = "StorageFileSystem";

  private final Inventory inventory;
  private final InventoryMapper mapper;
  private final MessageCatalogs catalogs;

  public InventoryOperations(
      Inventory inventory, InventoryMapper mapper, MessageCatalogs catalogs) {
    this.inventory = inventory;
    this.mapper = mapper;
    this.catalogs = catalogs;
  }

  public QueryCatalogResponse queryCatalog() {
    var response = new QueryCatalogResponse();
    response.getReturn().addAll(catalogs.list());
    return response;
  }

  public Integer getNumberOfEntities(@Nullable String entityType) {
    return inventory.count(Xml.required(entityType, "entityType"));
  }

  public List<String> queryUniqueIdentifiersForEntity(@Nullable String entityType) {
    return inventory.identifiers(Xml.required(entityType, "entityType"));
  }

  public List<String> queryUniqueIdentifiersForFileSystems(@Nullable String fsUniqueId) {
    String id = Xml.required(fsUniqueId, "fsUniqueId");
    EntityIds.requireWellFormed(id, List.of(ArrayIdentity.TYPE, FILE_SYSTEM));
    inventory.requireArray(id);
    return List.of();
  }

  public List<StorageArray> queryArrays(@Nullable List<String> arrayUniqueId) {
    return chosen(
        ArrayIdentity.TYPE,
        arrayUniqueId,
        List.of(inventory.array()),
        Inventory.Array::id,
        mapper::array);
  }

  public List<StorageProcessor> queryStorageProcessors(@Nullable List<String> spUniqueId) {
    return chosen(
        PROCESSOR,
        spUniqueId,
        List.of(inventory.processor()),
        Inventory.Processor::id,
        mapper::processor);
  }

  public List<StoragePort> queryStoragePorts(@Nullable List<String> portUniqueId) {
    return chosen(PORT, portUniqueId, inventory.ports(), Inventory.Port::id, mapper::port);
  }

  public List<StorageFileSystem> queryStorageFileSystems(@Nullable List<String> fsUniqueId) {
    wellFormed(FILE_SYSTEM, fsUniqueId);
    return List.of();
  }

  public List<VasaAssociationObject> queryAssociatedProcessorsForArray(
      @Nullable List<String> arrayUniqueId) {
    return chosen(
        ArrayIdentity.TYPE,
        arrayUniqueId,
        List.of(inventory.array()),
        Inventory.Array::id,
        array -> association(array.id(), List.of(inventory.processor().id())));
  }

  public List<VasaAssociationObject> queryAssociatedPortsForProcessor(
      @Nullable List<String> spUniqueId) {
    return chosen(
        PROCESSOR,
        spUniqueId,
        List.of(inventory.processor()),
        Inventory.Processor::id,
        processor ->
            association(
                processor.id(), inventory.ports().stream().map(Inventory.Port::id).toList()));
  }

  public List<VasaAssociationObject> queryAssociatedCapabilityForFileSystem(
      @Nullable List<String> fsUniqueId) {
    wellFormed(FILE_SYSTEM, fsUniqueId);
    return List.of();
  }

  /// The items that the ids choose, in the inventory's order; all if there are no ids. Unknown ids
  /// are skipped.
  ///
  /// @param type of the ids, an `EntityTypeEnum` value
  /// @throws VasaException (InvalidArgument) if an id does not have the form of the type
  static <T, W> List<W> chosen(
      String type,
      @Nullable List<String> ids,
      List<T> values,
      Function<T, String> idOf,
      Function<T, W> toWire) {
    List<String> wanted = wellFormed(type, ids);
    return values.stream()
        .filter(value -> wanted.isEmpty() || wanted.contains(idOf.apply(value)))
        .map(toWire)
        .toList();
  }

  private static List<String> wellFormed(String type, @Nullable List<String> ids) {
    List<String> wanted = Xml.all(ids, "the identifiers");
    wanted.forEach(id -> EntityIds.requireWellFormed(id, type));
    return wanted;
  }

  static VasaAssociationObject association(String entity, List<String> associated) {
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
