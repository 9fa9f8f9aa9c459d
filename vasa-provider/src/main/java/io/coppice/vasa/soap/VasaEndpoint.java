package io.coppice.vasa.soap;

import io.coppice.vasa.volume.copy.Bitmaps;
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

/// The VASA service: every operation, one line each, handed to the class of its section.
/// [OperationInvoker] does the common parts (session, limits, faults) around it.
@Component
public final class VasaEndpoint implements VasaServicePortType {

  private final VasaSections to;

  VasaEndpoint(VasaSections to) {
    this.to = to;
  }

  @Override
  public void activateProvider(ActivateProvider parameters) {
    to.session().activateProvider(parameters);
  }

  @Override
  public TaskInfo activateProviderEx(ActivationSpec activationSpec) {
    return to.session().activateProviderEx(activationSpec);
  }

  @Override
  public QueryCACertificateRevocationListsResponse queryCACertificateRevocationLists() {
    return to.session().queryCACertificateRevocationLists();
  }

  @Override
  public QueryCACertificatesResponse queryCACertificates() {
    return to.session().queryCACertificates();
  }

  @Override
  public void refreshCACertificatesAndCRLs(RefreshCACertificatesAndCRLs parameters) {
    to.session().refreshCACertificatesAndCRLs(parameters);
  }

  @Override
  public VasaProviderInfo registerCACertificatesAndCRLs(
      String providerUserName,
      String providerPassword,
      List<String> caRootCert,
      List<String> caCRL) {
    return to.session()
        .registerCACertificatesAndCRLs(providerUserName, providerPassword, caRootCert, caCRL);
  }

  @Override
  public void registerCASignedProviderCertificate(RegisterCASignedProviderCertificate parameters) {
    to.session().registerCASignedProviderCertificate(parameters);
  }

  @Override
  public VasaProviderInfo registerVASACertificate(
      String userName, String password, String newCertificate) {
    return to.session().registerVASACertificate(userName, password, newCertificate);
  }

  @Override
  public RequestCSRResponse requestCSR() {
    return to.session().requestCSR();
  }

  @Override
  public VasaProviderInfo setContext(UsageContext usageContext) {
    return to.session().setContext(usageContext);
  }

  @Override
  public void unregisterVASACertificate(UnregisterVASACertificate parameters) {
    to.session().unregisterVASACertificate(parameters);
  }

  @Override
  public Integer getNumberOfEntities(String entityType) {
    return to.inventory().getNumberOfEntities(entityType);
  }

  @Override
  public List<StorageArray> queryArrays(List<String> arrayUniqueId) {
    return to.inventory().queryArrays(arrayUniqueId);
  }

  @Override
  public List<VasaAssociationObject> queryAssociatedCapabilityForFileSystem(
      List<String> fsUniqueId) {
    return to.inventory().queryAssociatedCapabilityForFileSystem(fsUniqueId);
  }

  @Override
  public List<VasaAssociationObject> queryAssociatedCapabilityForLun(List<String> lunUniqueId) {
    return to.luns().queryAssociatedCapabilityForLun(lunUniqueId);
  }

  @Override
  public List<VasaAssociationObject> queryAssociatedLunsForPort(List<String> portUniqueId) {
    return to.luns().queryAssociatedLunsForPort(portUniqueId);
  }

  @Override
  public List<VasaAssociationObject> queryAssociatedPortsForProcessor(List<String> spUniqueId) {
    return to.inventory().queryAssociatedPortsForProcessor(spUniqueId);
  }

  @Override
  public List<VasaAssociationObject> queryAssociatedProcessorsForArray(List<String> arrayUniqueId) {
    return to.inventory().queryAssociatedProcessorsForArray(arrayUniqueId);
  }

  @Override
  public List<AssociatedStatistics> queryAssociatedStatisticsForEntity(
      String entityTypeName, List<String> entityId) {
    return to.statistics().queryAssociatedStatisticsForEntity(entityTypeName, entityId);
  }

