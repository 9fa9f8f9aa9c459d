package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.driver.esxi.VvolDisk;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.soap.ReplicationCalls.Device;
import io.coppice.driver.soap.ReplicationCalls.Order;
import io.coppice.driver.soap.ReplicationCalls.Policy;
import io.coppice.driver.soap.ReplicationCalls.Replica;
import io.coppice.driver.soap.ReplicationCalls.Result;
import io.coppice.driver.soap.TaskInfo;
import io.coppice.driver.soap.VasaFault;
import io.coppice.harness.Commands;
import io.coppice.harness.FreePorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// vCenter with two providers: the group of a virtual machine goes through every state, by VASA
/// alone. In each state every operation is called at both ends, and answers as the table of
/// `docs/conformance.md` says.
class VasaReplicationIT {

  private static final String MACHINE = "421f6b3a-8d1e-4c57-9a2b-6e0f5d4c3b21";

  /// The driver calls in the namespace of 2.0, whose schemas have no replication.
  private static final ClientOptions OPTIONS = ClientOptions.defaults().withSchemas(null);

  @TempDir private Path folder;

  private final ReplicationStates states = ReplicationStates.read();

  @Test
  void everyOperationAnswersByTheStateOfTheGroup() throws Exception {
    try (RunningProvider a = start("a");
        RunningProvider b = start("b");
        RegisteredSite first = new RegisteredSite(a, OPTIONS);
        RegisteredSite second = new RegisteredSite(b, OPTIONS)) {
      pair(first, second);
      String disk = first.create("Data", 64, Map.of("VMW_VmID", MACHINE, "VMW_VVolName", "db"));
      first.write(disk, 0, 1);
      String id = group(first, poolOf(second));
      VasaGroupEnd source = new VasaGroupEnd(first, id);
      VasaGroupEnd target = new VasaGroupEnd(second, id);
      await(() -> !target.calls().queryReplicationGroup(List.of()).isEmpty());
      await(() -> !target.replicas(null).isEmpty());

      sourceAndTargetKnowEachOther(source, target, disk);
      replicasAreMadeAndChosen(source, target, disk);
      testIsShownAndEnded(source, target, disk);
      plannedFailOver(source, target, disk);
      reversed(source, target);
      String there = target.info().devices().getFirst().source();
      unplannedFailOver(target, source, disk, there);
      promotedTest(source, target, disk);
      states.assertAllSeen();
    }
  }

  private void sourceAndTargetKnowEachOther(VasaGroupEnd source, VasaGroupEnd target, String disk) {
    assertThat(source.calls().queryReplicationPeer())
        .isEqualTo(Map.of(source.domain(), List.of(target.domain())));
    assertThat(source.info())
        .satisfies(
            info -> {
              assertThat(info.type()).isEqualTo("SourceGroupInfo");
              assertThat(info.name()).isEqualTo("shop");
              assertThat(info.other()).isEqualTo(target.group());
              assertThat(info.devices()).extracting(Device::here).containsExactly(disk);
            });
    assertThat(target.info())
        .satisfies(
            info -> {
              assertThat(info.type()).isEqualTo("TargetGroupInfo");
              assertThat(info.other()).isEqualTo(source.group());
              assertThat(info.devices()).extracting(Device::source).containsExactly(disk);
              assertThat(info.devices()).extracting(Device::here).containsOnlyNulls();
              assertThat(info.devices())
                  .extracting(Device::replica)
                  .isEqualTo(source.info().devices().stream().map(Device::replica).toList());
            });
    states.check("SOURCE", source);
    states.check("TARGET", target);
    assertThat(target.failOver(Order.of(target.group()).asPlanned()).outcome())
        .as("nobody has prepared it")
        .isEqualTo("InvalidReplicationState");
  }

