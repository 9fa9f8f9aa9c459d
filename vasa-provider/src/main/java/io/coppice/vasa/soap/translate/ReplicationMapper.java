package io.coppice.vasa.soap.translate;

import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.replication.FaultDomain;
import io.coppice.vasa.replication.GroupId;
import io.coppice.vasa.replication.NamePattern;
import io.coppice.vasa.replication.PointInTimeReplica;
import io.coppice.vasa.replication.ReplicaQuery;
import io.coppice.vasa.replication.ReplicationGroup;
import io.coppice.vasa.soap.fault.FaultBeans;
import io.coppice.vasa.soap.value.Xml;
import io.coppice.wsdl.replication.DeviceGroupId;
import io.coppice.wsdl.replication.FaultDomainId;
import io.coppice.wsdl.replication.FaultDomainInfo;
import io.coppice.wsdl.replication.GroupErrorResult;
import io.coppice.wsdl.replication.GroupOperationResult;
import io.coppice.wsdl.replication.ObjectFactory;
import io.coppice.wsdl.replication.PointInTimeReplicaId;
import io.coppice.wsdl.replication.PointInTimeReplicaInfo;
import io.coppice.wsdl.replication.QueryPointInTimeReplicaParam;
import io.coppice.wsdl.replication.QueryPointInTimeReplicaSuccessResult;
import io.coppice.wsdl.replication.QueryReplicationGroupSuccessResult;
import io.coppice.wsdl.replication.QueryReplicationPeerResult;
import io.coppice.wsdl.replication.ReplicaQueryIntervalParam;
import io.coppice.wsdl.replication.ReplicationGroupId;
import io.coppice.wsdl.replication.SourceGroupInfo;
import jakarta.xml.bind.JAXBElement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The translation of replication to stubs and back.
public final class ReplicationMapper {

  private static final ObjectFactory REPLICATION = new ObjectFactory();

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

  /// @throws VasaException (InvalidArgument) as [ReplicaQuery]
  public static ReplicaQuery query(@Nullable QueryPointInTimeReplicaParam wire) {
    if (wire == null) {
      return new ReplicaQuery(null, null, null, null, List.of());
    }
    ReplicaQueryIntervalParam span = Xml.value(wire.getReplicaTimeQueryParam());
    String name = Xml.text(wire.getPitName());
    return new ReplicaQuery(
        span == null ? null : instant(span.getFromDate()),
        span == null ? null : instant(span.getToDate()),
        span == null ? null : span.getNumber(),
        name == null ? null : NamePattern.of(name),
        Xml.all(wire.getTags(), "tags").stream().map(NamePattern::of).toList());
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
    var info = new SourceGroupInfo();
    info.setGroupId(wire(group.id()));
    info.setName(REPLICATION.createSourceGroupInfoName(group.name()));
    info.setState(group.state());
    var wire = new QueryReplicationGroupSuccessResult();
    wire.setRgInfo(info);
    return of(group.id(), wire);
  }

  public static GroupOperationResult replicas(GroupId id, List<PointInTimeReplica> replicas) {
    var wire = new QueryPointInTimeReplicaSuccessResult();
    replicas.forEach(replica -> wire.getReplicaInfo().add(info(replica)));
    return of(id, wire);
  }

  private static PointInTimeReplicaInfo info(PointInTimeReplica replica) {
    var id = new PointInTimeReplicaId();
    id.setId(replica.id());
    var wire = new PointInTimeReplicaInfo();
    wire.setId(id);
    wire.setPitName(replica.name());
    wire.setTimeStamp(Xml.time(replica.at()));
    wire.getTags().addAll(replica.tags());
    return wire;
  }

  public static GroupOperationResult done(GroupId id) {
    return of(id, new GroupOperationResult());
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

  private static ReplicationGroupId wire(GroupId id) {
    var group = new DeviceGroupId();
    group.setId(id.deviceGroup());
    var wire = new ReplicationGroupId();
    wire.setDeviceGroupId(group);
    wire.setFaultDomainId(domainId(id.faultDomain()));
    return wire;
  }

  private static FaultDomainId domainId(String id) {
    var wire = new FaultDomainId();
    wire.setId(id);
    return wire;
  }
}