  @Override
  public List<ArrayStatisticsManifest> queryAssociatedStatisticsManifestForArray(
      List<ArrayStatisticsManifest> arrayStatisticsManifest) {
    return to.statistics().queryAssociatedStatisticsManifestForArray(arrayStatisticsManifest);
  }

  @Override
  public List<BackingStoragePool> queryBackingStoragePools(List<String> storagePoolUniqueId) {
    return to.luns().queryBackingStoragePools(storagePoolUniqueId);
  }

  @Override
  public QueryCatalogResponse queryCatalog() {
    return to.inventory().queryCatalog();
  }

  @Override
  public Boolean queryDRSMigrationCapabilityForPerformance(
      String srcUniqueId, String dstUniqueId, String entityType) {
    return to.luns()
        .queryDRSMigrationCapabilityForPerformance(srcUniqueId, dstUniqueId, entityType);
  }

  @Override
  public StorageDrsMigrationCapabilityResult queryDrsMigrationCapabilityForPerformanceEx(
      List<String> entityId) {
    return to.luns().queryDrsMigrationCapabilityForPerformanceEx(entityId);
  }

  @Override
  public List<StorageCapability> queryStorageCapabilities(List<String> capabilityUniqueId) {
    return to.luns().queryStorageCapabilities(capabilityUniqueId);
  }

  @Override
  public List<StorageFileSystem> queryStorageFileSystems(List<String> fsUniqueId) {
    return to.inventory().queryStorageFileSystems(fsUniqueId);
  }

  @Override
  public List<StorageLun> queryStorageLuns(List<String> lunUniqueId) {
    return to.luns().queryStorageLuns(lunUniqueId);
  }

  @Override
  public List<StoragePort> queryStoragePorts(List<String> portUniqueId) {
    return to.inventory().queryStoragePorts(portUniqueId);
  }

  @Override
  public List<StorageProcessor> queryStorageProcessors(List<String> spUniqueId) {
    return to.inventory().queryStorageProcessors(spUniqueId);
  }

  @Override
  public List<String> queryUniqueIdentifiersForEntity(String entityType) {
    return to.inventory().queryUniqueIdentifiersForEntity(entityType);
  }

  @Override
  public List<String> queryUniqueIdentifiersForFileSystems(String fsUniqueId) {
    return to.inventory().queryUniqueIdentifiersForFileSystems(fsUniqueId);
  }

  @Override
  public List<String> queryUniqueIdentifiersForLuns(String arrayUniqueId) {
    return to.luns().queryUniqueIdentifiersForLuns(arrayUniqueId);
  }

  @Override
  public void setStatisticsContext(SetStatisticsContext parameters) {
    to.statistics().setStatisticsContext(parameters);
  }

  @Override
  public List<StorageAlarm> getAlarms(Long lastAlarmId) {
    return to.events().getAlarms(lastAlarmId);
  }

  @Override
  public List<StorageEvent> getEvents(Long lastEventId) {
    return to.events().getEvents(lastEventId);
  }

  @Override
  public VirtualVolumeBitmapResult allocatedBitmapVirtualVolume(
      String vvolId, long segmentStartOffsetBytes, long segmentLengthBytes, long chunkSizeBytes) {
    return to.snapshots()
        .allocatedBitmapVirtualVolume(
            vvolId,
            new Bitmaps.Segment(segmentStartOffsetBytes, segmentLengthBytes),
            chunkSizeBytes);
  }

  @Override
  public List<BatchVirtualVolumeHandleResult> bindVirtualVolume(
      List<String> vvolId, String bindContext, String containerCookie) {
    return to.bindings().bindVirtualVolume(vvolId, bindContext);
  }

  @Override
  public List<BatchReturnStatus> bindingChangeComplete(List<String> vvolId) {
    return to.bindings().bindingChangeComplete(vvolId);
  }

