package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.driver.esxi.VvolDisk;
import io.coppice.driver.scsi.ScsiException;
import io.coppice.driver.scsi.Sense;
import io.coppice.driver.soap.BatchStatus;
import io.coppice.driver.soap.BindingCalls;
import io.coppice.driver.soap.StorageProfile;
import io.coppice.driver.soap.TaskInfo;
import io.coppice.driver.soap.VasaClient;
import io.coppice.driver.soap.VasaFault;
import io.coppice.driver.soap.VvolInfo;
import io.coppice.harness.RestClient;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/// A running provider whose locked snapshots vCenter and a host try to end or to change, by every
/// call of VASA that takes a virtual volume and by commands over iSCSI. After each attempt the
/// snapshot is there, is locked as before, and has the same bytes. At last they fill the pool.
class LockedCopiesIT {

  private static final long MIB = 1 << 20;
  private static final int SIZE_MB = 4;
  private static final String DONE = "";
  private static final String IN_USE = "ResourceInUse";

  @RegisterExtension
  private static final SharedSite shared =
      new SharedSite("--coppice.pool.capacity=512MB", "--coppice.alerts.period=1s");

  /// A call that may end with a fault, in its answer or in the items of it.
  private interface Call {
    void run() throws VasaFault;
  }

  /// A snapshot with content of its own, the volume that it is of, and another volume of that size.
  private static final class Copy {
    private final String volume;
    private final String snapshot;
    private final String other = create();
    private final String until;
    private final String content;

    Copy(String volume) {
      this.volume = volume;
      fill(volume, 1);
      snapshot = shared.site().snapshot(volume);
      fill(volume, 2);
      content = sha256(snapshot);
      until =
          rest()
              .post("snapshots/" + uuid(snapshot) + "/lock", "{\"lockFor\": \"P7D\"}")
              .get("lockedUntil")
              .asString();
    }

    void requireKept(String attempt) {
      JsonNode shown = rest().get("snapshots/" + uuid(snapshot));
      assertThat(shown.get("lockedUntil").asString()).as(attempt).isEqualTo(until);
      assertThat(sha256(snapshot)).as(attempt).isEqualTo(content);
    }
  }

  private static RestClient rest() {
    return shared.provider().rest();
  }

  private static String uuid(String vvol) {
    return vvol.substring(vvol.indexOf('.') + 1);
  }

  private static String create() {
    return shared.site().create("Data", SIZE_MB, Map.of());
  }

  private static String createPlain(String name) {
    String id =
        rest()
            .post(
                "volumes",
                "{\"name\": \"%s\", \"size\": %d, \"container\": \"%s\"}"
                    .formatted(name, SIZE_MB * MIB, shared.site().container()))
            .get("id")
            .asString();
    return "rfc4122." + id;
  }

  private static void fill(String id, long seed) {
    byte[] bytes = new byte[(int) (SIZE_MB * MIB)];
    new Random(seed).nextBytes(bytes);
    VvolDisk disk = shared.site().host().bind(id);
    disk.disk().write(0, ByteBuffer.wrap(bytes));
    shared.site().host().unbind(disk);
  }

  private static String sha256(String id) {
    VvolDisk disk = shared.site().host().bind(id);
    String sum = disk.disk().sha256();
    shared.site().host().unbind(disk);
    return sum;
  }

  private static String outcome(Call call) {
    try {
      call.run();
      return DONE;
    } catch (VasaFault fault) {
      assertThat(fault.typed()).as(fault.getMessage()).isTrue();
      return fault.name();
    }
  }

  @Test
  void noCallOfVcenterOrOfAHostEndsOrChangesALockedCopyOfAMachine() {
    tryEverything(new Copy(create()));
  }

  @Test
  void noCallOfVcenterOrOfAHostEndsOrChangesALockedCopyOfAPlainVolume() {
    tryEverything(new Copy(createPlain("plain")));
  }

