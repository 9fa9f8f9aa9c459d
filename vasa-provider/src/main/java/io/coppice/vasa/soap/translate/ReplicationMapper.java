package io.coppice.vasa.soap.translate;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.replication.FaultDomain;
import io.coppice.vasa.replication.GroupChange;
import io.coppice.vasa.replication.GroupChangeOutcome;
import io.coppice.vasa.replication.GroupId;
import io.coppice.vasa.replication.NamePattern;
import io.coppice.vasa.replication.PointInTimeReplica;
import io.coppice.vasa.replication.ReplicaQuery;
import io.coppice.vasa.replication.ReplicatedDevice;
import io.coppice.vasa.replication.ReplicationGroup;
import io.coppice.vasa.soap.fault.FaultBeans;
import io.coppice.vasa.soap.value.Identifiers;
import io.coppice.vasa.soap.value.Xml;
import io.coppice.wsdl.replication.DeviceGroupId;
import io.coppice.wsdl.replication.FailoverSuccessResult;
import io.coppice.wsdl.replication.FaultDomainId;
import io.coppice.wsdl.replication.FaultDomainInfo;
import io.coppice.wsdl.replication.GroupErrorResult;
import io.coppice.wsdl.replication.GroupOperationResult;
import io.coppice.wsdl.replication.ObjectFactory;
import io.coppice.wsdl.replication.PointInTimeReplicaId;
import io.coppice.wsdl.replication.PointInTimeReplicaInfo;
import io.coppice.wsdl.replication.PolicyAssociation;
import io.coppice.wsdl.replication.QueryPointInTimeReplicaParam;
import io.coppice.wsdl.replication.QueryPointInTimeReplicaSuccessResult;
import io.coppice.wsdl.replication.QueryPointInTimeReplicaSummaryResult;
import io.coppice.wsdl.replication.QueryReplicationGroupSuccessResult;
import io.coppice.wsdl.replication.QueryReplicationPeerResult;
import io.coppice.wsdl.replication.RecoveredDevice;
import io.coppice.wsdl.replication.RecoveredTargetGroupMemberInfo;
import io.coppice.wsdl.replication.ReplicaId;
import io.coppice.wsdl.replication.ReplicaIntervalQueryResult;
import io.coppice.wsdl.replication.ReplicaQueryIntervalParam;
import io.coppice.wsdl.replication.ReplicationGroupId;
import io.coppice.wsdl.replication.ReplicationTargetInfo;
import io.coppice.wsdl.replication.ReverseReplicationSuccessResult;
import io.coppice.wsdl.replication.SourceGroupInfo;
import io.coppice.wsdl.replication.SourceGroupMemberInfo;
import io.coppice.wsdl.replication.SyncReplicationGroupSuccessResult;
import io.coppice.wsdl.replication.TargetDeviceId;
import io.coppice.wsdl.replication.TargetGroupInfo;
import io.coppice.wsdl.replication.TargetGroupMemberInfo;
import io.coppice.wsdl.replication.TargetToSourceInfo;
import io.coppice.wsdl.replication.VVolId;
import jakarta.xml.bind.JAXBElement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The translation of replication to stubs and back.
public final class ReplicationMapper {

  private static final ObjectFactory REPLICATION = new ObjectFactory();

  /// Most replicas that an answer tells one by one unasked.
  private static final int MOST_DETAILS = 256;

  private ReplicationMapper() {}

  /// @throws VasaException (InvalidArgument) if a part is missing
  public static GroupId groupId(@Nullable ReplicationGroupId wire) {
    if (wire == null || wire.getFaultDomainId() == null || wire.getDeviceGroupId() == null) {
      throw VasaException.invalidArgument(
          "expected a groupId of faultDomainId and deviceGroupId, got less");
    }
    return new GroupId(
        Xml.required(wire.getFaultDomainId().getId(), "faultDomainId"),
        Xml.required(wire.getDeviceGroupId().getId(), "deviceGroupId"));
  }

  public static @Nullable String replica(@Nullable JAXBElement<PointInTimeReplicaId> wire) {
    PointInTimeReplicaId id = Xml.value(wire);
    return id == null ? null : Xml.required(id.getId(), "pitId");
  }

  /// The storage policies for the volumes of a fail-over. The datastore is not looked at: a volume
  /// comes back to the container that it was in, or to that of the group.
  ///
  /// @throws VasaException (InvalidArgument) if one names no virtual volume, or no policy
  public static List<GroupChange.DevicePolicy> policies(@Nullable List<PolicyAssociation> wire) {
    return Xml.all(wire, "policyAssociations").stream()
        .map(
            one -> {
              if (!(one.getId() instanceof VVolId volume)) {
                throw VasaException.invalidArgument(
                    "expected a VVolId in policyAssociations, got another device");
              }
              return new GroupChange.DevicePolicy(
                  Identifiers.volume(volume.getId()), Xml.required(one.getPolicyId(), "policyId"));
            })
        .toList();
  }

