package io.coppice.app;

import static io.coppice.app.WireArguments.element;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.VasaClient.Reply;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.export.ExportAudience;
import io.coppice.vasa.export.Exports;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/// Arguments with which each operation succeeds, for whoever may call it: about volumes, bindings
/// and LUNs of one host.
final class RightArguments {

  /// Operations whose request is an empty body.
  static final Set<String> WITHOUT =
      Set.of(
          "queryCatalog", "queryCACertificates", "queryCACertificateRevocationLists", "requestCSR");

  private static final String VVOL = "xmlns:v='http://vvol.data.vasa.vim.vmware.com/xsd'";
  private static final String PROFILE =
      "xmlns:p='http://profile.policy.data.vasa.vim.vmware.com/xsd'";
  private static final String STATISTICS =
      "xmlns:s='http://statistics.data.vasa.vim.vmware.com/xsd'";
  private static final String COMPLIANCE =
      "xmlns:c='http://compliance.policy.data.vasa.vim.vmware.com/xsd'";
  private static final String METADATA =
      "<d:parameterName>VMW_VVolName</d:parameterName><d:parameterValue>n</d:parameterValue>";
  private static final String NO_REQUIREMENTS = "f4e5bade-15a2-4805-bf8e-52318c4ce443";
  private static final String GROUP =
      "<ns:deviceGroupId><ns:id>%s</ns:id></ns:deviceGroupId><ns:faultDomainId><ns:id>d</ns:id></ns:faultDomainId>"
          .formatted(UUID.randomUUID());

  /// An authority that nobody has a certificate of.
  private static final Issuer OTHER = Issuer.create("other", Instant.now(), Duration.ofDays(365));

  private final TestProvider provider;
  private final String hostGuid;
  private final UUID container;
  private final List<String> luns;
  private int made;

  /// @param container where the volumes are made
  RightArguments(TestProvider provider, String container, String hostGuid, String initiator) {
    this.provider = provider;
    this.hostGuid = hostGuid;
    this.container = provider.bean(Containers.class).create(container, 1L << 40).id();
    this.luns = List.of(lun(initiator), lun(initiator));
  }

  UUID container() {
    return container;
  }

  private String lun(String initiator) {
    VolumeId volume = volume(VolumeOrigin.ADMIN);
    provider
        .bean(Exports.class)
        .export(
            volume,
            Optional.empty(),
            Optional.empty(),
            ExportAudience.of(Set.of(initiator)),
            false);
    return "StorageLun:" + volume;
  }

  private VolumeId volume(VolumeOrigin origin) {
    return ControlPlane.made(
        provider
            .bean(VirtualVolumes.class)
            .create(
                new NewVolume(
                    container,
                    VolumeType.DATA,
                    origin,
                    null,
                    4 << 20,
                    Map.of("VMW_VVolName", "disk " + made++))));
  }

  private String volume() {
    return "rfc4122." + volume(VolumeOrigin.HOST);
  }

  /// What a host and a vCenter do after `setContext`.
  void prepareSession(VasaClient client) throws Exception {
    expect(
        client.call(
            "setPEContext",
            "<ns:listOfHostPE %s><v:inBandBindCapability>None</v:inBandBindCapability><v:inBandId>"
                    .formatted(VVOL)
                + "<v:lunId>%s</v:lunId><v:protocolEndpointType>SCSI</v:protocolEndpointType></v:inBandId></ns:listOfHostPE>"
                    .formatted(client.call("queryProtocolEndpoint", "").value("lunId"))));
    expect(client.call("setStatisticsContext", manifest()));
  }

  private String manifest() {
    return """
    <ns:arrayStatisticsManifest %s><s:arrayId>%s</s:arrayId><s:entityStatisticsManifest>\
    <s:counterInfo><s:counterId>1</s:counterId></s:counterInfo>\
    <s:entityTypeName>StorageArray</s:entityTypeName><s:maxRetrievalSize>1</s:maxRetrievalSize>\
    <s:pollingInterval>3600</s:pollingInterval></s:entityStatisticsManifest>\
    </ns:arrayStatisticsManifest>\
    """
        .formatted(STATISTICS, array());
  }

  private String array() {
    return "StorageArray:" + provider.bean(StorageEngine.class).pool().id();
  }

  /// Clients with a session each.
  ///
  /// @param own of the host that everything is about
  /// @param other of a host of the same registration that a disk moves to
  /// @param otherGuid its id
  record Hosts(VasaClient own, VasaClient other, String otherGuid) {}