  @Test
  void aPoolFullOfLockedCopiesRefusesWritesSaysWhyAndKeepsThemAll() {
    try (FilledPool pool = new FilledPool(shared.provider(), shared.site().container())) {
      assertThatThrownBy(
              () -> {
                for (int lap = 0; lap < 20; lap++) {
                  pool.lap();
                }
              })
          .isInstanceOfSatisfying(
              ScsiException.class,
              e -> assertThat(e.is(Sense.DATA_PROTECT, 0x27, 0x07)).as(e.toString()).isTrue());

      assertThat(pool.locked()).hasSizeGreaterThan(3);
      pool.requireKept();
      for (String snapshot : pool.locked()) {
        assertThatThrownBy(() -> rest().delete("snapshots/" + snapshot + "?purge=true"))
            .hasMessageContainingAll("409", "locked until");
      }
      assertThat(alert()).contains("locked snapshots hold", "the first of these locks ends");
      pool.makeRoom();
      assertThat(pool.locked()).allSatisfy(id -> rest().get("snapshots/" + id));
    }
  }

  /// The cause in the alert of locked space, once it is there.
  private static String alert() {
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (true) {
      for (JsonNode alert : rest().get("alerts").get("items")) {
        if (alert.get("message").asString().equals("LockedSpace")) {
          return alert.get("cause").asString();
        }
      }
      assertThat(System.nanoTime()).as("no alert of locked space").isLessThan(deadline);
      LockSupport.parkNanos(50_000_000);
    }
  }