  @Override
  public List<BatchReturnStatus> cancelBindingChange(List<String> vvolId) {
    return to.bindings().cancelBindingChange(vvolId);
  }

  @Override
  public void cancelTask(CancelTask parameters) {
    to.tasks().cancelTask(parameters);
  }

  @Override
  public TaskInfo cloneVirtualVolume(
      String vvolId,
      String newContainerId,
      StorageProfile newProfile,
      List<NameValuePair> metadata,
      String containerCookie) {
    return to.snapshots().cloneVirtualVolume(vvolId, newContainerId, newProfile, metadata);
  }

  @Override
  public TaskInfo copyDiffsToVirtualVolume(
      String srcVVolId, String srcBaseVVolId, String dstVVolId, String containerCookie) {
    return to.snapshots().copyDiffsToVirtualVolume(srcVVolId, srcBaseVVolId, dstVVolId);
  }

  @Override
  public TaskInfo createVirtualVolume(
      String containerId,
      String vvolType,
      StorageProfile storageProfile,
      long sizeInMB,
      List<NameValuePair> metadata,
      String containerCookie) {
    return to.volumes()
        .createVirtualVolume(containerId, vvolType, storageProfile, sizeInMB, metadata);
  }

  @Override
  public void deleteVirtualVolume(DeleteVirtualVolume parameters) {
    to.volumes().deleteVirtualVolume(parameters);
  }

  @Override
  public TaskInfo fastCloneVirtualVolume(
      String vvolId,
      StorageProfile newProfile,
      List<NameValuePair> metadata,
      String containerCookie) {
    return to.snapshots().fastCloneVirtualVolume(vvolId, newProfile, metadata);
  }

  @Override
  public List<TaskInfo> getCurrentTask(String arrayId) {
    return to.tasks().getCurrentTask(arrayId);
  }

  @Override
  public TaskInfo getTaskUpdate(String taskId) {
    return to.tasks().getTaskUpdate(taskId);
  }

  @Override
  public TaskInfo prepareForBindingChange(List<String> vvolId, String destHostId) {
    return to.bindings().prepareForBindingChange(vvolId, destHostId);
  }

  @Override
  public TaskInfo prepareToSnapshotVirtualVolume(
      String vvolId, StorageProfile storageProfile, String containerCookie, String snapType) {
    return to.snapshots().prepareToSnapshotVirtualVolume(vvolId, storageProfile, snapType);
  }

  @Override
  public List<CapabilitySchema> queryCapabilityMetadata(List<String> schemaId) {
    return to.policies().queryCapabilityMetadata(schemaId);
  }

  @Override
  public List<StorageProfile> queryCapabilityProfile(List<String> profileId) {
    return to.policies().queryCapabilityProfile(profileId);
  }

  @Override
  public List<ResourceAssociation> queryCapabilityProfileForResource(List<String> resourceId) {
    return to.policies().queryCapabilityProfileForResource(resourceId);
  }

  @Override
  public List<ComplianceResult> queryComplianceResult(List<ComplianceSubject> compliance) {
    return to.policies().queryComplianceResult(compliance);
  }

  @Override
  public List<DefaultProfile> queryDefaultProfileForStorageContainer(
      String containerId, List<String> entityType) {
    return to.policies().queryDefaultProfileForStorageContainer(containerId, entityType);
  }

  @Override
  public List<ProtocolEndpoint> queryProtocolEndpoint(List<String> peId) {
    return to.bindings().queryProtocolEndpoint(peId);
  }

  @Override
  public List<String> queryProtocolEndpointForArray(String arrayId) {
    return to.bindings().queryProtocolEndpointForArray(arrayId);
  }

  @Override
  public List<StorageContainer> queryStorageContainer(List<String> containerId) {
    return to.containers().queryStorageContainer(containerId);
  }

