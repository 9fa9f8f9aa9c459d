package io.coppice.vasa.soap.operation;

import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.replication.GroupChange;
import io.coppice.vasa.replication.GroupId;
import io.coppice.vasa.replication.ReplicaQuery;
import io.coppice.vasa.replication.Replication;
import io.coppice.vasa.soap.fault.Batches;
import io.coppice.vasa.soap.translate.ReplicationMapper;
import io.coppice.vasa.soap.value.Xml;
import io.coppice.wsdl.replication.FailoverParam;
import io.coppice.wsdl.replication.FaultDomainFilter;
import io.coppice.wsdl.replication.FaultDomainId;
import io.coppice.wsdl.replication.FaultDomainInfo;
import io.coppice.wsdl.replication.GroupOperationResult;
import io.coppice.wsdl.replication.PromoteParam;
import io.coppice.wsdl.replication.QueryPointInTimeReplicaParam;
import io.coppice.wsdl.replication.QueryReplicationPeerResult;
import io.coppice.wsdl.replication.ReplicationGroupData;
import io.coppice.wsdl.replication.ReplicationGroupId;
import io.coppice.wsdl.replication.TestFailoverParam;
import io.coppice.wsdl.replication.VasaReplicationPortType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Replication (contract §5.11), the part of VASA 3.0 beside the operations of [VasaEndpoint].
///
/// A group that fails has its fault in its own result and does not fail the call. A fault of the
/// call as a whole does.
@Component
public final class ReplicationOperations implements VasaReplicationPortType {

  private static final String GROUP = "replication group";

  private final Replication replication;

  ReplicationOperations(Replication replication) {
    this.replication = replication;
  }

  @Override
  public List<FaultDomainInfo> queryFaultDomain(@Nullable FaultDomainFilter filter) {
    var domain = replication.faultDomain();
    String provider = filter == null ? null : Xml.text(filter.getProviderId());
    return provider == null || provider.equalsIgnoreCase(domain.provider())
        ? List.of(ReplicationMapper.faultDomain(domain))
        : List.of();
  }

  @Override
  public List<QueryReplicationPeerResult> queryReplicationPeer(
      @Nullable List<FaultDomainId> faultDomainId) {
    List<String> asked =
        Batches.limited(Xml.all(faultDomainId, "faultDomainId"), "fault domain").stream()
            .map(id -> Xml.required(id.getId(), "faultDomainId"))
            .toList();
    return each(
        asked.isEmpty() ? List.of(replication.faultDomain().id()) : asked,
        id -> id,
        id -> ReplicationMapper.peers(id, replication.targetsOf(id)),
        ReplicationMapper::noPeers);
  }

  @Override
  public List<GroupOperationResult> queryReplicationGroup(
      @Nullable List<ReplicationGroupId> groupId) {
    List<GroupId> asked = groups(groupId);
    if (asked.isEmpty()) {
      return replication.groups().stream().map(ReplicationMapper::group).toList();
    }
    return each(
        asked,
        id -> id,
        id -> ReplicationMapper.group(replication.group(id)),
        ReplicationMapper::failed);
  }

  @Override
  public List<GroupOperationResult> queryPointInTimeReplica(
      @Nullable List<ReplicationGroupId> groupId,
      @Nullable QueryPointInTimeReplicaParam queryParam) {
    List<GroupId> asked = someGroups(groupId);
    ReplicaQuery query = ReplicationMapper.query(queryParam);
    return each(
        asked,
        id -> id,
        id ->
            ReplicationMapper.replicas(
                id, query.choose(replication.replicasOf(id)), query.isDetailed()),
        ReplicationMapper::failed);
  }

  @Override
  public List<GroupOperationResult> syncReplicationGroup(
      @Nullable List<ReplicationGroupId> groupId, @Nullable String pitName) {
    return change(groupId, new GroupChange.Synchronize(Xml.required(pitName, "pitName")));
  }

  @Override
  public List<GroupOperationResult> prepareFailoverReplicationGroup(
      @Nullable List<ReplicationGroupId> groupId) {
    return change(groupId, new GroupChange.PrepareFailover());
  }