  private void tryEverything(Copy copy) {
    Map<String, String> wrong = new LinkedHashMap<>();
    int tried = 0;
    for (boolean asHost : List.of(true, false)) {
      Table table = new Table(asHost, copy);
      for (Map.Entry<String, Attempt> each : table.attempts().entrySet()) {
        String ended = outcome(each.getValue().call());
        if (!ended.equals(each.getValue().expected())) {
          wrong.put(
              table.caller + ": " + each.getKey(),
              each.getValue().expected() + " expected, got " + ended);
        }
        copy.requireKept(each.getKey());
        tried++;
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(tried).isGreaterThanOrEqualTo(50);
    TaskInfo clone =
        shared
            .site()
            .host()
            .client()
            .snapshots()
            .cloneVirtualVolume(copy.snapshot, null, null, Map.of("VMW_VVolType", "Data"));
    assertThat(sha256(shared.site().await(clone).requireResult())).isEqualTo(copy.content);
  }

  /// @param expected the fault that the contract has for it; [#DONE] for what does no harm
  private record Attempt(String expected, Call call) {}

  /// What a caller may ask for, with the locked copy in each place that takes a virtual volume.
  private static final class Table {
    private final String caller;
    private final VasaClient client;
    private final Copy copy;
    private final Map<String, Attempt> attempts = new LinkedHashMap<>();

    Table(boolean asHost, Copy copy) {
      this.caller = asHost ? "a host" : "vCenter";
      this.client = asHost ? shared.site().host().client() : shared.site().vcenter().client();
      this.copy = copy;
    }

    private void add(String name, String expected, Call call) {
      attempts.put(name, new Attempt(expected, call));
    }

    private void addTask(String name, String expected, Supplier<TaskInfo> call) {
      add(name, expected, () -> shared.site().await(call.get()));
    }

    Map<String, Attempt> attempts() {
      deletions();
      changes();
      copies();
      bindings();
      return attempts;
    }

    private void deletions() {
      add("delete", IN_USE, () -> client.volumes().deleteVirtualVolume(copy.snapshot));
      add("delete the volume", IN_USE, () -> client.volumes().deleteVirtualVolume(copy.volume));
      addTask(
          "revert", DONE, () -> client.snapshots().revertVirtualVolume(copy.volume, copy.snapshot));
      addTask(
          "revert the snapshot",
          "NotSupported",
          () -> client.snapshots().revertVirtualVolume(copy.snapshot, copy.snapshot));
      addTask(
          "revert another volume",
          "IncompatibleVolume",
          () -> client.snapshots().revertVirtualVolume(copy.other, copy.snapshot));
      add(
          "delete after the revert",
          IN_USE,
          () -> client.volumes().deleteVirtualVolume(copy.snapshot));
    }

    private void changes() {
      addTask(
          "grow",
          "NotSupported",
          () -> client.volumes().resizeVirtualVolume(copy.snapshot, 2 * SIZE_MB));
      addTask(
          "shrink", "NotSupported", () -> client.volumes().resizeVirtualVolume(copy.snapshot, 1));
      addTask(
          "grow the volume",
          DONE,
          () -> client.volumes().resizeVirtualVolume(copy.volume, 2 * SIZE_MB));
      add(
          "metadata",
          DONE,
          () ->
              client
                  .volumes()
                  .updateVirtualVolumeMetaData(
                      copy.snapshot,
                      Map.of("coppice.lock", "2000-01-01T00:00:00Z", "VMW_VVolName", "other")));
      add(
          "no metadata",
          DONE,
          () ->
              client
                  .volumes()
                  .removeMetaData(copy.snapshot, List.of("coppice.lock", "VMW_VVolName", "lock")));
      StorageProfile profile = StorageProfile.noRequirements();
      addTask(
          "profile",
          DONE,
          () -> client.policies().updateStorageProfileForVirtualVolume(copy.snapshot, profile));
      addTask(
          "profile of the volume",
          DONE,
          () -> client.policies().updateStorageProfileForVirtualVolume(copy.volume, profile));
    }

    private void copies() {
      var calls = client.snapshots();
      addTask(
          "snapshot of it",
          "NotSupported",
          () -> calls.prepareToSnapshotVirtualVolume(copy.snapshot, null, "SnapshotReadOnly"));
      add(
          "take it again",
          IN_USE,
          () ->
              BatchStatus.requireAllGood(
                  calls.snapshotVirtualVolume(
                      List.of(new VvolInfo(copy.snapshot, Map.of("VMW_VVolType", "Data"))),
                      1_000)));
      addTask(
          "differences onto it",
          "NotSupported",
          () -> calls.copyDiffsToVirtualVolume(copy.volume, copy.snapshot, copy.snapshot));
      addTask(
          "differences of another volume onto it",
          "NotSupported",
          () -> calls.copyDiffsToVirtualVolume(copy.other, copy.other, copy.snapshot));
      addTask(
          "differences onto its volume",
          DONE,
          () -> calls.copyDiffsToVirtualVolume(copy.snapshot, copy.snapshot, copy.volume));
      Map<String, String> data = Map.of("VMW_VVolType", "Data");
      add(
          "clones that go again",
          DONE,
          () -> {
            for (TaskInfo task :
                List.of(
                    calls.fastCloneVirtualVolume(copy.snapshot, null, data),
                    calls.cloneVirtualVolume(copy.snapshot, null, null, data))) {
              client.volumes().deleteVirtualVolume(shared.site().await(task).requireResult());
            }
          });
    }

    private void bindings() {
      BindingCalls calls = client.bindings();
      add("write, zero and unmap it", DONE, this::writeOverIscsi);
      add("delete it bound", IN_USE, this::deleteBound);
      add(
          "unbind it from all hosts",
          client == shared.site().host().client() ? "StorageFault" : DONE,
          () -> {
            shared.site().host().bind(copy.snapshot);
            BatchStatus.requireAllGood(
                calls.unbindVirtualVolumeFromAllHost(List.of(copy.snapshot)));
          });
      add(
          "unbind all",
          DONE,
          () -> {
            shared.site().host().bind(copy.snapshot);
            calls.unbindAllVirtualVolumesFromHost(shared.site().host().uuid());
          });
      add(
          "delete it after that",
          IN_USE,
          () -> client.volumes().deleteVirtualVolume(copy.snapshot));
      add(
          "announced moves",
          "NotFound",
          () -> {
            BatchStatus.requireAllGood(calls.cancelBindingChange(List.of(copy.snapshot)));
            BatchStatus.requireAllGood(calls.bindingChangeComplete(List.of(copy.snapshot)));
          });
    }

    private void writeOverIscsi() {
      VvolDisk disk = shared.site().host().bind(copy.snapshot);
      List<Runnable> commands =
          List.of(
              () -> disk.disk().write(0, ByteBuffer.allocate(4096)),
              () -> disk.disk().zero(0, 4096),
              () -> disk.disk().unmap(0, MIB));
      for (Runnable command : commands) {
        assertThatThrownBy(command::run)
            .isInstanceOfSatisfying(
                ScsiException.class,
                e -> assertThat(e.sense().key()).isEqualTo(Sense.DATA_PROTECT));
      }
      shared.site().host().unbind(disk);
    }

    private void deleteBound() {
      VvolDisk disk = shared.site().host().bind(copy.snapshot);
      try {
        client.volumes().deleteVirtualVolume(copy.snapshot);
      } finally {
        shared.site().host().unbind(disk);
      }
    }
  }
}