  private void replicasAreMadeAndChosen(VasaGroupEnd source, VasaGroupEnd target, String disk) {
    source.site().write(disk, 0, 2);
    Result made = target.sync("before noon");
    states.assertDone("syncReplicationGroup", "TARGET", made);
    Replica newest = target.replicas("before .*").getFirst();
    assertThat(made.xml().required("ns:pitId/ns:id")).isEqualTo(newest.id());
    assertThat(target.replicas("after .*")).isEmpty();
    assertThat(target.replicas(null)).hasSizeGreaterThan(1).last().isEqualTo(newest);
    for (String unknown : List.of("x", "00000000-0000-4000-8000-00000000dead")) {
      assertThat(target.failOver(Order.of(target.group()).from(unknown)).outcome())
          .isEqualTo("NoValidReplica");
    }
    Result checked = target.failOver(Order.of(target.group()).asCheck());
    assertThat(checked.outcome()).isEqualTo("done");
    assertThat(checked.xml().required("ns:newState")).isEqualTo("TARGET");
    assertThat(checked.recovered()).extracting(Device::source).containsExactly(disk);
    assertThat(target.info().state()).isEqualTo("TARGET");
  }

  private void testIsShownAndEnded(VasaGroupEnd source, VasaGroupEnd target, String disk) {
    Order order = Order.of(target.group());
    Result test =
        target.startTest(order.with(new Policy(disk, "6f4b8f0e-5a35-4b0c-9d86-1c0f9f4e3a52")));
    states.assertDone("testFailoverReplicationGroupStart", "TARGET", test);
    String shown = Objects.requireNonNull(test.recovered().getFirst().here());
    assertThat(target.info().devices()).extracting(Device::here).containsExactly(shown);
    assertThat(target.site().read(shown, 0)).isEqualTo((byte) 2);
    assertThat(target.site().host().client().volumes().queryVirtualVolumeInfo(List.of(shown)))
        .hasSize(1);
    states.check("INTEST", target);
    source.site().write(disk, 0, 3);
    states.assertDone("syncReplicationGroup", "INTEST", target.sync("beside the test"));
    assertThat(target.site().read(shown, 0)).isEqualTo((byte) 2);

    VvolDisk bound = target.site().host().bind(shown);
    assertThat(target.stopTest(false).outcome()).isEqualTo("ResourceInUse");
    assertThat(bound.disk().bytes()).isPositive();
    states.assertDone("testFailoverReplicationGroupStop", "INTEST", target.stopTest(true));
    assertThat(target.info().devices()).extracting(Device::here).containsOnlyNulls();
  }

  private void plannedFailOver(VasaGroupEnd source, VasaGroupEnd target, String disk) {
    VvolDisk bound = source.site().host().bind(disk);
    assertThat(source.prepare().outcome()).isEqualTo("ResourceInUse");
    source.site().host().unbind(bound);
    source.site().write(disk, 0, 4);
    states.assertDone("prepareFailoverReplicationGroup", "SOURCE", source.prepare());
    assertThatThrownBy(() -> source.site().host().bind(disk))
        .as("volumes that are about to move are out of use")
        .isInstanceOf(VasaFault.class)
        .hasMessageContaining("NotFound");
    states.check("PREPARED", source);
    Result over = target.failOver(Order.of(target.group()).asPlanned());
    states.assertDone("failoverReplicationGroup", "TARGET", over);
    assertThat(over.xml().required("ns:newState")).isEqualTo("FAILEDOVER");
    String there = Objects.requireNonNull(over.recovered().getFirst().here());
    assertThat(target.site().read(there, 0)).isEqualTo((byte) 4);
    states.check("FAILEDOVER", target);
    Result again = target.failOver(Order.of(target.group()));
    assertThat(again.recovered()).isEqualTo(over.recovered());
  }

  private void reversed(VasaGroupEnd source, VasaGroupEnd target) {
    Result reversed = target.reverse();
    states.assertDone("reverseReplicateGroup", "FAILEDOVER", reversed);
    assertThat(reversed.xml().required("ns:newGroupId/ns:id")).isEqualTo(target.group().id());
    states.check("SOURCE", target);
    states.check("TARGET", source);
    assertThat(source.info().type()).isEqualTo("TargetGroupInfo");
  }

