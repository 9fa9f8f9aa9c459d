package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.driver.esxi.VvolDisk;
import io.coppice.driver.iscsi.Chap;
import io.coppice.driver.iscsi.Discovery;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.scsi.Cdbs;
import io.coppice.driver.scsi.CopySegment;
import io.coppice.driver.scsi.Designator;
import io.coppice.driver.scsi.ScsiRequest;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/// What a host lets the array do over iSCSI, as an administrator reads it over REST; and what an
/// administrator sets there for an initiator's login.
class OffloadsIT {

  private static final String MACHINE = "vm-offloads";
  private static final int BLOCK = 512;

  @RegisterExtension private static final SharedSite shared = new SharedSite();

  @Test
  void copiesZeroesUnmapsAndTheirFailuresAreCountedForHostAndVirtualMachine() {
    shared.site().create("Config", 4096, Map.of("VMW_VmID", MACHINE, "VMW_VVolName", "web"));
    String id =
        shared.site().create("Data", 16, Map.of("VMW_VmID", MACHINE, "VMW_VVolName", "web-disk"));
    VvolDisk disk = shared.site().host().bind(id);
    disk.disk().write(0, ByteBuffer.allocate(64 * BLOCK));
    String naa = Designator.naaOf(disk.unit().designators()).orElseThrow();

    disk.unit().extendedCopy(java.util.List.of(new CopySegment(naa, 0, naa, 128, 64)));
    disk.unit().zero(256, 128, true);
    disk.unit().unmap(512, 64);
    ByteBuffer zeros = ByteBuffer.allocate(BLOCK);
    assertThat(disk.unit().compareAndWrite(1024, 1, zeros.duplicate(), zeros)).isTrue();
    long beyond = 16L << 11;
    assertThat(
            disk.unit()
                .execute(
                    ScsiRequest.none(disk.unit().lun(), Cdbs.writeSame16(beyond, 8, true, true)))
                .status())
        .as("CHECK CONDITION")
        .isEqualTo(2);

    JsonNode list = shared.provider().rest().get("offloads?vm=" + MACHINE).get("items");
    assertThat(list).hasSize(1);
    JsonNode one = list.get(0);
    assertThat("rfc4122." + one.get("vvol").asString()).isEqualTo(id);
    assertThat(one.get("name").asString()).isEqualTo("web-disk");
    assertThat(one.get("vmName").asString()).isEqualTo("web");
    assertThat(one.get("host").asString()).isEqualTo(shared.site().host().uuid());
    assertThat(one.get("initiator").asString()).isEqualTo(shared.site().host().initiatorName());
    assertCount(one, "xcopy", 1, 2 * 64 * BLOCK, 0);
    assertCount(one, "writeSame", 1, 128 * BLOCK, 1);
    assertThat(one.at("/counts/kinds/writeSame/reasons/0/sense").asString())
        .isEqualTo("5h/21h/00h");
    assertCount(one, "unmap", 1, 64 * BLOCK, 0);
    assertCount(one, "ats", 1, 0, 0);
    JsonNode machine = shared.provider().rest().get("offloads/vms").get("items").get(0);
    assertThat(machine.get("vm").asString()).isEqualTo(MACHINE);
    assertThat(machine.at("/counts/total/commands").asLong()).isEqualTo(4);
    JsonNode host = shared.provider().rest().get("offloads/hosts").get("items").get(0);
    assertThat(host.get("host").asString()).isEqualTo(shared.site().host().uuid());
    assertThat(host.at("/counts/total/fallBacks").asLong()).isEqualTo(1);
    shared.site().host().unbind(disk);
  }

  private static void assertCount(
      JsonNode offload, String kind, long commands, long bytesSpared, long fallBacks) {
    JsonNode count = offload.at("/counts/kinds/" + kind);
    assertThat(count.get("commands").asLong()).as(kind).isEqualTo(commands);
    assertThat(count.get("bytesSpared").asLong()).as(kind).isEqualTo(bytesSpared);
    assertThat(count.get("fallBacks").asLong()).as(kind).isEqualTo(fallBacks);
  }

  @Test
  void bothSidesProveThemselvesBySecretsThatRestHasSet() {
    String name = "iqn.2026-11.test:mutual";
    Chap own = Chap.md5("anybody", "the host's secret");
    shared
        .provider()
        .rest()
        .put(
            "initiators/" + name + "/chap",
            "{\"secret\": \"the host's secret\", \"mutualSecret\": \"the array's secret\"}");
    LoginSettings login = LoginSettings.of(name, 1);

    assertThat(
            Discovery.sendTargets(
                shared.provider().process().portal(),
                login.withChap(own.mutual("the array's secret"))))
        .isEmpty();
    assertThatThrownBy(
            () ->
                Discovery.sendTargets(
                    shared.provider().process().portal(),
                    login.withChap(own.mutual("another secret"))))
        .as("an array that does not know the secret")
        .isInstanceOf(RuntimeException.class);
    assertThatThrownBy(() -> Discovery.sendTargets(shared.provider().process().portal(), login))
        .as("an initiator without CHAP")
        .isInstanceOf(RuntimeException.class);
  }
}
