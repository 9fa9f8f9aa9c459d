package io.coppice.vasa.soap;

import io.coppice.vasa.fault.VasaException;
import io.coppice.wsdl.capability.provider.CapabilitySchema;
import io.coppice.wsdl.compliance.ComplianceResult;
import io.coppice.wsdl.compliance.ComplianceSubject;
import io.coppice.wsdl.data.ActivationSpec;
import io.coppice.wsdl.data.BackingStoragePool;
import io.coppice.wsdl.data.NameValuePair;
import io.coppice.wsdl.data.StorageAlarm;
import io.coppice.wsdl.data.StorageArray;
import io.coppice.wsdl.data.StorageCapability;
import io.coppice.wsdl.data.StorageContainer;
import io.coppice.wsdl.data.StorageDrsMigrationCapabilityResult;
import io.coppice.wsdl.data.StorageEvent;
import io.coppice.wsdl.data.StorageFileSystem;
import io.coppice.wsdl.data.StorageLun;
import io.coppice.wsdl.data.StoragePort;
import io.coppice.wsdl.data.StorageProcessor;
import io.coppice.wsdl.data.UsageContext;
import io.coppice.wsdl.data.VasaAssociationObject;
import io.coppice.wsdl.data.VasaProviderInfo;
import io.coppice.wsdl.policy.ResourceAssociation;
import io.coppice.wsdl.profile.DefaultProfile;
import io.coppice.wsdl.profile.StorageProfile;
import io.coppice.wsdl.service.ActivateProvider;
import io.coppice.wsdl.service.CancelTask;
import io.coppice.wsdl.service.DeleteVirtualVolume;
import io.coppice.wsdl.service.QueryCACertificateRevocationListsResponse;
import io.coppice.wsdl.service.QueryCACertificatesResponse;
import io.coppice.wsdl.service.QueryCatalogResponse;
import io.coppice.wsdl.service.RefreshCACertificatesAndCRLs;
import io.coppice.wsdl.service.RegisterCASignedProviderCertificate;
import io.coppice.wsdl.service.RequestCSRResponse;
import io.coppice.wsdl.service.SetPEContext;
import io.coppice.wsdl.service.SetStatisticsContext;
import io.coppice.wsdl.service.UnbindAllVirtualVolumesFromHost;
import io.coppice.wsdl.service.UnregisterVASACertificate;
import io.coppice.wsdl.service.UpdateVirtualVolumeMetaData;
import io.coppice.wsdl.service.VasaServicePortType;
import io.coppice.wsdl.statistics.ArrayStatisticsManifest;
import io.coppice.wsdl.statistics.AssociatedStatistics;
import io.coppice.wsdl.vvol.BatchReturnStatus;
import io.coppice.wsdl.vvol.BatchVirtualVolumeHandleResult;
import io.coppice.wsdl.vvol.ContainerSpaceStats;
import io.coppice.wsdl.vvol.ProtocolEndpoint;
import io.coppice.wsdl.vvol.QueryConstraint;
import io.coppice.wsdl.vvol.SpaceStats;
import io.coppice.wsdl.vvol.TaskInfo;
import io.coppice.wsdl.vvol.VirtualVolumeBitmapResult;
import io.coppice.wsdl.vvol.VirtualVolumeHandle;
import io.coppice.wsdl.vvol.VirtualVolumeInfo;
import io.coppice.wsdl.vvol.VirtualVolumeUnsharedChunksResult;
import java.util.List;
import org.springframework.stereotype.Component;

/// The VASA service: every operation, one line each, handed to the class of its section. What is
/// common to all (session, limits, faults) is done around it by [OperationInvoker].
@Component
public final class VasaEndpoint implements VasaServicePortType {

  private final SessionOperations session;
  private final InventoryOperations inventory;
  private final EventOperations events;
  private final ContainerOperations containers;
  private final VolumeOperations volumes;
  private final BindingOperations bindings;
  private final TaskOperations tasks;

  VasaEndpoint(
      SessionOperations session,
      InventoryOperations inventory,
      EventOperations events,
      ContainerOperations containers,
      VolumeOperations volumes,
      BindingOperations bindings,
      TaskOperations tasks) {
    this.session = session;
    this.inventory = inventory;
    this.events = events;
    this.containers = containers;
    this.volumes = volumes;
    this.bindings = bindings;
    this.tasks = tasks;
  }

  @Override
  public void activateProvider(ActivateProvider parameters) {
    session.activateProvider(parameters);
  }

  @Override
  public TaskInfo activateProviderEx(ActivationSpec activationSpec) {
    return session.activateProviderEx(activationSpec);
  }

