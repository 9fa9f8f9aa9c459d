package io.coppice.vasa.soap.translate;

import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.soap.value.Xml;
import io.coppice.wsdl.v1.data.BaseStorageEntity;
import io.coppice.wsdl.v1.data.FileSystemInfo;
import io.coppice.wsdl.v1.data.MessageCatalog;
import io.coppice.wsdl.v1.data.NameValuePair;
import io.coppice.wsdl.v1.data.ObjectFactory;
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
import io.coppice.wsdl.v1.data.VendorModel;
import jakarta.xml.bind.JAXBElement;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The translation of stubs of 2.0 to those of 1.0, which have fewer fields and values, and of the
/// context back. Optional texts have the same names in both, so they are handed over as they are.
/// Times are wrapped anew, since JAXB writes them by what it knows of the wrapper.
public final class Version1Mapper {

  private static final String VERSION = "1.0";

  private static final Set<String> ENTITY_TYPES =
      Set.of(
          "StorageArray",
          "StorageProcessor",
          "StoragePort",
          "StorageLun",
          "StorageCapability",
          "StorageFileSystem");
  private static final Set<String> EVENT_TYPES = Set.of("System", "Config");
  private static final Set<String> ALARM_TYPES = Set.of("SpaceCapacity", "Capability", "Object");
  private static final Set<String> CATALOGS = Set.of("Alarm", "Event", "Fault");
  private static final Set<String> PROFILES =
      Set.of("BlockDeviceProfile", "FileSystemProfile", "CapabilityProfile");

  private static final ObjectFactory DATA = new ObjectFactory();

  private Version1Mapper() {}

  /// @throws VasaException (InvalidArgument) if there is no such type in 1.0
  public static String entityType(@Nullable String entityType) {
    String type = Xml.required(entityType, "entityType");
    if (!ENTITY_TYPES.contains(type)) {
      throw VasaException.invalidArgument(
          "expected an entity type such as StorageArray, got " + type);
    }
    return type;
  }

  /// The context. A client of 1.0 cannot choose its events: it gets those that 1.0 has.
  public static io.coppice.wsdl.data.@Nullable UsageContext usageContext(
      @Nullable UsageContext wire) {
    if (wire == null) {
      return null;
    }
    var context = new io.coppice.wsdl.data.UsageContext();
    context.setVcGuid(wire.getVcGuid());
    context.setSessionTimeoutInSeconds(wire.getSessionTimeoutInSeconds());
    context.getSubscribeEvent().addAll(EVENT_TYPES);
    wire.getHostInitiator().stream()
        .filter(Objects::nonNull)
        .forEach(
            initiator -> {
              var same = new io.coppice.wsdl.data.HostInitiatorInfo();
              same.setUniqueIdentifier(initiator.getUniqueIdentifier());
              same.setIscsiIdentifier(initiator.getIscsiIdentifier());
              same.setNodeWwn(initiator.getNodeWwn());
              same.setPortWwn(initiator.getPortWwn());
              context.getHostInitiator().add(same);
            });
    return context;
  }

  public static VasaProviderInfo providerInfo(io.coppice.wsdl.data.VasaProviderInfo info) {
    var wire = new VasaProviderInfo();
    wire.setDefaultNamespace(info.getDefaultNamespace());
    wire.setDefaultSessionTimeoutInSeconds(info.getDefaultSessionTimeoutInSeconds());
    wire.setName(info.getName());
    wire.setSessionId(info.getSessionId());
    info.getSupportedVendorModel()
        .forEach(
            model -> {
              var same = new VendorModel();
              same.setModelId(model.getModelId());
              same.setVendorId(model.getVendorId());
              wire.getSupportedVendorModel().add(same);
            });
    wire.setVasaApiVersion(DATA.createVasaProviderInfoVasaApiVersion(VERSION));
    wire.setVasaProviderVersion(info.getVasaProviderVersion());
    return wire;
  }

  public static boolean isKnown(io.coppice.wsdl.data.MessageCatalog catalog) {
    return CATALOGS.contains(Xml.text(catalog.getCatalogName()));
  }

  public static MessageCatalog catalog(io.coppice.wsdl.data.MessageCatalog catalog) {
    var wire = new MessageCatalog();
    wire.setCatalogName(catalog.getCatalogName());
    wire.setCatalogUri(catalog.getCatalogUri());
    wire.setCatalogVersion(catalog.getCatalogVersion());
    wire.setLastModified(
        DATA.createMessageCatalogLastModified(Xml.value(catalog.getLastModified())));
    wire.setLocale(catalog.getLocale());
    wire.setModuleName(catalog.getModuleName());
    return wire;
  }

  public static StorageArray array(io.coppice.wsdl.data.StorageArray array) {
    var wire = identified(new StorageArray(), array);
    wire.getAlternateName().addAll(array.getAlternateName());
    wire.setArrayName(array.getArrayName());
    wire.setFirmware(array.getFirmware());
    wire.setModelId(array.getModelId());
    wire.getSupportedBlock().addAll(array.getSupportedBlock());
    wire.getSupportedFileSystem().addAll(array.getSupportedFileSystem());
    array.getSupportedProfile().stream()
        .filter(PROFILES::contains)
        .forEach(wire.getSupportedProfile()::add);
    wire.setVendorId(array.getVendorId());
    return wire;
  }

  public static StorageProcessor processor(io.coppice.wsdl.data.StorageProcessor processor) {
    var wire = identified(new StorageProcessor(), processor);
    wire.getSpIdentifier().addAll(processor.getSpIdentifier());
    return wire;
  }