  /// The arguments of one call.
  String of(String operation, Hosts hosts) throws Exception {
    return switch (operation) {
      case "registerVASACertificate" ->
          element("userName", "vasa")
              + element("password", provider.password())
              + element("newCertificate", other());
      case "registerCACertificatesAndCRLs" ->
          element("providerUserName", "vasa")
              + element("providerPassword", provider.password())
              + element("caRootCert", other());
      case "activateProvider" -> element("entityId", array());
      case "activateProviderEx" ->
          element("activationSpec", "<d:entityId>%s</d:entityId>".formatted(array()));
      case "getNumberOfEntities", "queryUniqueIdentifiersForEntity" ->
          element("entityType", "StorageArray");
      case "queryUniqueIdentifiersForLuns" -> element("arrayUniqueId", array());
      case "queryUniqueIdentifiersForFileSystems" -> element("fsUniqueId", array());
      case "queryDRSMigrationCapabilityForPerformance" ->
          element("srcUniqueId", luns.getFirst())
              + element("dstUniqueId", luns.getLast())
              + element("entityType", "StorageLun");
      case "queryDrsMigrationCapabilityForPerformanceEx" -> element("entityId", luns.getFirst());
      case "queryProtocolEndpointForArray", "queryStorageContainerForArray" ->
          element("arrayId", array());
      case "queryAssociatedStatisticsManifestForArray", "setStatisticsContext" -> manifest();
      case "queryAssociatedStatisticsForEntity" ->
          element("entityTypeName", "StorageArray") + element("entityId", array());
      case "queryDefaultProfileForStorageContainer", "spaceStatsForStorageContainer" ->
          element("containerId", container.toString());
      case "setStorageContainerContext" ->
          element("containerId", container.toString()) + element("userId", "somebody");
      default -> ofVolumes(operation, hosts);
    };
  }

  private String ofVolumes(String operation, Hosts hosts) throws Exception {
    String metadata = element("metadata", METADATA);
    return switch (operation) {
      case "createVirtualVolume" ->
          element("containerId", container.toString())
              + element("vvolType", "Data")
              + element("sizeInMB", "4")
              + metadata;
      case "resizeVirtualVolume" -> element("vvolId", volume()) + element("sizeInMB", "8");
      case "updateVirtualVolumeMetaData" ->
          element("vvolId", volume()) + element("keyValuePair", METADATA);
      case "queryVirtualVolume" ->
          "<ns:searchConstraint %s><v:key>VMW_VVolName</v:key></ns:searchConstraint>"
              .formatted(VVOL);
      case "deleteVirtualVolume",
          "queryVirtualVolumeInfo",
          "spaceStatsForVirtualVolume",
          "unbindVirtualVolumeFromAllHost" ->
          element("vvolId", volume());
      case "cloneVirtualVolume", "fastCloneVirtualVolume" -> element("vvolId", volume()) + metadata;
      case "queryComplianceResult" ->
          "<ns:compliance %s><c:objectId>%s</c:objectId></ns:compliance>"
              .formatted(COMPLIANCE, volume());
      case "updateStorageProfileForVirtualVolume" ->
          element("vvolId", volume()) + profile("newStorageProfile");
      case "bindVirtualVolume" -> element("vvolId", volume()) + element("bindContext", "Normal");
      case "unbindVirtualVolume" ->
          handle(bind(hosts.own(), volume())) + element("unbindContext", "Normal");
      case "unbindAllVirtualVolumesFromHost" -> element("hostUuid", hostGuid);
      case "prepareForBindingChange" -> moved(hosts);
      case "bindingChangeComplete", "cancelBindingChange" -> {
        String move = moved(hosts);
        expect(hosts.own().call("prepareForBindingChange", move));
        String volume = move.substring(0, move.indexOf("<ns:destHostId>"));
        expect(hosts.other().call("bindVirtualVolume", volume + element("bindContext", "Normal")));
        yield volume;
      }
      default -> ofSnapshots(operation, hosts.own());
    };
  }

