package io.coppice.vasa.soap.operation;

import io.coppice.vasa.event.RaisedAlarm;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.inventory.EntityIds;
import io.coppice.vasa.inventory.Inventory;
import io.coppice.vasa.inventory.PlainLuns;
import io.coppice.vasa.session.CurrentSession;
import io.coppice.vasa.soap.translate.ArrayIdentity;
import io.coppice.vasa.soap.translate.InventoryMapper;
import io.coppice.vasa.soap.value.Identifiers;
import io.coppice.vasa.soap.value.Megabytes;
import io.coppice.vasa.soap.value.Xml;
import io.coppice.wsdl.data.BackingConfig;
import io.coppice.wsdl.data.BackingStoragePool;
import io.coppice.wsdl.data.EntitySet;
import io.coppice.wsdl.data.ObjectFactory;
import io.coppice.wsdl.data.StorageCapability;
import io.coppice.wsdl.data.StorageDrsMigrationCapabilityResult;
import io.coppice.wsdl.data.StorageLun;
import io.coppice.wsdl.data.VasaAssociationObject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Plain exports as the LUNs of VASA 1.0, the pool behind them, and the answers to Storage DRS
/// about them (contract §5.2).
///
/// All LUNs are stored in one pool of one device. Moving data between two of them improves nothing,
/// and Storage DRS is told so.
@Component
public final class LunOperations {

  private static final ObjectFactory DATA = new ObjectFactory();

  private static final String LUN = "StorageLun";

  /// Types between which Storage DRS moves data.
  private static final List<String> MIGRATABLE = List.of(LUN, InventoryOperations.FILE_SYSTEM);

  private final PlainLuns luns;
  private final Inventory inventory;

  LunOperations(PlainLuns luns, Inventory inventory) {
    this.luns = luns;
    this.inventory = inventory;
  }

  public List<String> queryUniqueIdentifiersForLuns(@Nullable String arrayUniqueId) {
    String array = Xml.required(arrayUniqueId, "arrayUniqueId");
    EntityIds.requireWellFormed(array, ArrayIdentity.TYPE);
    inventory.requireArray(array);
    return luns.ids(CurrentSession.get());
  }

  public List<StorageLun> queryStorageLuns(@Nullable List<String> lunUniqueId) {
    RaisedAlarm.Status fullness = luns.fullness();
    String pool = luns.pool().id();
    return InventoryOperations.chosen(
        LUN, lunUniqueId, visible(), PlainLuns.Lun::id, lun -> wire(lun, pool, fullness));
  }

  public List<StorageCapability> queryStorageCapabilities(
      @Nullable List<String> capabilityUniqueId) {
    return InventoryOperations.chosen(
        "StorageCapability",
        capabilityUniqueId,
        List.of(PlainLuns.Provisioning.values()),
        PlainLuns.Provisioning::id,
        LunOperations::wire);
  }

  /// The LUNs of ports. Leaves out ports without a LUN for the caller.
  public List<VasaAssociationObject> queryAssociatedLunsForPort(
      @Nullable List<String> portUniqueId) {
    List<String> ids = luns.ids(CurrentSession.get());
    List<Inventory.Port> ports =
        inventory.ports().stream()
            .filter(port -> !ids.isEmpty() && port.iscsiName().equals(luns.port()))
            .toList();
    return InventoryOperations.chosen(
        InventoryOperations.PORT,
        portUniqueId,
        ports,
        Inventory.Port::id,
        port -> InventoryOperations.association(port.id(), ids));
  }

  public List<VasaAssociationObject> queryAssociatedCapabilityForLun(
      @Nullable List<String> lunUniqueId) {
    return InventoryOperations.chosen(
        LUN,
        lunUniqueId,
        visible(),
        PlainLuns.Lun::id,
        lun -> InventoryOperations.association(lun.id(), List.of(lun.provisioning().id())));
  }

