package io.coppice.vasa.soap.operation;

import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.replication.FaultDomain;
import io.coppice.vasa.replication.GroupChange;
import io.coppice.vasa.replication.GroupId;
import io.coppice.vasa.replication.PointInTimeReplica;
import io.coppice.vasa.replication.ReplicaQuery;
import io.coppice.vasa.replication.Replication;
import io.coppice.vasa.replication.ReplicationGroup;
import io.coppice.wsdl.replication.DeviceGroupId;
import io.coppice.wsdl.replication.FailoverParam;
import io.coppice.wsdl.replication.FaultDomainId;
import io.coppice.wsdl.replication.GroupErrorResult;
import io.coppice.wsdl.replication.GroupOperationResult;
import io.coppice.wsdl.replication.ObjectFactory;
import io.coppice.wsdl.replication.PointInTimeReplicaId;
import io.coppice.wsdl.replication.PointInTimeReplicaInfo;
import io.coppice.wsdl.replication.QueryPointInTimeReplicaParam;
import io.coppice.wsdl.replication.QueryPointInTimeReplicaSuccessResult;
import io.coppice.wsdl.replication.QueryReplicationGroupSuccessResult;
import io.coppice.wsdl.replication.ReplicationGroupData;
import io.coppice.wsdl.replication.ReplicationGroupId;
import io.coppice.wsdl.replication.SourceGroupInfo;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The wire of replication over a partner that has one group.
class ReplicationOperationsTest {

  private static final GroupId GROUP = new GroupId("here", "gold");
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private final Partner partner = new Partner();
  private final ReplicationOperations operations = new ReplicationOperations(partner);

  /// Has one group, with one replica, and remembers what was done to it.
  private static final class Partner implements Replication {

    private final List<GroupChange> changes = new ArrayList<>();

    @Override
    public FaultDomain faultDomain() {
      return new FaultDomain("here", "a", "b", "StorageArray:1", "1");
    }

    @Override
    public List<String> targetsOf(String source) {
      return List.of("there", "further");
    }

    @Override
    public List<ReplicationGroup> groups() {
      return List.of(new ReplicationGroup(GROUP, "Gold", "SOURCE"));
    }

    @Override
    public ReplicationGroup group(GroupId id) {
      require(id);
      return groups().getFirst();
    }

    @Override
    public List<PointInTimeReplica> replicasOf(GroupId id, ReplicaQuery query) {
      require(id);
      return List.of(new PointInTimeReplica("7", "noon", NOON, List.of("daily")));
    }

    @Override
    public void change(GroupId id, GroupChange change) {
      require(id);
      changes.add(change);
    }

    private static void require(GroupId id) {
      if (!id.equals(GROUP)) {
        throw VasaException.notFound("no group " + id);
      }
    }
  }

  @Test
  void targetsAreToldForEachSource() {
    assertThat(operations.queryReplicationPeer(null))
        .singleElement()
        .satisfies(
            peers ->
                assertThat(peers.getTargetDomain())
                    .extracting(FaultDomainId::getId)
                    .containsExactly("there", "further"));
  }

  @Test
  void groupsAreDescribedAllOrOneByOne() {
    List<GroupOperationResult> one =
        operations.queryReplicationGroup(List.of(wire("lead"), wire("gold")));

    assertThat(one.getFirst()).isInstanceOf(GroupErrorResult.class);
    for (GroupOperationResult result :
        List.of(one.getLast(), operations.queryReplicationGroup(List.of()).getFirst())) {
      assertThat(result.getGroupId().getDeviceGroupId().getId()).isEqualTo("gold");
      var info = (SourceGroupInfo) ((QueryReplicationGroupSuccessResult) result).getRgInfo();
      assertThat(info.getState()).isEqualTo("SOURCE");
      assertThat(info.getName().getValue()).isEqualTo("Gold");
    }
  }

  @Test
  void replicasAreTold() {
    var result =
        (QueryPointInTimeReplicaSuccessResult)
            operations.queryPointInTimeReplica(List.of(wire("gold")), null).getFirst();

    assertThat(result.getReplicaInfo())
        .singleElement()
        .satisfies(
            replica -> {
              assertThat(replica.getId().getId()).isEqualTo("7");
              assertThat(replica.getPitName()).isEqualTo("noon");
              assertThat(replica.getTimeStamp().toInstant()).isEqualTo(NOON);
              assertThat(replica.getTags()).containsExactly("daily");
            });
  }

  @Test
  void replicasAreChosenByNameAndTags() {
    assertThat(replicas("no+n", "da.*")).hasSize(1);
    assertThat(replicas("noo", "daily")).isEmpty();
    assertThat(replicas(null, "daily", "weekly")).isEmpty();
    assertFault("InvalidArgument", () -> replicas("(", "daily"));
    assertFault("InvalidArgument", () -> replicas(null, "["));
  }

  private List<PointInTimeReplicaInfo> replicas(@Nullable String name, String... tags) {
    var param = new QueryPointInTimeReplicaParam();
    if (name != null) {
      param.setPitName(new ObjectFactory().createQueryPointInTimeReplicaParamPitName(name));
    }
    param.getTags().addAll(List.of(tags));
    return ((QueryPointInTimeReplicaSuccessResult)
            operations.queryPointInTimeReplica(List.of(wire("gold")), param).getFirst())
        .getReplicaInfo();
  }

  @Test
  void aFailureOfOneGroupLeavesTheOthersToTheirChange() {
    var param = new FailoverParam();
    param.setIsPlanned(true);
    param.getReplicationGroupsToFailover().add(data("lead"));
    param.getReplicationGroupsToFailover().add(data("gold"));

    List<GroupOperationResult> results = operations.failoverReplicationGroup(param);

    assertThat(results.getFirst()).isInstanceOf(GroupErrorResult.class);
    assertThat(results.getLast()).isExactlyInstanceOf(GroupOperationResult.class);
    assertThat(partner.changes).containsExactly(new GroupChange.Failover(true, false, "7"));
  }

  @Test
  void everyChangeReachesTheGroupAsWhatItIs() {
    List<ReplicationGroupId> gold = List.of(wire("gold"));

    operations.syncReplicationGroup(gold, "noon");
    operations.prepareFailoverReplicationGroup(gold);
    operations.testFailoverReplicationGroupStop(gold, true);
    operations.reverseReplicateGroup(gold);

    assertThat(partner.changes)
        .containsExactly(
            new GroupChange.Synchronize("noon"),
            new GroupChange.PrepareFailover(),
            new GroupChange.StopTest(true),
            new GroupChange.Reverse());
  }

  private static ReplicationGroupData data(String deviceGroup) {
    var replica = new PointInTimeReplicaId();
    replica.setId("7");
    var data = new ReplicationGroupData();
    data.setGroupId(wire(deviceGroup));
    data.setPitId(new ObjectFactory().createReplicationGroupDataPitId(replica));
    return data;
  }

  private static ReplicationGroupId wire(String deviceGroup) {
    var group = new DeviceGroupId();
    group.setId(deviceGroup);
    var domain = new FaultDomainId();
    domain.setId("here");
    var wire = new ReplicationGroupId();
    wire.setDeviceGroupId(group);
    wire.setFaultDomainId(domain);
    return wire;
  }
}