  /// @throws VasaException (InvalidArgument) as [ReplicaQuery]
  public static ReplicaQuery query(@Nullable QueryPointInTimeReplicaParam wire) {
    if (wire == null) {
      return new ReplicaQuery(null, null, null, null, List.of(), false);
    }
    ReplicaQueryIntervalParam span = Xml.value(wire.getReplicaTimeQueryParam());
    String name = Xml.text(wire.getPitName());
    return new ReplicaQuery(
        span == null ? null : instant(span.getFromDate()),
        span == null ? null : instant(span.getToDate()),
        span == null ? null : span.getNumber(),
        name == null ? null : NamePattern.of(name),
        Xml.all(wire.getTags(), "tags").stream().map(NamePattern::of).toList(),
        Boolean.TRUE.equals(wire.isPreferDetails()));
  }

  private static @Nullable Instant instant(@Nullable JAXBElement<OffsetDateTime> time) {
    OffsetDateTime value = Xml.value(time);
    return value == null ? null : value.toInstant();
  }

  public static FaultDomainInfo faultDomain(FaultDomain domain) {
    var wire = new FaultDomainInfo();
    wire.setId(domain.id());
    wire.setName(REPLICATION.createFaultDomainInfoName(domain.name()));
    wire.setDescription(REPLICATION.createFaultDomainInfoDescription(domain.description()));
    wire.setStorageArrayId(REPLICATION.createFaultDomainInfoStorageArrayId(domain.arrayId()));
    wire.setProvider(REPLICATION.createFaultDomainInfoProvider(domain.provider()));
    return wire;
  }

  public static QueryReplicationPeerResult peers(String source, List<String> targets) {
    var wire = new QueryReplicationPeerResult();
    wire.setSourceDomain(domainId(source));
    targets.forEach(target -> wire.getTargetDomain().add(domainId(target)));
    return wire;
  }

  public static QueryReplicationPeerResult noPeers(String source, VasaException failure) {
    QueryReplicationPeerResult wire = peers(source, List.of());
    wire.getError().add(FaultBeans.of(failure.fault()));
    return wire;
  }

  public static GroupOperationResult group(ReplicationGroup group) {
    var wire = new QueryReplicationGroupSuccessResult();
    wire.setRgInfo(
        switch (group) {
          case ReplicationGroup.Source source -> source(source);
          case ReplicationGroup.Target target -> target(target);
        });
    return of(group.id(), wire);
  }

  private static SourceGroupInfo source(ReplicationGroup.Source group) {
    var replica = new ReplicationTargetInfo();
    replica.setTargetGroupId(wire(group.target()));
    replica.setReplicationAgreementDescription(
        REPLICATION.createReplicationTargetInfoReplicationAgreementDescription(
            group.description()));
    var info = new SourceGroupInfo();
    info.setGroupId(wire(group.id()));
    info.setDescription(REPLICATION.createSourceGroupInfoDescription(group.description()));
    info.setName(REPLICATION.createSourceGroupInfoName(group.name()));
    info.setState(group.state());
    info.getReplica().add(replica);
    for (ReplicatedDevice device : group.devices()) {
      var there = new TargetDeviceId();
      there.setDomainId(domainId(group.target().faultDomain()));
      there.setDeviceId(replicaId(device));
      var member = new SourceGroupMemberInfo();
      member.setDeviceId(deviceId(device.source()));
      member.getTargetId().add(there);
      info.getMemberInfo().add(member);
    }
    return info;
  }

  private static TargetGroupInfo target(ReplicationGroup.Target group) {
    var source = new TargetToSourceInfo();
    source.setSourceGroupId(wire(group.source()));
    source.setReplicationAgreementDescription(
        REPLICATION.createTargetToSourceInfoReplicationAgreementDescription(group.description()));
    var info = new TargetGroupInfo();
    info.setGroupId(wire(group.id()));
    info.setDescription(REPLICATION.createTargetGroupInfoDescription(group.description()));
    info.setIsPromoteCapable(true);
    info.setName(REPLICATION.createTargetGroupInfoName(group.name()));
    info.setSourceInfo(source);
    info.setState(group.state());
    group.devices().forEach(device -> info.getDevices().add(member(device)));
    return info;
  }

  private static TargetGroupMemberInfo member(ReplicatedDevice device) {
    VolumeId here = device.here();
    TargetGroupMemberInfo info = new TargetGroupMemberInfo();
    if (here != null) {
      var recovered = new RecoveredTargetGroupMemberInfo();
      recovered.setRecoveredDeviceId(
          REPLICATION.createRecoveredTargetGroupMemberInfoRecoveredDeviceId(deviceId(here)));
      info = recovered;
    }
    info.setReplicaId(replicaId(device));
    info.setSourceId(deviceId(device.source()));
    info.setTargetDatastore(datastore(device));
    return info;
  }

  private static ReplicaId replicaId(ReplicatedDevice device) {
    var id = new ReplicaId();
    id.setId(device.member().toString());
    return id;
  }

  private static VVolId deviceId(VolumeId volume) {
    var id = new VVolId();
    id.setId(Identifiers.text(volume));
    return id;
  }