  @Override
  public QueryCACertificateRevocationListsResponse queryCACertificateRevocationLists() {
    return session.queryCACertificateRevocationLists();
  }

  @Override
  public QueryCACertificatesResponse queryCACertificates() {
    return session.queryCACertificates();
  }

  @Override
  public void refreshCACertificatesAndCRLs(RefreshCACertificatesAndCRLs parameters) {
    session.refreshCACertificatesAndCRLs(parameters);
  }

  @Override
  public VasaProviderInfo registerCACertificatesAndCRLs(
      String providerUserName,
      String providerPassword,
      List<String> caRootCert,
      List<String> caCRL) {
    return session.registerCACertificatesAndCRLs(
        providerUserName, providerPassword, caRootCert, caCRL);
  }

  @Override
  public void registerCASignedProviderCertificate(RegisterCASignedProviderCertificate parameters) {
    session.registerCASignedProviderCertificate(parameters);
  }

  @Override
  public VasaProviderInfo registerVASACertificate(
      String userName, String password, String newCertificate) {
    return session.registerVASACertificate(userName, password, newCertificate);
  }

  @Override
  public RequestCSRResponse requestCSR() {
    return session.requestCSR();
  }

  @Override
  public VasaProviderInfo setContext(UsageContext usageContext) {
    return session.setContext(usageContext);
  }

  @Override
  public void unregisterVASACertificate(UnregisterVASACertificate parameters) {
    session.unregisterVASACertificate(parameters);
  }

  @Override
  public Integer getNumberOfEntities(String entityType) {
    return inventory.getNumberOfEntities(entityType);
  }

  @Override
  public List<StorageArray> queryArrays(List<String> arrayUniqueId) {
    return inventory.queryArrays(arrayUniqueId);
  }

  @Override
  public List<VasaAssociationObject> queryAssociatedCapabilityForFileSystem(
      List<String> fsUniqueId) {
    return inventory.queryAssociatedCapabilityForFileSystem(fsUniqueId);
  }

  @Override
  public List<VasaAssociationObject> queryAssociatedCapabilityForLun(List<String> lunUniqueId) {
    return inventory.queryAssociatedCapabilityForLun(lunUniqueId);
  }

  @Override
  public List<VasaAssociationObject> queryAssociatedLunsForPort(List<String> portUniqueId) {
    return inventory.queryAssociatedLunsForPort(portUniqueId);
  }

  @Override
  public List<VasaAssociationObject> queryAssociatedPortsForProcessor(List<String> spUniqueId) {
    return inventory.queryAssociatedPortsForProcessor(spUniqueId);
  }

  @Override
  public List<VasaAssociationObject> queryAssociatedProcessorsForArray(List<String> arrayUniqueId) {
    return inventory.queryAssociatedProcessorsForArray(arrayUniqueId);
  }

  @Override
  public List<AssociatedStatistics> queryAssociatedStatisticsForEntity(
      String entityTypeName, List<String> entityId) {
    return inventory.queryAssociatedStatisticsForEntity(entityTypeName, entityId);
  }

  @Override
  public List<ArrayStatisticsManifest> queryAssociatedStatisticsManifestForArray(
      List<ArrayStatisticsManifest> arrayStatisticsManifest) {
    return inventory.queryAssociatedStatisticsManifestForArray(arrayStatisticsManifest);
  }

  @Override
  public List<BackingStoragePool> queryBackingStoragePools(List<String> storagePoolUniqueId) {
    return inventory.queryBackingStoragePools(storagePoolUniqueId);
  }

  @Override
  public QueryCatalogResponse queryCatalog() {
    return inventory.queryCatalog();
  }

  @Override
  public Boolean queryDRSMigrationCapabilityForPerformance(
      String srcUniqueId, String dstUniqueId, String entityType) {
    return inventory.queryDRSMigrationCapabilityForPerformance(
        srcUniqueId, dstUniqueId, entityType);
  }

  @Override
  public StorageDrsMigrationCapabilityResult queryDrsMigrationCapabilityForPerformanceEx(
      List<String> entityId) {
    return inventory.queryDrsMigrationCapabilityForPerformanceEx(entityId);
  }

  @Override
  public List<StorageCapability> queryStorageCapabilities(List<String> capabilityUniqueId) {
    return inventory.queryStorageCapabilities(capabilityUniqueId);
  }

  @Override
  public List<StorageFileSystem> queryStorageFileSystems(List<String> fsUniqueId) {
    return inventory.queryStorageFileSystems(fsUniqueId);
  }

