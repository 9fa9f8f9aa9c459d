package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.esxi.VirtualMachine;
import io.coppice.driver.esxi.VmSnapshot;
import io.coppice.driver.esxi.VmSpec;
import io.coppice.driver.esxi.VvolDisk;
import io.coppice.harness.RestClient;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/// A machine that vCenter deletes and reverts, and an administrator brings back, byte for byte,
/// also after the provider was killed.
class UndoneByAdminIT {

  private static final Duration BOUND = Duration.ofMinutes(1);
  private static final int MIB = 1 << 20;
  private static final int SIZE_MB = 4;

  @RegisterExtension
  private static final SharedSite shared = new SharedSite("--coppice.pool.capacity=512MB");

  private static RestClient rest() {
    return shared.provider().rest();
  }

  private static EsxiHost host() {
    return shared.site().host();
  }

  private static String uuid(String vvol) {
    return vvol.substring(vvol.indexOf('.') + 1);
  }

  private static void restart() {
    shared.provider().process().kill();
    shared.provider().process().start();
    shared.provider().process().awaitReady(RunningProvider.START_LIMIT);
    host().reopenSession(BOUND);
    host().reconnect(BOUND);
  }

  private static byte[] content(long seed, int bytes) {
    byte[] content = new byte[bytes];
    new Random(seed).nextBytes(content);
    return content;
  }

  /// Fills the disks, each with content of its own.
  private static void fill(VirtualMachine machine, int seed) {
    int next = seed;
    for (VvolDisk disk : machine.bindDisks()) {
      disk.disk().write(0, ByteBuffer.wrap(content(next++, SIZE_MB * MIB)));
    }
    machine.unbindDisks();
  }

  private static void requireFilled(List<String> disks, int seed) {
    int next = seed;
    for (String id : disks) {
      VvolDisk disk = host().bind(id);
      ByteBuffer came = ByteBuffer.allocate(SIZE_MB * MIB);
      disk.disk().read(0, came);
      host().unbind(disk);
      assertThat(came.flip()).as(id).isEqualTo(ByteBuffer.wrap(content(next++, SIZE_MB * MIB)));
    }
  }

  /// The machine's id as vCenter gave it to the vVols.
  private static String idOf(VirtualMachine machine) {
    return host()
        .client()
        .volumes()
        .queryVirtualVolumeInfo(machine.diskIds())
        .getFirst()
        .metadata()
        .get("VMW_VmID");
  }

  private static void restore(String machine, int expected) {
    JsonNode restored = rest().post("vms/" + machine + "/restore", "");
    assertThat(restored.get("left")).as(restored.toString()).isEmpty();
    assertThat(restored.get("restored")).as(restored.toString()).hasSize(expected);
  }

  /// Sets each disk back to the newest safety copy of it.
  private static void undoReverts(List<String> disks) {
    for (String disk : disks) {
      String copy =
          rest()
              .get("bin?kind=safety-copy&sort=-deleted")
              .get("items")
              .valueStream()
              .filter(item -> item.get("vvol").asString().equals(uuid(disk)))
              .findFirst()
              .orElseThrow()
              .get("id")
              .asString();
      rest().post("bin/" + copy + "/restore", "");
    }
  }

  @Test
  void whatVcenterDeletedAndRevertedComesBackByteForByteAlsoAfterAKill() {
    VirtualMachine machine =
        VirtualMachine.create(
            host(),
            new VmSpec("shop", shared.site().container(), 4, List.of(4L, (long) SIZE_MB), 4, null));
    String id = idOf(machine);
    List<String> disks = machine.diskIds();
    fill(machine, 10);
    VmSnapshot snapshot = machine.snapshot("one");
    fill(machine, 20);

    machine.revert(snapshot);
    requireFilled(disks, 10);
    undoReverts(disks);
    requireFilled(disks, 20);
    machine.revert(snapshot);
    machine.delete();
    assertThat(host().client().volumes().queryVirtualVolume(Map.of("VMW_VmID", id))).isEmpty();
    restore(id, 5);
    requireFilled(disks, 10);
    for (String each : snapshot.diskIds()) {
      host().client().volumes().deleteVirtualVolume(each);
    }
    machine.delete(); // its snapshots are known as deleted
    restart();

    restore(id, 5);
    requireFilled(disks, 10);
    requireFilled(snapshot.diskIds(), 10);
    undoReverts(disks);
    requireFilled(disks, 20);
    restart();
    requireFilled(disks, 20);
    undoReverts(disks);
    requireFilled(disks, 10);
  }
}
