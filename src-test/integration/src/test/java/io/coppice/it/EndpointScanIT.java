package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.esxi.VvolDisk;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.Lun;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Scan by a host of every disk that it finds, before anybody uses it: capacity, the first blocks
/// and the last ones. Of endpoints and of bound volumes alike none of that ends in an error, which
/// a Linux host would log.
class EndpointScanIT {

  private static final int BLOCK = 512;

  @RegisterExtension private static final SharedSite shared = new SharedSite();

  @Test
  void scanOfEndpointsAndBoundVolumesEndsInNoError() {
    EsxiHost host = shared.site().host();
    String volume = shared.site().create("Data", 8, Map.of());
    VvolDisk disk = host.bind(volume);
    host.scan();

    assertThat(host.endpoints()).isNotEmpty();
    for (Lun lun : host.endpoints().values()) {
      LogicalUnit endpoint = new LogicalUnit(host.path(), lun);
      assertScanned(endpoint);
      assertThat(endpoint.capacity().blocks()).as("blocks of an endpoint").isEqualTo(2048);
      assertThatThrownBy(() -> endpoint.write(0, 1, ByteBuffer.allocate(BLOCK)))
          .as("an endpoint takes no data")
          .isInstanceOf(RuntimeException.class);
    }
    assertScanned(disk.unit());
    host.unbind(List.of(disk));
  }

  private static void assertScanned(LogicalUnit unit) {
    unit.testUnitReady();
    unit.inquiry();
    unit.vpd(0x00);
    long blocks = unit.capacity().blocks();
    for (long lba : new long[] {0, 1, 8, blocks - 128, blocks - 8, blocks - 1}) {
      int length = (int) Math.min(8, blocks - lba);
      ByteBuffer data = unit.read(lba, length, BLOCK);
      assertThat(data.remaining()).isEqualTo(length * BLOCK);
      while (data.hasRemaining()) {
        assertThat(data.get()).isZero();
      }
    }
  }
}
