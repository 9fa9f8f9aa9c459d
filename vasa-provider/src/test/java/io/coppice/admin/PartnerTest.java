package io.coppice.admin;

import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.replication.PoolName;
import io.coppice.vasa.replication.FaultDomain;
import io.coppice.vasa.replication.GroupChange;
import io.coppice.vasa.replication.GroupId;
import io.coppice.vasa.replication.ReplicatedDevice;
import io.coppice.vasa.replication.ReplicationGroup;
import io.coppice.vasa.replication.group.PoolReplication;
import io.coppice.vasa.replication.pairing.PeerRecords;
import io.coppice.vasa.replication.partner.GroupChanging;
import io.coppice.vasa.replication.partner.LongChanges;
import io.coppice.vasa.replication.partner.Partner;
import io.coppice.vasa.task.TaskState;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.viewer.Viewer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The groups of a pool as registrations see them, at a source whose peer does not answer.
class PartnerTest {

  private static AdminServer server;
  private static PoolReplication replication;
  private static Partner partner;
  private static String peer;
  private static String domain;

  @BeforeAll
  static void start() {
    server = new AdminServer();
    peer = PeersTest.pair(server, "target").toString();
    ControlPlane control = server.control;
    ReplicationBeans beans = new ReplicationBeans();
    PeerRecords peers = beans.peerRecords(control);
    replication = beans.poolReplication(control, peers);
    PoolName self = new PoolName(control.engine.pool().id(), "first");
    domain = FaultDomain.idOf(self.id());
    partner =
        new Partner(
            new FaultDomain(domain, self.name(), "", "", ""),
            replication.groups(),
            peers,
            control.containers,
            new GroupChanging(
                replication.groups(),
                new LongChanges(
                    replication.groups(),
                    control.tasks,
                    control.jdbc,
                    control.transactions,
                    Duration.ofMinutes(1)),
                control.bindings,
                () -> _ -> true,
                control.profiles,
                control.policies));
  }

  @AfterAll
  static void stop() {
    replication.close();
    server.close();
  }

  private static UUID registered() {
    return server
        .control
        .jdbc
        .sql(
            """
            insert into trust_set (id, created, registered, registered_from)
            values (gen_random_uuid(), now(), now(), '192.0.2.7') returning id
            """)
        .query(UUID.class)
        .single();
  }

  private static GroupId id(String group) {
    return new GroupId(domain, group);
  }

  @Test
  void groupIsThereForThoseWhoAreOfferedItsContainers() throws Exception {
    String container = server.container("limited");
    String group = ReplicationGroupsTest.group(server, container, peer, "limited");
    UUID one = registered();
    UUID other = registered();
    server.control.containers.limit(UUID.fromString(container), Set.of(one));

    ReplicationGroup seen = Viewer.call(one, () -> partner.group(id(group)));
    assertThat(seen).isInstanceOf(ReplicationGroup.Source.class);
    assertThat(seen.devices())
        .extracting(ReplicatedDevice::container)
        .containsExactly(UUID.fromString(container));
    assertThat(Viewer.call(other, partner::groups)).doesNotContain(seen);
    assertFault(
        "NotFound",
        () ->
            Viewer.call(other, () -> partner.change(id(group), new GroupChange.PrepareFailover())));
    assertFault("NotFound", () -> Viewer.call(other, () -> partner.group(id(group))));
  }

  @Test
  void peersAreFaultDomains() {
    assertThat(partner.targetsOf(domain)).containsExactly(FaultDomain.idOf(UUID.fromString(peer)));
    assertFault("NotFound", () -> partner.targetsOf("FaultDomain:" + UUID.randomUUID()));
  }

  @Test
  void preparationWithoutThePeerIsATaskThatFails() {
    String group =
        ReplicationGroupsTest.group(server, server.container("prepared"), peer, "prepared");

    assertFault(
        "PeerNotReachable", () -> partner.change(id(group), new GroupChange.PrepareFailover()));

    VasaTask task = server.control.tasks.latest(1).getFirst();
    assertThat(task.name()).isEqualTo("prepareFailoverReplicationGroup");
    assertThat(task.state())
        .isInstanceOfSatisfying(
            TaskState.Failed.class,
            failed -> assertThat(failed.fault().name()).isEqualTo("PeerNotReachable"));
    assertThat(server.control.jdbc.sql("select * from group_change").query().listOfRows())
        .isEmpty();
    assertThat(partner.group(id(group)).state())
        .as("prepared, and so out of use, until it is called again")
        .isEqualTo("SOURCE");
  }

  @Test
  void idsThatAreNoneAreNotFound() {
    for (String unknown : List.of("x", UUID.randomUUID().toString())) {
      assertFault("NotFound", () -> partner.group(id(unknown)));
      assertFault("NotFound", () -> partner.change(id(unknown), new GroupChange.Reverse()));
    }
    assertFault(
        "InvalidFunctionTarget",
        () -> partner.change(new GroupId("elsewhere", "x"), new GroupChange.Reverse()));
  }
}
