package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.esxi.VvolDisk;
import io.coppice.driver.soap.BatchStatus;
import io.coppice.driver.soap.CallLog;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.soap.VasaFault;
import io.coppice.driver.vcenter.VCenter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A second vCenter beside a site that works: nothing that it may call stops the first one's host.
class TwoSitesIT {

  private static final int BLOCK = 4096;

  @RegisterExtension
  private static final SharedSite shared = new SharedSite("--coppice.vasa.certificate=retain");

  private VCenter second;
  private EsxiHost secondHost;

  @BeforeEach
  void register() throws IOException {
    var log = new CallLog();
    second = new VCenter("second.test", ClientOptions.defaults(), log);
    second.register(
        shared.provider().process().vasa().resolve("/vasa/version.xml"),
        "vasa",
        shared.provider().process().vasaPassword());
    secondHost = EsxiHost.of(second, "esxi-second", ClientOptions.defaults(), log);
    secondHost.openSession();
  }

  @AfterEach
  void leave() {
    secondHost.close();
    second.close();
  }

  @Test
  void hostWritesOnWhateverASecondVcenterUnbinds() {
    EsxiHost host = shared.site().host();
    String id = shared.site().create("Data", 4, Map.of());
    VvolDisk disk = host.bind(id);
    write(disk, 1);

    BatchStatus.requireAllGood(
        second.client().bindings().unbindVirtualVolumeFromAllHost(List.of(id)));
    assertThatThrownBy(
            () -> second.client().bindings().unbindAllVirtualVolumesFromHost(host.uuid()))
        .isInstanceOf(VasaFault.class)
        .hasMessageContaining("NotFound");
    assertThatThrownBy(() -> second.client().volumes().deleteVirtualVolume(id))
        .isInstanceOf(VasaFault.class)
        .hasMessageContaining("ResourceInUse");
    write(disk, 2);

    assertThat(read(disk)).isEqualTo((byte) 2);
    host.unbind(disk);
    second.client().volumes().deleteVirtualVolume(id);
  }

  @Test
  void containerThatIsLimitedIsThereForItsVcenterOnly() {
    String id = shared.site().create("Data", 4, Map.of());
    String path = "containers/" + shared.site().container() + "/registrations";
    String own = null;
    for (var each : shared.provider().rest().get("registrations").get("items")) {
      if (each.get("vcenters").toString().contains(shared.site().vcenter().guid())) {
        own = each.get("id").asString();
      }
    }

    shared.provider().rest().put(path, "{\"registrations\": [\"%s\"]}".formatted(own));

    assertThat(second.client().inventory().queryStorageContainer(List.of())).isEmpty();
    assertThat(secondHost.client().volumes().queryVirtualVolumeInfo(List.of(id))).isEmpty();
    assertThatThrownBy(() -> second.client().volumes().deleteVirtualVolume(id))
        .isInstanceOf(VasaFault.class)
        .hasMessageContaining("NotFound");
    VvolDisk disk = shared.site().host().bind(id);
    write(disk, 3);
    shared.site().host().unbind(disk);

    shared.provider().rest().delete(path);
    assertThat(second.client().inventory().queryStorageContainer(List.of())).hasSize(1);
    second.client().volumes().deleteVirtualVolume(id);
  }

  private static void write(VvolDisk disk, int value) {
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    while (block.hasRemaining()) {
      block.put((byte) value);
    }
    disk.disk().write(0, block.flip());
  }

  private static byte read(VvolDisk disk) {
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    disk.disk().read(0, block);
    return block.get(0);
  }
}