  @Override
  public List<String> queryStorageContainerForArray(String arrayId) {
    return to.containers().queryStorageContainerForArray(arrayId);
  }

  @Override
  public List<String> queryVirtualVolume(List<QueryConstraint> searchConstraint) {
    return to.volumes().queryVirtualVolume(searchConstraint);
  }

  @Override
  public List<VirtualVolumeInfo> queryVirtualVolumeInfo(List<String> vvolId) {
    return to.volumes().queryVirtualVolumeInfo(vvolId);
  }

  @Override
  public TaskInfo resizeVirtualVolume(String vvolId, long sizeInMB, String containerCookie) {
    return to.volumes().resizeVirtualVolume(vvolId, sizeInMB);
  }

  @Override
  public TaskInfo revertVirtualVolume(
      String vvolId, String snapshotVvolId, String containerCookie) {
    return to.snapshots().revertVirtualVolume(vvolId, snapshotVvolId);
  }

  @Override
  public void setPEContext(SetPEContext parameters) {
    to.bindings().setPEContext(parameters);
  }

  @Override
  public String setStorageContainerContext(String containerId, String userId) {
    return to.containers().setStorageContainerContext(containerId, userId);
  }

  @Override
  public List<BatchReturnStatus> snapshotVirtualVolume(
      List<VirtualVolumeInfo> snapshotInfo, long timeoutMS, String containerCookie) {
    return to.snapshots().snapshotVirtualVolume(snapshotInfo, timeoutMS);
  }

  @Override
  public List<ContainerSpaceStats> spaceStatsForStorageContainer(
      String containerId, List<String> capabilityProfileId) {
    return to.containers().spaceStatsForStorageContainer(containerId, capabilityProfileId);
  }

  @Override
  public List<SpaceStats> spaceStatsForVirtualVolume(List<String> vvolId) {
    return to.volumes().spaceStatsForVirtualVolume(vvolId);
  }

  @Override
  public void unbindAllVirtualVolumesFromHost(UnbindAllVirtualVolumesFromHost parameters) {
    to.bindings().unbindAllVirtualVolumesFromHost(parameters);
  }

  @Override
  public List<BatchReturnStatus> unbindVirtualVolume(
      List<VirtualVolumeHandle> vvolHandle, String unbindContext) {
    return to.bindings().unbindVirtualVolume(vvolHandle, unbindContext);
  }

  @Override
  public List<BatchReturnStatus> unbindVirtualVolumeFromAllHost(List<String> vvolId) {
    return to.bindings().unbindVirtualVolumeFromAllHost(vvolId);
  }

  @Override
  public VirtualVolumeBitmapResult unsharedBitmapVirtualVolume(
      String vvolId,
      String baseVvolId,
      long segmentStartOffsetBytes,
      long segmentLengthBytes,
      long chunkSizeBytes) {
    return to.snapshots()
        .unsharedBitmapVirtualVolume(
            vvolId,
            baseVvolId,
            new Bitmaps.Segment(segmentStartOffsetBytes, segmentLengthBytes),
            chunkSizeBytes);
  }

  @Override
  public VirtualVolumeUnsharedChunksResult unsharedChunksVirtualVolume(
      String vvolId, String baseVvolId, long segmentStartOffsetBytes, long segmentLengthBytes) {
    return to.snapshots()
        .unsharedChunksVirtualVolume(
            vvolId, baseVvolId, new Bitmaps.Segment(segmentStartOffsetBytes, segmentLengthBytes));
  }

  @Override
  public TaskInfo updateStorageProfileForVirtualVolume(
      String vvolId, StorageProfile newStorageProfile, String containerCookie) {
    return to.policies().updateStorageProfileForVirtualVolume(vvolId, newStorageProfile);
  }

  @Override
  public void updateVirtualVolumeMetaData(UpdateVirtualVolumeMetaData parameters) {
    to.volumes().updateVirtualVolumeMetaData(parameters);
  }
}