  private String ofSnapshots(String operation, VasaClient host) throws Exception {
    String segment =
        element("segmentStartOffsetBytes", "0") + element("segmentLengthBytes", "1048576");
    return switch (operation) {
      case "prepareToSnapshotVirtualVolume" ->
          element("vvolId", volume()) + element("snapType", "SnapshotReadOnly");
      case "snapshotVirtualVolume" -> snapshotOf(prepared(host, volume()));
      case "revertVirtualVolume" -> {
        String volume = volume();
        yield element("vvolId", volume) + element("snapshotVvolId", snapshot(host, volume));
      }
      case "copyDiffsToVirtualVolume" -> {
        String volume = volume();
        yield element("srcVVolId", volume)
            + element("srcBaseVVolId", snapshot(host, volume))
            + element("dstVVolId", volume());
      }
      case "unsharedChunksVirtualVolume" -> {
        String volume = volume();
        yield element("vvolId", volume) + element("baseVvolId", snapshot(host, volume)) + segment;
      }
      case "unsharedBitmapVirtualVolume" -> {
        String volume = volume();
        yield element("vvolId", volume)
            + element("baseVvolId", snapshot(host, volume))
            + segment
            + element("chunkSizeBytes", "4096");
      }
      case "allocatedBitmapVirtualVolume" ->
          element("vvolId", volume()) + segment + element("chunkSizeBytes", "4096");
      case "getTaskUpdate", "cancelTask" -> element("taskId", task(host));
      default -> ofReplication(operation);
    };
  }

  private static String ofReplication(String operation) {
    String groups = element("groupId", GROUP);
    String failover =
        "<ns:checkOnly>false</ns:checkOnly><ns:isPlanned>true</ns:isPlanned>"
            + element("replicationGroupsToFailover", groups);
    return switch (operation) {
      case "syncReplicationGroup" -> groups + element("pitName", "noon");
      case "prepareFailoverReplicationGroup", "reverseReplicateGroup", "queryPointInTimeReplica" ->
          groups;
      case "testFailoverReplicationGroupStop" -> groups + element("force", "false");
      case "failoverReplicationGroup" -> element("failoverParam", failover);
      case "testFailoverReplicationGroupStart" -> element("testFailoverParam", failover);
      case "promoteReplicationGroup" ->
          element(
              "promoteParam",
              "<ns:isPlanned>true</ns:isPlanned>" + element("replicationGroupsToPromote", GROUP));
      default -> ""; // a list that means all if it is absent, or no argument
    };
  }

  private static String other() {
    return Pem.of(OTHER.served().leaf());
  }

  private String moved(Hosts hosts) throws Exception {
    String volume = volume();
    bind(hosts.own(), volume);
    return element("vvolId", volume) + element("destHostId", hosts.otherGuid());
  }

  private static Reply bind(VasaClient host, String volume) throws Exception {
    return expect(
        host.call(
            "bindVirtualVolume", element("vvolId", volume) + element("bindContext", "Normal")));
  }

  /// The handle of a bind's reply.
  private static String handle(Reply bound) {
    return """
    <ns:vvolHandle %s><d:uniqueIdentifier>%s</d:uniqueIdentifier><v:peInBandId>\
    <v:lunId>%s</v:lunId><v:protocolEndpointType>SCSI</v:protocolEndpointType></v:peInBandId>\
    <v:vvolSecondaryId>%s</v:vvolSecondaryId></ns:vvolHandle>\
    """
        .formatted(
            VVOL,
            bound.value("uniqueIdentifier"),
            bound.value("lunId"),
            bound.value("vvolSecondaryId"));
  }

  private static String prepared(VasaClient host, String volume) throws Exception {
    return expect(
            host.call(
                "prepareToSnapshotVirtualVolume",
                element("vvolId", volume) + element("snapType", "SnapshotReadOnly")))
        .value("snapshotId");
  }

  private static String snapshotOf(String prepared) {
    return "<ns:snapshotInfo %s><v:vvolId>%s</v:vvolId></ns:snapshotInfo><ns:timeoutMS>10000</ns:timeoutMS>"
        .formatted(VVOL, prepared);
  }

  private static String snapshot(VasaClient host, String volume) throws Exception {
    String prepared = prepared(host, volume);
    expect(host.call("snapshotVirtualVolume", snapshotOf(prepared)));
    return prepared;
  }

  private String task(VasaClient host) throws Exception {
    return expect(
            host.call(
                "resizeVirtualVolume", element("vvolId", volume()) + element("sizeInMB", "8")))
        .value("taskId");
  }

  private static String profile(String name) {
    return """
    <ns:%s %s><p:createdBy>a</p:createdBy><p:creationTime>2026-11-21T10:00:00Z</p:creationTime>\
    <p:generationId>1</p:generationId><p:name>none</p:name><p:profileId>%s</p:profileId></ns:%s>\
    """
        .formatted(name, PROFILE, NO_REQUIREMENTS, name);
  }

  private static Reply expect(Reply reply) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    return reply;
  }
}