  /// The other way: the provider of the source dies, and its task goes on after that of the target
  /// did too.
  private void unplannedFailOver(
      VasaGroupEnd source, VasaGroupEnd target, String disk, String there) throws Exception {
    source.site().write(there, 0, 5);
    taskOutlivesTheProvider(source, target);
    source.process().kill();
    assertThat(target.sync("nobody there").outcome()).isEqualTo("PeerNotReachable");
    assertThat(target.failOver(Order.of(target.group()).asPlanned()).outcome())
        .isEqualTo("PeerNotReachable");
    assertThat(target.info().state()).isEqualTo("TARGET");
    Result over = target.failOver(Order.of(target.group()));
    assertThat(over.outcome()).isEqualTo("done");
    assertThat(over.recovered()).extracting(Device::here).as("it was here").containsExactly(disk);
    target.site().host().reconnect(Duration.ofMinutes(1));
    assertThat(target.site().read(disk, 0)).isEqualTo((byte) 5);
    assertThat(target.reverse().outcome()).isEqualTo("PeerNotReachable");

    source.restart();
    source.learns();
    states.check("REMOTE_FAILEDOVER", source);
    assertThat(target.reverse().outcome()).isEqualTo("done");
    assertThat(source.info().state()).isEqualTo("TARGET");
  }

  private static void taskOutlivesTheProvider(VasaGroupEnd source, VasaGroupEnd target)
      throws Exception {
    signal("STOP", source);
    String task;
    try {
      CompletableFuture<Object> cut =
          CompletableFuture.supplyAsync(() -> target.attempted("the long one"));
      await(() -> !target.site().host().client().tasks().getCurrentTask(null).isEmpty());
      VasaFault ongoing = target.sync("another one").errors().getFirst();
      assertThat(ongoing.name()).isEqualTo("SyncOngoing");
      task = Objects.requireNonNull(ongoing.fields().get("task"));
      target.process().kill();
      cut.get(1, TimeUnit.MINUTES);
    } finally {
      signal("CONT", source);
    }
    target.restart();
    TaskInfo running = target.site().vcenter().client().tasks().getTaskUpdate(task);
    TaskInfo ended = target.site().vcenter().client().tasks().await(running, Duration.ofMinutes(2));
    assertThat(ended.state()).as(ended.toString()).isEqualTo(TaskInfo.SUCCESS);
    assertThat(target.replicas("the long one")).isNotEmpty();
  }

  private void promotedTest(VasaGroupEnd source, VasaGroupEnd target, String disk) {
    source.site().write(disk, 0, 6);
    assertThat(target.sync("last").outcome()).isEqualTo("done");
    Result test = target.startTest(Order.of(target.group()));
    assertThat(target.promote(true).outcome())
        .as("nobody has prepared it")
        .isEqualTo("InvalidReplicationState");
    states.assertDone("promoteReplicationGroup", "INTEST", target.promote(false));
    assertThat(target.info().devices())
        .extracting(Device::here)
        .as("its volumes are those of the test")
        .containsExactly(test.recovered().getFirst().here());
    source.learns();
    assertThat(source.info().state()).isEqualTo("REMOTE_FAILEDOVER");
  }

  // ---- two providers

  private RunningProvider start(String name) {
    return RunningProvider.start(
        folder.resolve(name),
        "--coppice.pool.capacity=1GB",
        "--coppice.vasa.name=" + name,
        "--coppice.replication.address=127.0.0.1",
        "--coppice.replication.advertise=127.0.0.1",
        "--coppice.replication.port=" + FreePorts.take(1).getFirst());
  }

  private static void pair(RegisteredSite first, RegisteredSite second) {
    JsonNode code = second.provider().rest().post("replication/codes", "");
    first
        .provider()
        .rest()
        .post(
            "replication/peers",
            "{\"address\": \"127.0.0.1:%d\", \"code\": \"%s\"}"
                .formatted(
                    second.provider().process().management().getPort(),
                    code.get("code").asString()));
  }

  private static String poolOf(RegisteredSite site) {
    return site.provider().rest().get("system").get("pool").asString();
  }

  private static String group(RegisteredSite site, String peer) {
    return site.provider()
        .rest()
        .post(
            "replication/groups",
            """
            {"name": "shop", "peer": "%s", "interval": "PT24H", "members": [{"vm": "%s"}],
             "keep": [{"every": "PT5S", "keepFor": "PT1H"}], "container": "site"}
            """
                .formatted(peer, MACHINE))
        .get("id")
        .asString();
  }

  private static void signal(String name, VasaGroupEnd end) {
    assertThat(
            Commands.run(10, List.of("kill", "-" + name, Long.toString(end.process().pid())))
                .exitCode())
        .isZero();
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + Duration.ofSeconds(120).toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("120 s are over").isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }
}