  /// Whether moving data from one to the other may make it faster: never.
  public Boolean queryDRSMigrationCapabilityForPerformance(
      @Nullable String srcUniqueId, @Nullable String dstUniqueId, @Nullable String entityType) {
    String source = Xml.required(srcUniqueId, "srcUniqueId");
    String destination = Xml.required(dstUniqueId, "dstUniqueId");
    String type = Xml.required(entityType, "entityType");
    if (!MIGRATABLE.contains(type)) {
      throw VasaException.invalidArgument(
          "expected StorageLun or StorageFileSystem as entityType, got " + type);
    }
    List<String> known = type.equals(LUN) ? luns.ids(CurrentSession.get()) : List.of();
    for (String id : List.of(source, destination)) {
      EntityIds.requireWellFormed(id, type);
      if (!known.contains(id)) {
        throw VasaException.notFound("there is no %s %s".formatted(type, id));
      }
    }
    return false;
  }

  /// Sets of entities between which data should not be moved: all that the caller sees. Other
  /// entities are skipped, and a single one is no set.
  public StorageDrsMigrationCapabilityResult queryDrsMigrationCapabilityForPerformanceEx(
      @Nullable List<String> entityId) {
    List<String> asked = Xml.all(entityId, "entityId");
    if (asked.isEmpty()) {
      throw VasaException.invalidArgument("expected at least one entityId, got none");
    }
    asked.forEach(id -> EntityIds.requireWellFormed(id, MIGRATABLE));
    Set<String> found = new LinkedHashSet<>(asked);
    found.retainAll(luns.ids(CurrentSession.get()));
    var result = new StorageDrsMigrationCapabilityResult();
    if (found.size() > 1) {
      var set = new EntitySet();
      set.getEntityId().addAll(found);
      result.getNonRecommendedEntitySet().add(set);
    }
    return result;
  }

  public List<BackingStoragePool> queryBackingStoragePools(
      @Nullable List<String> storagePoolUniqueId) {
    return InventoryOperations.chosen(
        "BackingStoragePool",
        storagePoolUniqueId,
        List.of(luns.pool()),
        PlainLuns.BackingPool::id,
        LunOperations::wire);
  }

  private List<PlainLuns.Lun> visible() {
    return luns.of(CurrentSession.get());
  }

  private static StorageLun wire(PlainLuns.Lun lun, String pool, RaisedAlarm.Status fullness) {
    var backing = new BackingConfig();
    backing.setAutoTieringEnabled(false);
    backing.setThinProvisionBackingIdentifier(
        DATA.createBackingConfigThinProvisionBackingIdentifier(pool));
    var wire = new StorageLun();
    InventoryMapper.identify(wire, lun.id());
    wire.getAlternateIdentifier().add(Identifiers.text(lun.volume()));
    wire.setBackingConfig(DATA.createStorageLunBackingConfig(backing));
    wire.setCapacityInMB(Megabytes.ceiling(lun.sizeInBytes()));
    wire.setDisplayName(DATA.createStorageLunDisplayName(lun.name()));
    wire.setDrsManagementPermitted(false);
    wire.setEsxLunIdentifier(DATA.createStorageLunEsxLunIdentifier(lun.naa()));
    wire.setThinProvisioned(lun.provisioning() == PlainLuns.Provisioning.THIN);
    wire.setThinProvisioningStatus(
        DATA.createStorageLunThinProvisioningStatus(fullness.wireName()));
    wire.setUsedSpaceInMB(Megabytes.ceiling(lun.storedBytes()));
    return wire;
  }

  private static StorageCapability wire(PlainLuns.Provisioning provisioning) {
    var wire = new StorageCapability();
    InventoryMapper.identify(wire, provisioning.id());
    wire.setCapabilityName(DATA.createStorageCapabilityCapabilityName(provisioning.label()));
    wire.setCapabilityDetail(DATA.createStorageCapabilityCapabilityDetail(provisioning.detail()));
    return wire;
  }

  private static BackingStoragePool wire(PlainLuns.BackingPool pool) {
    var wire = new BackingStoragePool();
    InventoryMapper.identify(wire, pool.id());
    wire.setCapacityInMB(Megabytes.floor(pool.capacityInBytes()));
    wire.setType("ThinProvisioningPool");
    wire.setUsedSpaceInMB(Megabytes.ceiling(pool.usedBytes()));
    return wire;
  }
}