  @Override
  public List<StorageLun> queryStorageLuns(List<String> lunUniqueId) {
    return inventory.queryStorageLuns(lunUniqueId);
  }

  @Override
  public List<StoragePort> queryStoragePorts(List<String> portUniqueId) {
    return inventory.queryStoragePorts(portUniqueId);
  }

  @Override
  public List<StorageProcessor> queryStorageProcessors(List<String> spUniqueId) {
    return inventory.queryStorageProcessors(spUniqueId);
  }

  @Override
  public List<String> queryUniqueIdentifiersForEntity(String entityType) {
    return inventory.queryUniqueIdentifiersForEntity(entityType);
  }

  @Override
  public List<String> queryUniqueIdentifiersForFileSystems(String fsUniqueId) {
    return inventory.queryUniqueIdentifiersForFileSystems(fsUniqueId);
  }

  @Override
  public List<String> queryUniqueIdentifiersForLuns(String arrayUniqueId) {
    return inventory.queryUniqueIdentifiersForLuns(arrayUniqueId);
  }

  @Override
  public void setStatisticsContext(SetStatisticsContext parameters) {
    inventory.setStatisticsContext(parameters);
  }

  @Override
  public List<StorageAlarm> getAlarms(Long lastAlarmId) {
    return events.getAlarms(lastAlarmId);
  }

  @Override
  public List<StorageEvent> getEvents(Long lastEventId) {
    return events.getEvents(lastEventId);
  }

  @Override
  public VirtualVolumeBitmapResult allocatedBitmapVirtualVolume(
      String vvolId, long segmentStartOffsetBytes, long segmentLengthBytes, long chunkSizeBytes) {
    throw VasaException.notImplemented("allocatedBitmapVirtualVolume");
  }

  @Override
  public List<BatchVirtualVolumeHandleResult> bindVirtualVolume(
      List<String> vvolId, String bindContext, String containerCookie) {
    return bindings.bindVirtualVolume(vvolId, bindContext);
  }

  @Override
  public List<BatchReturnStatus> bindingChangeComplete(List<String> vvolId) {
    throw VasaException.notImplemented("bindingChangeComplete");
  }

  @Override
  public List<BatchReturnStatus> cancelBindingChange(List<String> vvolId) {
    throw VasaException.notImplemented("cancelBindingChange");
  }

  @Override
  public void cancelTask(CancelTask parameters) {
    tasks.cancelTask(parameters);
  }

  @Override
  public TaskInfo cloneVirtualVolume(
      String vvolId,
      String newContainerId,
      StorageProfile newProfile,
      List<NameValuePair> metadata,
      String containerCookie) {
    throw VasaException.notImplemented("cloneVirtualVolume");
  }

  @Override
  public TaskInfo copyDiffsToVirtualVolume(
      String srcVVolId, String srcBaseVVolId, String dstVVolId, String containerCookie) {
    throw VasaException.notImplemented("copyDiffsToVirtualVolume");
  }

  @Override
  public TaskInfo createVirtualVolume(
      String containerId,
      String vvolType,
      StorageProfile storageProfile,
      long sizeInMB,
      List<NameValuePair> metadata,
      String containerCookie) {
    return volumes.createVirtualVolume(containerId, vvolType, storageProfile, sizeInMB, metadata);
  }

  @Override
  public void deleteVirtualVolume(DeleteVirtualVolume parameters) {
    volumes.deleteVirtualVolume(parameters);
  }

  @Override
  public TaskInfo fastCloneVirtualVolume(
      String vvolId,
      StorageProfile newProfile,
      List<NameValuePair> metadata,
      String containerCookie) {
    throw VasaException.notImplemented("fastCloneVirtualVolume");
  }

  @Override
  public List<TaskInfo> getCurrentTask(String arrayId) {
    return tasks.getCurrentTask(arrayId);
  }

  @Override
  public TaskInfo getTaskUpdate(String taskId) {
    return tasks.getTaskUpdate(taskId);
  }

  @Override
  public TaskInfo prepareForBindingChange(List<String> vvolId, String destHostId) {
    throw VasaException.notImplemented("prepareForBindingChange");
  }

  @Override
  public TaskInfo prepareToSnapshotVirtualVolume(
      String vvolId, StorageProfile storageProfile, String containerCookie, String snapType) {
    throw VasaException.notImplemented("prepareToSnapshotVirtualVolume");
  }

  @Override
  public List<CapabilitySchema> queryCapabilityMetadata(List<String> schemaId) {
    throw VasaException.notImplemented("queryCapabilityMetadata");
  }

  @Override
  public List<StorageProfile> queryCapabilityProfile(List<String> profileId) {
    throw VasaException.notImplemented("queryCapabilityProfile");
  }

