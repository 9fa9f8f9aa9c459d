package io.coppice.vasa.soap.translate;

import io.coppice.vasa.inventory.Inventory;
import io.coppice.vasa.statistics.StatisticsSettings;
import io.coppice.wsdl.data.BaseStorageEntity;
import io.coppice.wsdl.data.ObjectFactory;
import io.coppice.wsdl.data.StorageArray;
import io.coppice.wsdl.data.StoragePort;
import io.coppice.wsdl.data.StorageProcessor;
import java.util.List;
import org.springframework.stereotype.Component;

/// The translation of the inventory to stubs.
@Component
public final class InventoryMapper {

  static final String VENDOR = "Coppice";
  static final String MODEL = "vVol";

  /// The middle of the range of 0 to 255: this provider is the only one for its array.
  private static final int PRIORITY = 100;

  private static final ObjectFactory DATA = new ObjectFactory();

  private final StatisticsSettings statistics;

  public InventoryMapper(StatisticsSettings statistics) {
    this.statistics = statistics;
  }

  public StorageArray array(Inventory.Array array) {
    var wire = new StorageArray();
    identify(wire, array.id());
    wire.getAlternateName().add(array.name());
    wire.setArrayName(DATA.createStorageArrayArrayName(VENDOR));
    wire.setFirmware(DATA.createStorageArrayFirmware(array.version()));
    wire.setModelId(DATA.createStorageArrayModelId(MODEL));
    wire.setPriority(PRIORITY);
    wire.getSupportedBlock().add("ISCSI");
    wire.getSupportedProfile()
        .addAll(
            List.of(
                "BlockDeviceProfile",
                "CapabilityProfile",
                "StorageDrsBlockDevice",
                "VirtualVolumeProfile"));
    if (statistics.announced()) {
      wire.getSupportedProfile().add("StatisticsProfile");
    }
    wire.setVendorId(DATA.createStorageArrayVendorId(VENDOR));
    return wire;
  }

  public StorageProcessor processor(Inventory.Processor processor) {
    var wire = new StorageProcessor();
    identify(wire, processor.id());
    wire.getSpIdentifier().add(processor.name());
    return wire;
  }

  public StoragePort port(Inventory.Port port) {
    var wire = new StoragePort();
    identify(wire, port.id());
    wire.getAlternateName().add(port.iscsiName());
    wire.setIscsiIdentifier(DATA.createStoragePortIscsiIdentifier(port.iscsiName()));
    wire.setPortType(DATA.createStoragePortPortType("ISCSI"));
    return wire;
  }

  public static void identify(BaseStorageEntity entity, String id) {
    entity.setUniqueIdentifier(DATA.createBaseStorageEntityUniqueIdentifier(id));
  }
}