  public static StoragePort port(io.coppice.wsdl.data.StoragePort port) {
    var wire = identified(new StoragePort(), port);
    wire.getAlternateName().addAll(port.getAlternateName());
    wire.setIscsiIdentifier(port.getIscsiIdentifier());
    wire.setNodeWwn(port.getNodeWwn());
    wire.setPortType(port.getPortType());
    wire.setPortWwn(port.getPortWwn());
    return wire;
  }

  public static StorageLun lun(io.coppice.wsdl.data.StorageLun lun) {
    var wire = identified(new StorageLun(), lun);
    wire.getAlternateIdentifier().addAll(lun.getAlternateIdentifier());
    wire.setCapacityInMB(lun.getCapacityInMB());
    wire.setDisplayName(lun.getDisplayName());
    wire.setDrsManagementPermitted(lun.isDrsManagementPermitted());
    wire.setEsxLunIdentifier(lun.getEsxLunIdentifier());
    wire.setThinProvisioned(lun.isThinProvisioned());
    wire.setThinProvisioningStatus(lun.getThinProvisioningStatus());
    wire.setUsedSpaceInMB(lun.getUsedSpaceInMB());
    return wire;
  }

  public static StorageFileSystem fileSystem(io.coppice.wsdl.data.StorageFileSystem system) {
    var wire = identified(new StorageFileSystem(), system);
    wire.setFileSystem(system.getFileSystem());
    system
        .getFileSystemInfo()
        .forEach(
            info -> {
              var same = new FileSystemInfo();
              same.setFileServerName(info.getFileServerName());
              same.setFileSystemPath(info.getFileSystemPath());
              same.setIpAddress(info.getIpAddress());
              wire.getFileSystemInfo().add(same);
            });
    wire.setFileSystemVersion(system.getFileSystemVersion());
    wire.setNativeSnapshotSupported(system.isNativeSnapshotSupported());
    wire.setThinProvisioningStatus(system.getThinProvisioningStatus());
    return wire;
  }

  public static StorageCapability capability(io.coppice.wsdl.data.StorageCapability capability) {
    var wire = identified(new StorageCapability(), capability);
    wire.setCapabilityDetail(capability.getCapabilityDetail());
    wire.setCapabilityName(capability.getCapabilityName());
    return wire;
  }

  public static VasaAssociationObject association(io.coppice.wsdl.data.VasaAssociationObject pair) {
    var wire = new VasaAssociationObject();
    pair.getAssociatedId().stream()
        .map(entity -> identified(new BaseStorageEntity(), entity))
        .forEach(wire.getAssociatedId()::add);
    pair.getEntityId().stream()
        .map(entity -> identified(new BaseStorageEntity(), entity))
        .forEach(wire.getEntityId()::add);
    return wire;
  }

  public static boolean isKnown(io.coppice.wsdl.data.StorageEvent event) {
    return EVENT_TYPES.contains(Xml.text(event.getEventType()))
        && isEntity(event.getEventObjType());
  }

  public static StorageEvent event(io.coppice.wsdl.data.StorageEvent event) {
    var wire = new StorageEvent();
    wire.setEventConfigType(event.getEventConfigType());
    wire.setEventId(event.getEventId());
    wire.setEventObjType(event.getEventObjType());
    wire.setEventTimeStamp(
        DATA.createStorageEventEventTimeStamp(Xml.value(event.getEventTimeStamp())));
    wire.setEventType(event.getEventType());
    wire.setMessageId(event.getMessageId());
    wire.setObjectId(event.getObjectId());
    wire.getParameterList().addAll(pairs(event.getParameterList()));
    return wire;
  }

  public static boolean isKnown(io.coppice.wsdl.data.StorageAlarm alarm) {
    return ALARM_TYPES.contains(Xml.text(alarm.getAlarmType())) && isEntity(alarm.getObjectType());
  }

  public static StorageAlarm alarm(io.coppice.wsdl.data.StorageAlarm alarm) {
    var wire = new StorageAlarm();
    wire.setAlarmId(alarm.getAlarmId());
    wire.setAlarmTimeStamp(
        DATA.createStorageAlarmAlarmTimeStamp(Xml.value(alarm.getAlarmTimeStamp())));
    wire.setAlarmType(alarm.getAlarmType());
    wire.setMessageId(alarm.getMessageId());
    wire.setObjectId(alarm.getObjectId());
    wire.setObjectType(alarm.getObjectType());
    wire.getParameterList().addAll(pairs(alarm.getParameterList()));
    wire.setStatus(alarm.getStatus());
    return wire;
  }

  /// Whether an event is about nothing, or about something that 1.0 has.
  private static boolean isEntity(@Nullable JAXBElement<String> objectType) {
    String type = Xml.text(objectType);
    return type == null || ENTITY_TYPES.contains(type);
  }

  private static List<NameValuePair> pairs(List<io.coppice.wsdl.data.NameValuePair> pairs) {
    return pairs.stream()
        .map(
            pair -> {
              var same = new NameValuePair();
              same.setParameterName(pair.getParameterName());
              same.setParameterValue(pair.getParameterValue());
              return same;
            })
        .toList();
  }

  private static <T extends BaseStorageEntity> T identified(
      T wire, io.coppice.wsdl.data.BaseStorageEntity entity) {
    wire.setUniqueIdentifier(entity.getUniqueIdentifier());
    return wire;
  }
}