  @Override
  public List<ResourceAssociation> queryCapabilityProfileForResource(List<String> resourceId) {
    throw VasaException.notImplemented("queryCapabilityProfileForResource");
  }

  @Override
  public List<ComplianceResult> queryComplianceResult(List<ComplianceSubject> compliance) {
    throw VasaException.notImplemented("queryComplianceResult");
  }

  @Override
  public List<DefaultProfile> queryDefaultProfileForStorageContainer(
      String containerId, List<String> entityType) {
    throw VasaException.notImplemented("queryDefaultProfileForStorageContainer");
  }

  @Override
  public List<ProtocolEndpoint> queryProtocolEndpoint(List<String> peId) {
    return bindings.queryProtocolEndpoint(peId);
  }

  @Override
  public List<String> queryProtocolEndpointForArray(String arrayId) {
    return bindings.queryProtocolEndpointForArray(arrayId);
  }

  @Override
  public List<StorageContainer> queryStorageContainer(List<String> containerId) {
    return containers.queryStorageContainer(containerId);
  }

  @Override
  public List<String> queryStorageContainerForArray(String arrayId) {
    return containers.queryStorageContainerForArray(arrayId);
  }

  @Override
  public List<String> queryVirtualVolume(List<QueryConstraint> searchConstraint) {
    return volumes.queryVirtualVolume(searchConstraint);
  }

  @Override
  public List<VirtualVolumeInfo> queryVirtualVolumeInfo(List<String> vvolId) {
    return volumes.queryVirtualVolumeInfo(vvolId);
  }

  @Override
  public TaskInfo resizeVirtualVolume(String vvolId, long sizeInMB, String containerCookie) {
    return volumes.resizeVirtualVolume(vvolId, sizeInMB);
  }

  @Override
  public TaskInfo revertVirtualVolume(
      String vvolId, String snapshotVvolId, String containerCookie) {
    throw VasaException.notImplemented("revertVirtualVolume");
  }

  @Override
  public void setPEContext(SetPEContext parameters) {
    bindings.setPEContext(parameters);
  }

  @Override
  public String setStorageContainerContext(String containerId, String userId) {
    return containers.setStorageContainerContext();
  }

  @Override
  public List<BatchReturnStatus> snapshotVirtualVolume(
      List<VirtualVolumeInfo> snapshotInfo, long timeoutMS, String containerCookie) {
    throw VasaException.notImplemented("snapshotVirtualVolume");
  }

  @Override
  public List<ContainerSpaceStats> spaceStatsForStorageContainer(
      String containerId, List<String> capabilityProfileId) {
    return containers.spaceStatsForStorageContainer(containerId, capabilityProfileId);
  }

  @Override
  public List<SpaceStats> spaceStatsForVirtualVolume(List<String> vvolId) {
    return volumes.spaceStatsForVirtualVolume(vvolId);
  }

  @Override
  public void unbindAllVirtualVolumesFromHost(UnbindAllVirtualVolumesFromHost parameters) {
    bindings.unbindAllVirtualVolumesFromHost(parameters);
  }

  @Override
  public List<BatchReturnStatus> unbindVirtualVolume(
      List<VirtualVolumeHandle> vvolHandle, String unbindContext) {
    return bindings.unbindVirtualVolume(vvolHandle, unbindContext);
  }

  @Override
  public List<BatchReturnStatus> unbindVirtualVolumeFromAllHost(List<String> vvolId) {
    return bindings.unbindVirtualVolumeFromAllHost(vvolId);
  }

  @Override
  public VirtualVolumeBitmapResult unsharedBitmapVirtualVolume(
      String vvolId,
      String baseVvolId,
      long segmentStartOffsetBytes,
      long segmentLengthBytes,
      long chunkSizeBytes) {
    throw VasaException.notImplemented("unsharedBitmapVirtualVolume");
  }

  @Override
  public VirtualVolumeUnsharedChunksResult unsharedChunksVirtualVolume(
      String vvolId, String baseVvolId, long segmentStartOffsetBytes, long segmentLengthBytes) {
    throw VasaException.notImplemented("unsharedChunksVirtualVolume");
  }

  @Override
  public TaskInfo updateStorageProfileForVirtualVolume(
      String vvolId, StorageProfile newStorageProfile, String containerCookie) {
    throw VasaException.notImplemented("updateStorageProfileForVirtualVolume");
  }

  @Override
  public void updateVirtualVolumeMetaData(UpdateVirtualVolumeMetaData parameters) {
    volumes.updateVirtualVolumeMetaData(parameters);
  }
}
