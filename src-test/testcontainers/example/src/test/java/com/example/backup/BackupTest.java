package com.example.backup;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.esxi.VirtualMachine;
import io.coppice.driver.esxi.VmSpec;
import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.driver.scsi.Lun;
import io.coppice.driver.scsi.ScsiDisk;
import io.coppice.testcontainers.CoppiceContainer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

/// The backup tool against a Coppice in containers, while a virtual machine writes.
@Testcontainers
class BackupTest {

  private static final int DISK_MB = 16;

  @Container static final CoppiceContainer COPPICE = new CoppiceContainer();

  @TempDir Path folder;

  @Test
  void theFileHoldsWhatTheDiskHeldWhenTheBackupBegan() throws IOException {
    String container = COPPICE.createStorageContainer("gold", 8L << 30);
    EsxiHost host = COPPICE.esxiHost("esxi-1");
    VirtualMachine machine = VirtualMachine.create(host, VmSpec.of("shop", container, DISK_MB, 4));
    machine.powerOn();
    ScsiDisk disk = machine.disks().getFirst().disk();
    byte[] content = new byte[DISK_MB << 20];
    new Random(7).nextBytes(content);
    disk.write(0, ByteBuffer.wrap(content));
    RestClient rest = new RestClient(COPPICE.httpClient(), COPPICE.restApi(), COPPICE.adminToken());
    String vvol = machine.diskIds().getFirst().replace("rfc4122.", ""); // REST knows the UUID alone
    Path file = folder.resolve("shop.raw");

    new Backup(rest, new DriverInitiator(disk)).save(vvol, file);

    assertArrayEquals(content, Files.readAllBytes(file));
    assertEquals(0, rest.get("snapshots").get("items").size());
    assertEquals(0, rest.get("exports").get("items").size());
  }

  /// The initiator of Coppice's driver in place of the one of a backup server. The machine goes on
  /// writing once the snapshot is there.
  private record DriverInitiator(ScsiDisk inUse) implements Backup.Initiator {

    @Override
    public String name() {
      return "iqn.2026-11.com.example:backup";
    }

    @Override
    public void copy(String target, int lun, Path file) throws IOException {
      inUse.write(0, ByteBuffer.allocate(DISK_MB << 20));
      try (IscsiPath path = COPPICE.initiator(name(), target)) {
        ScsiDisk disk = ScsiDisk.open(new LogicalUnit(path, Lun.simple(lun)));
        ByteBuffer whole = ByteBuffer.allocate(Math.toIntExact(disk.bytes()));
        disk.read(0, whole);
        Files.write(file, whole.array());
      }
    }
  }
}
