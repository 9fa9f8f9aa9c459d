package io.coppice.vasa.soap.operation;

import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.replication.FaultDomain;
import io.coppice.vasa.replication.GroupChange;
import io.coppice.vasa.replication.GroupChangeOutcome;
import io.coppice.vasa.replication.GroupId;
import io.coppice.vasa.replication.PointInTimeReplica;
import io.coppice.vasa.replication.ReplicaQuery;
import io.coppice.vasa.replication.ReplicatedDevice;
import io.coppice.vasa.replication.Replication;
import io.coppice.vasa.replication.ReplicationGroup;
import io.coppice.wsdl.replication.AlreadyDone;
import io.coppice.wsdl.replication.DeviceGroupId;
import io.coppice.wsdl.replication.FailoverParam;
import io.coppice.wsdl.replication.FailoverSuccessResult;
import io.coppice.wsdl.replication.FaultDomainId;
import io.coppice.wsdl.replication.GroupErrorResult;
import io.coppice.wsdl.replication.GroupOperationResult;
import io.coppice.wsdl.replication.ObjectFactory;
import io.coppice.wsdl.replication.PointInTimeReplicaId;
import io.coppice.wsdl.replication.PointInTimeReplicaInfo;
import io.coppice.wsdl.replication.QueryPointInTimeReplicaParam;
import io.coppice.wsdl.replication.QueryPointInTimeReplicaSuccessResult;
import io.coppice.wsdl.replication.QueryPointInTimeReplicaSummaryResult;
import io.coppice.wsdl.replication.QueryReplicationGroupSuccessResult;
import io.coppice.wsdl.replication.RecoveredTargetGroupMemberInfo;
import io.coppice.wsdl.replication.ReplicaIntervalQueryResult;
import io.coppice.wsdl.replication.ReplicationGroupData;
import io.coppice.wsdl.replication.ReplicationGroupId;
import io.coppice.wsdl.replication.ReverseReplicationSuccessResult;
import io.coppice.wsdl.replication.SourceGroupInfo;
import io.coppice.wsdl.replication.SyncReplicationGroupSuccessResult;
import io.coppice.wsdl.replication.TargetGroupInfo;
import io.coppice.wsdl.replication.TestFailoverParam;
import io.coppice.wsdl.replication.VVolId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The wire of replication over a partner that has one group.
class ReplicationOperationsTest {

  private static final GroupId GROUP = new GroupId("here", "gold");
  private static final GroupId LEAD = new GroupId("here", "lead");
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final PointInTimeReplica REPLICA =
      new PointInTimeReplica("7", "noon", NOON, List.of("daily"));
  private static final UUID MEMBER = UUID.fromString("6a1d0c55-93b7-4e2f-8f44-0b7f6f1c2d10");
  private static final VolumeId THERE =
      new VolumeId(UUID.fromString("9d0c3e5b-1f62-4a8d-8b1e-5c7f2d9e4b02"));
  private static final VolumeId RECOVERED =
      new VolumeId(UUID.fromString("0d0c3e5b-1f62-4a8d-8b1e-5c7f2d9e4b02"));
  private static final ReplicatedDevice DEVICE =
      new ReplicatedDevice(MEMBER, THERE, RECOVERED, MEMBER);

  private final Partner partner = new Partner();
  private final ReplicationOperations operations = new ReplicationOperations(partner);

  /// Has one group, with one replica, and remembers what was done to it.
  private static final class Partner implements Replication {

    private final List<GroupChange> changes = new ArrayList<>();
    private List<PointInTimeReplica> replicas = List.of(REPLICA);
    private GroupChangeOutcome outcome = new GroupChangeOutcome.Done(false);

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
      return List.of(
          new ReplicationGroup.Source(
              GROUP, "Gold", "daily", "SOURCE", List.of(DEVICE), new GroupId("there", "gold")),
          new ReplicationGroup.Target(
              LEAD,
              "Lead",
              "daily",
              "FAILEDOVER",
              List.of(DEVICE),
              null,
              new GroupId("there", "x")));
    }

    @Override
    public ReplicationGroup group(GroupId id) {
      require(id);
      return groups().getFirst();
    }

    @Override
    public List<PointInTimeReplica> replicasOf(GroupId id) {
      require(id);
      return replicas;
    }

    @Override
    public GroupChangeOutcome change(GroupId id, GroupChange change) {
      require(id);
      changes.add(change);
      return outcome;
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
        operations.queryReplicationGroup(List.of(wire("silver"), wire("gold")));

    assertThat(one.getFirst()).isInstanceOf(GroupErrorResult.class);
    for (GroupOperationResult result :
        List.of(one.getLast(), operations.queryReplicationGroup(List.of()).getFirst())) {
      assertThat(result.getGroupId().getDeviceGroupId().getId()).isEqualTo("gold");
      var info = (SourceGroupInfo) ((QueryReplicationGroupSuccessResult) result).getRgInfo();
      assertThat(info.getState()).isEqualTo("SOURCE");
      assertThat(info.getName().getValue()).isEqualTo("Gold");
      assertThat(info.getReplica().getFirst().getTargetGroupId().getFaultDomainId().getId())
          .isEqualTo("there");
      assertThat(info.getMemberInfo())
          .singleElement()
          .satisfies(
              member -> {
                assertThat(member.getDeviceId()).isInstanceOf(VVolId.class);
                assertThat(member.getTargetId().getFirst().getDeviceId().getId())
                    .isEqualTo(MEMBER.toString());
              });
    }
  }

