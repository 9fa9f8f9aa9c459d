package com.example.backup;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.esxi.VirtualMachine;
import io.coppice.driver.esxi.VmSnapshot;
import io.coppice.driver.esxi.VmSpec;
import io.coppice.driver.scsi.ScsiDisk;
import io.coppice.testcontainers.CoppiceContainer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

@Testcontainers
class FirstTest {

  @Container static final CoppiceContainer COPPICE = new CoppiceContainer();

  @Test
  void aSnapshotKeepsWhatTheDiskHeld() {
    String container = COPPICE.createStorageContainer("gold", 8L << 30);
    EsxiHost host = COPPICE.esxiHost("esxi-1");
    VirtualMachine machine = VirtualMachine.create(host, VmSpec.of("shop", container, 64, 4));
    machine.powerOn();
    ScsiDisk disk = machine.disks().getFirst().disk();
    disk.write(0, ByteBuffer.wrap("monday".getBytes(StandardCharsets.UTF_8)));
    VmSnapshot snapshot = machine.snapshot("before the upgrade");
    disk.write(0, ByteBuffer.wrap("sunday".getBytes(StandardCharsets.UTF_8)));

    ScsiDisk kept = host.bind(snapshot.diskIds().getFirst()).disk();
    ByteBuffer found = ByteBuffer.allocate(6);
    kept.read(0, found);

    assertEquals("monday", new String(found.array(), StandardCharsets.UTF_8));
  }
}