  @Override
  public List<GroupOperationResult> failoverReplicationGroup(
      @Nullable FailoverParam failoverParam) {
    FailoverParam param = present(failoverParam, "failoverParam");
    return change(
        param,
        (replica, policies) ->
            new GroupChange.Failover(param.isIsPlanned(), param.isCheckOnly(), replica, policies));
  }

  @Override
  public List<GroupOperationResult> testFailoverReplicationGroupStart(
      @Nullable TestFailoverParam testFailoverParam) {
    TestFailoverParam param = present(testFailoverParam, "testFailoverParam");
    return change(
        param,
        (replica, policies) ->
            new GroupChange.StartTest(param.isIsPlanned(), param.isCheckOnly(), replica, policies));
  }

  @Override
  public List<GroupOperationResult> testFailoverReplicationGroupStop(
      @Nullable List<ReplicationGroupId> groupId, boolean force) {
    return change(groupId, new GroupChange.StopTest(force));
  }

  @Override
  public List<GroupOperationResult> promoteReplicationGroup(@Nullable PromoteParam promoteParam) {
    PromoteParam param = present(promoteParam, "promoteParam");
    return change(
        param.getReplicationGroupsToPromote(), new GroupChange.Promote(param.isIsPlanned()));
  }

  @Override
  public List<GroupOperationResult> reverseReplicateGroup(
      @Nullable List<ReplicationGroupId> groupId) {
    return change(groupId, new GroupChange.Reverse());
  }

  /// A group and the change to make to it.
  private record Item(GroupId group, GroupChange change) {}

  /// One change to all groups.
  private List<GroupOperationResult> change(
      @Nullable List<ReplicationGroupId> groups, GroupChange change) {
    return change(someGroups(groups).stream().map(group -> new Item(group, change)).toList());
  }

  /// Makes a change to each group, from the replica that came with it.
  private List<GroupOperationResult> change(
      FailoverParam param,
      BiFunction<@Nullable String, List<GroupChange.DevicePolicy>, GroupChange> change) {
    List<GroupChange.DevicePolicy> policies =
        ReplicationMapper.policies(param.getPolicyAssociations());
    List<ReplicationGroupData> groups =
        Xml.all(param.getReplicationGroupsToFailover(), "replicationGroupsToFailover");
    return change(
        Batches.checked(groups, GROUP).stream()
            .map(
                item ->
                    new Item(
                        ReplicationMapper.groupId(item.getGroupId()),
                        change.apply(ReplicationMapper.replica(item.getPitId()), policies)))
            .toList());
  }

  private List<GroupOperationResult> change(List<Item> items) {
    return each(
        items,
        Item::group,
        item ->
            ReplicationMapper.outcome(
                item.group(), replication.change(item.group(), item.change())),
        (item, failure) -> ReplicationMapper.failed(item.group(), failure));
  }

  /// The result of each item, in order. A repeated item is a DuplicateEntry.
  private static <T, R> List<R> each(
      List<T> items,
      Function<T, Object> identifier,
      Function<T, R> work,
      BiFunction<T, VasaException, R> failed) {
    List<R> results = new ArrayList<>();
    Set<Object> before = new HashSet<>();
    for (T item : items) {
      try {
        requireFirst(before, identifier.apply(item));
        results.add(FaultTranslation.translated(() -> work.apply(item)));
      } catch (VasaException e) {
        results.add(failed.apply(item, e));
      }
    }
    return results;
  }

  private static void requireFirst(Set<Object> before, Object identifier) {
    if (!before.add(identifier)) {
      throw new VasaException(
          new Fault.DuplicateEntry(), identifier + " came before in the same call");
    }
  }

  /// @throws VasaException (InvalidArgument) if one is malformed; (TooMany)
  private static List<GroupId> groups(@Nullable List<ReplicationGroupId> ids) {
    return Batches.limited(Xml.all(ids, "groupId"), GROUP).stream()
        .map(ReplicationMapper::groupId)
        .toList();
  }

  /// @throws VasaException (InvalidArgument) if there is none or one is malformed; (TooMany)
  private static List<GroupId> someGroups(@Nullable List<ReplicationGroupId> ids) {
    Batches.checked(ids, GROUP);
    return groups(ids);
  }

  private static <T> T present(@Nullable T param, String name) {
    if (param == null) {
      throw VasaException.invalidArgument("expected a " + name + ", got none");
    }
    return param;
  }
}