  /// A storage container is what a vVol datastore is made of. Empty if there is none.
  private static String datastore(ReplicatedDevice device) {
    UUID container = device.container();
    return container == null ? "" : container.toString();
  }

  /// The replicas that a query chose; the number of them in each span of time if there are many and
  /// details are not asked for.
  public static GroupOperationResult replicas(
      GroupId id, List<PointInTimeReplica> replicas, boolean isDetailed) {
    if (!isDetailed && replicas.size() > MOST_DETAILS) {
      var summary = new QueryPointInTimeReplicaSummaryResult();
      for (int from = 0; from < replicas.size(); from += MOST_DETAILS) {
        int to = Math.min(replicas.size(), from + MOST_DETAILS);
        var span = new ReplicaIntervalQueryResult();
        span.setFromDate(Xml.time(replicas.get(from).at()));
        span.setNumber(to - from);
        span.setToDate(Xml.time(replicas.get(to - 1).at()));
        summary.getIntervalResults().add(span);
      }
      return of(id, summary);
    }
    var wire = new QueryPointInTimeReplicaSuccessResult();
    replicas.forEach(replica -> wire.getReplicaInfo().add(info(replica)));
    return of(id, wire);
  }

  private static PointInTimeReplicaInfo info(PointInTimeReplica replica) {
    var wire = new PointInTimeReplicaInfo();
    wire.setId(pitId(replica));
    wire.setPitName(replica.name());
    wire.setTimeStamp(Xml.time(replica.at()));
    wire.getTags().addAll(replica.tags());
    return wire;
  }

  /// What became of a change. AlreadyDone is among the warnings if there was nothing to do.
  public static GroupOperationResult outcome(GroupId id, GroupChangeOutcome outcome) {
    GroupOperationResult wire =
        switch (outcome) {
          case GroupChangeOutcome.Done _ -> new GroupOperationResult();
          case GroupChangeOutcome.Synchronized(PointInTimeReplica replica) ->
              synchronizedTo(replica);
          case GroupChangeOutcome.Recovered recovered -> recovered(recovered);
          case GroupChangeOutcome.Reversed(GroupId now, var _) -> {
            var reversed = new ReverseReplicationSuccessResult();
            reversed.setNewGroupId(deviceGroup(now));
            yield reversed;
          }
        };
    if (outcome.wasDone()) {
      wire.getWarning().add(FaultBeans.of(new Fault.AlreadyDone()));
    }
    return of(id, wire);
  }

  private static GroupOperationResult synchronizedTo(PointInTimeReplica replica) {
    var wire = new SyncReplicationGroupSuccessResult();
    wire.setPitId(REPLICATION.createSyncReplicationGroupSuccessResultPitId(pitId(replica)));
    wire.setPitName(REPLICATION.createSyncReplicationGroupSuccessResultPitName(replica.name()));
    wire.setTimeStamp(Xml.time(replica.at()));
    return wire;
  }

  private static GroupOperationResult recovered(GroupChangeOutcome.Recovered recovered) {
    var wire = new FailoverSuccessResult();
    wire.setNewState(recovered.state());
    wire.setPitId(REPLICATION.createFailoverSuccessResultPitId(pitId(recovered.replica())));
    wire.setTimeStamp(
        REPLICATION.createFailoverSuccessResultTimeStamp(Xml.time(recovered.replica().at())));
    for (ReplicatedDevice device : recovered.devices()) {
      var info = new RecoveredDevice();
      info.setDatastore(datastore(device));
      info.setSourceDeviceId(deviceId(device.source()));
      info.setTargetDeviceId(REPLICATION.createRecoveredDeviceTargetDeviceId(replicaId(device)));
      VolumeId here = device.here();
      if (here != null) {
        info.setRecoveredDeviceId(
            REPLICATION.createRecoveredDeviceRecoveredDeviceId(deviceId(here)));
      }
      Fault warning = recovered.warnings().get(device.member());
      if (warning != null) {
        info.getWarnings().add(FaultBeans.of(warning));
      }
      wire.getRecoveredDeviceInfo().add(info);
    }
    return wire;
  }

  public static GroupOperationResult failed(GroupId id, VasaException failure) {
    var wire = new GroupErrorResult();
    wire.getError().add(FaultBeans.of(failure.fault()));
    return of(id, wire);
  }

  private static GroupOperationResult of(GroupId id, GroupOperationResult result) {
    result.setGroupId(wire(id));
    return result;
  }

  private static PointInTimeReplicaId pitId(PointInTimeReplica replica) {
    var id = new PointInTimeReplicaId();
    id.setId(replica.id());
    return id;
  }

  private static DeviceGroupId deviceGroup(GroupId id) {
    var group = new DeviceGroupId();
    group.setId(id.deviceGroup());
    return group;
  }

  private static ReplicationGroupId wire(GroupId id) {
    var wire = new ReplicationGroupId();
    wire.setDeviceGroupId(deviceGroup(id));
    wire.setFaultDomainId(domainId(id.faultDomain()));
    return wire;
  }

  private static FaultDomainId domainId(String id) {
    var wire = new FaultDomainId();
    wire.setId(id);
    return wire;
  }
}
