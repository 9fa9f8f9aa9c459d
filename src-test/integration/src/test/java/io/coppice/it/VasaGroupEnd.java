package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.driver.soap.ReplicationCalls;
import io.coppice.driver.soap.ReplicationCalls.Group;
import io.coppice.driver.soap.ReplicationCalls.Info;
import io.coppice.driver.soap.ReplicationCalls.Order;
import io.coppice.driver.soap.ReplicationCalls.Replica;
import io.coppice.driver.soap.ReplicationCalls.Result;
import io.coppice.driver.soap.UnreachableException;
import io.coppice.driver.soap.VasaFault;
import io.coppice.harness.ProviderProcess;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An end of a replication group, as vCenter calls it.
///
/// @param id of the group in its fault domain
record VasaGroupEnd(RegisteredSite site, String domain, String id) {

  VasaGroupEnd(RegisteredSite site, String id) {
    this(site, site.vcenter().client().replication().queryFaultDomain().getFirst(), id);
  }

  ReplicationCalls calls() {
    return site.vcenter().client().replication();
  }

  Group group() {
    return new Group(domain, id);
  }

  private List<Group> groups() {
    return List.of(group());
  }

  ProviderProcess process() {
    return site.provider().process();
  }

  Info info() {
    return calls().queryReplicationGroup(groups()).getFirst().info();
  }

  /// Oldest first.
  ///
  /// @param name regular expression; null for any name
  List<Replica> replicas(@Nullable String name) {
    return calls().queryPointInTimeReplica(groups(), name).getFirst().replicas();
  }

  Result sync(String name) {
    return calls().syncReplicationGroup(groups(), name).getFirst();
  }

  /// As [#sync], whatever becomes of the provider.
  @Nullable Object attempted(String name) {
    try {
      return sync(name);
    } catch (UnreachableException | VasaFault e) {
      return e;
    }
  }

  Result prepare() {
    return calls().prepareFailoverReplicationGroup(groups()).getFirst();
  }

  Result failOver(Order order) {
    return calls().failoverReplicationGroup(order).getFirst();
  }

  Result startTest(Order order) {
    return calls().testFailoverReplicationGroupStart(order).getFirst();
  }

  Result stopTest(boolean force) {
    return calls().testFailoverReplicationGroupStop(groups(), force).getFirst();
  }

  Result promote(boolean planned) {
    return calls().promoteReplicationGroup(groups(), planned).getFirst();
  }

  Result reverse() {
    return calls().reverseReplicateGroup(groups()).getFirst();
  }

  /// Calls an operation with the arguments that it needs least.
  Result call(String operation) {
    return switch (operation) {
      case "syncReplicationGroup" -> sync("by the table");
      case "prepareFailoverReplicationGroup" -> prepare();
      case "failoverReplicationGroup" -> failOver(Order.of(group()));
      case "testFailoverReplicationGroupStart" -> startTest(Order.of(group()));
      case "testFailoverReplicationGroupStop" -> stopTest(false);
      case "promoteReplicationGroup" -> promote(false);
      case "reverseReplicateGroup" -> reverse();
      case "queryPointInTimeReplica" -> calls().queryPointInTimeReplica(groups(), null).getFirst();
      default -> throw new IllegalArgumentException("expected an operation, got " + operation);
    };
  }

  /// Starts the provider after it was killed.
  void restart() {
    process().start();
    process().awaitReady(RunningProvider.START_LIMIT);
    site.vcenter().reconnect();
    site.vcenter().openSession();
    site.host().reopenSession(Duration.ofMinutes(1));
    site.host().reconnect(Duration.ofMinutes(1));
  }

  /// Has a source learn that the other end has failed over: its next cycle is refused.
  void learns() {
    assertThatThrownBy(
            () -> site.provider().rest().post("replication/groups/" + id + "/synchronize", ""))
        .hasMessageContaining("FAILEDOVER");
  }
}