  @Test
  void groupThatHasFailedOverNamesItsVolumesHere() {
    var result =
        (QueryReplicationGroupSuccessResult) operations.queryReplicationGroup(List.of()).getLast();
    var info = (TargetGroupInfo) result.getRgInfo();

    assertThat(info.getState()).isEqualTo("FAILEDOVER");
    assertThat(info.getSourceInfo().getSourceGroupId().getFaultDomainId().getId())
        .isEqualTo("there");
    var member = (RecoveredTargetGroupMemberInfo) info.getDevices().getFirst();
    assertThat(member.getTargetDatastore()).isEqualTo(MEMBER.toString());
    assertThat(((VVolId) member.getSourceId()).getId()).isEqualTo("rfc4122." + THERE.value());
    assertThat(((VVolId) member.getRecoveredDeviceId().getValue()).getId())
        .isEqualTo("rfc4122." + RECOVERED.value());
  }

  @Test
  void manyReplicasAreCountedUnlessDetailsAreAskedFor() {
    partner.replicas =
        IntStream.range(0, 600)
            .mapToObj(
                i -> new PointInTimeReplica("" + i, "noon", NOON.plusSeconds(i), List.of("daily")))
            .toList();

    var summary =
        (QueryPointInTimeReplicaSummaryResult)
            operations.queryPointInTimeReplica(List.of(wire("gold")), null).getFirst();

    assertThat(summary.getIntervalResults())
        .extracting(ReplicaIntervalQueryResult::getNumber)
        .containsExactly(256, 256, 88);
    assertThat(summary.getIntervalResults().getLast().getToDate().toInstant())
        .isEqualTo(NOON.plusSeconds(599));
    var param = new QueryPointInTimeReplicaParam();
    param.setPreferDetails(true);
    var all =
        (QueryPointInTimeReplicaSuccessResult)
            operations.queryPointInTimeReplica(List.of(wire("gold")), param).getFirst();
    assertThat(all.getReplicaInfo()).hasSize(600);
  }

  @Test
  void numberGoesWithTheMomentBeforeOrAfterIt() {
    List<PointInTimeReplica> all =
        IntStream.range(0, 5)
            .mapToObj(i -> new PointInTimeReplica("" + i, "noon", NOON.plusSeconds(i), List.of()))
            .toList();

    assertThat(chosen(all, NOON.plusSeconds(1), null, 2)).containsExactly("1", "2");
    assertThat(chosen(all, null, NOON.plusSeconds(3), 2)).containsExactly("2", "3");
    assertThat(chosen(all, NOON.plusSeconds(1), NOON.plusSeconds(3), null))
        .containsExactly("1", "2", "3");
    assertThat(chosen(all, null, NOON.plusSeconds(3), 9)).hasSize(4);
  }

  private static List<String> chosen(
      List<PointInTimeReplica> all,
      @Nullable Instant from,
      @Nullable Instant to,
      @Nullable Integer number) {
    return new ReplicaQuery(from, to, number, null, List.of(), false)
        .choose(all).stream().map(PointInTimeReplica::id).toList();
  }

  @Test
  void outcomesAreToldAsWhatTheyAre() {
    partner.outcome = new GroupChangeOutcome.Synchronized(REPLICA);
    var sync =
        (SyncReplicationGroupSuccessResult)
            operations.syncReplicationGroup(List.of(wire("gold")), "noon").getFirst();
    assertThat(sync.getPitId().getValue().getId()).isEqualTo("7");
    assertThat(sync.getTimeStamp().toInstant()).isEqualTo(NOON);

    partner.outcome =
        new GroupChangeOutcome.Recovered(
            "INTEST", REPLICA, List.of(DEVICE), Map.of(MEMBER, new Fault.InvalidProfile()), true);
    var param = new TestFailoverParam();
    param.getReplicationGroupsToFailover().add(data("gold"));
    var test =
        (FailoverSuccessResult) operations.testFailoverReplicationGroupStart(param).getFirst();
    assertThat(test.getNewState()).isEqualTo("INTEST");
    assertThat(test.getWarning()).singleElement().isInstanceOf(AlreadyDone.class);
    assertThat(test.getRecoveredDeviceInfo())
        .singleElement()
        .satisfies(
            device ->
                assertThat(device.getWarnings())
                    .singleElement()
                    .isInstanceOf(io.coppice.wsdl.fault.InvalidProfile.class));

    partner.outcome = new GroupChangeOutcome.Reversed(GROUP, false);
    var reversed =
        (ReverseReplicationSuccessResult)
            operations.reverseReplicateGroup(List.of(wire("gold"))).getFirst();
    assertThat(reversed.getNewGroupId().getId()).isEqualTo("gold");
    assertThat(reversed.getWarning()).isEmpty();
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
    param.getReplicationGroupsToFailover().add(data("silver"));
    param.getReplicationGroupsToFailover().add(data("gold"));

    List<GroupOperationResult> results = operations.failoverReplicationGroup(param);

    assertThat(results.getFirst()).isInstanceOf(GroupErrorResult.class);
    assertThat(results.getLast()).isExactlyInstanceOf(GroupOperationResult.class);
    assertThat(partner.changes)
        .containsExactly(new GroupChange.Failover(true, false, "7", List.of()));
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
