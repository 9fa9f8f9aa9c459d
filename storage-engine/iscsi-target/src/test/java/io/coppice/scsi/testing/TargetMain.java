package io.coppice.scsi.testing;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.iscsi.IscsiTarget;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.iscsi.setting.IscsiSettings;
import io.coppice.scsi.ScsiTarget;
import io.coppice.scsi.directory.HostId;
import io.coppice.scsi.setting.ScsiSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Serves volumes of a pool in memory on the loopback address until standard input ends: plain LUN
/// 0 and 1, a read-only one at 2, and a bound volume. Arguments: port, size of a volume in MiB.
///
/// For `iscsi-test-cu`, `qemu-img` and the like; what they write is gone at the end.
public final class TargetMain {

  private static final Set<String> INITIATORS =
      Set.of(
          "iqn.2007-10.com.github:sahlberg:libiscsi:iscsi-test",
          "iqn.2007-10.com.github:sahlberg:libiscsi:iscsi-test-2",
          "iqn.2007-10.com.github:sahlberg:libiscsi:iscsi-inq",
          "iqn.2007-10.com.github:sahlberg:libiscsi:iscsi-ls",
          "iqn.2008-11.org.linux-kvm",
          "iqn.2026-11.io.coppice:initiator");

  private TargetMain() {}

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    long size = Long.parseLong(args[1]) << 20;
    try (StorageEngine engine = args.length > 2 ? pool(Path.of(args[2])) : new MemoryEngine();
        ScsiTarget scsi =
            ScsiTarget.open(
                engine, ScsiSettings.defaults().withIqnPrefix("iqn.2026-11.io.coppice:memory"))) {
      fill(engine, scsi, size);
      InetSocketAddress listen = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      IscsiSettings settings =
          new IscsiSettings(List.of(listen), List.of(), IscsiLimits.defaults(), 2);
      try (IscsiTarget target =
          IscsiTarget.start(
              settings, List.of(scsi.endpoints(), scsi.plain()), scsi.secrets()::chapSecret)) {
        System.out.println("ready " + target.portals());
        while (System.in.read() >= 0) {
          // until the end of the input
        }
      }
    }
  }

  private static StorageEngine pool(Path folder) {
    PoolDirectory.create(folder, 8L << 30, PoolFormat.withDefaults(Instant.now()));
    return PoolDirectory.open(folder, EngineOptions.defaults());
  }

  private static void fill(StorageEngine engine, ScsiTarget scsi, long size) {
    HostId host = new HostId("memory");
    scsi.luns().declareHost(OperationId.random(), host, INITIATORS);
    for (int lun = 0; lun < 3; lun++) {
      VolumeId id = volume(engine, size);
      scsi.luns().export(OperationId.random(), id, Optional.of(lun), lun == 2, INITIATORS);
    }
    VolumeId bound = volume(engine, size);
    System.out.println(scsi.luns().bind(OperationId.random(), host, bound, Set.of()));
  }

  private static VolumeId volume(StorageEngine engine, long size) {
    VolumeId id = VolumeId.random();
    engine.create(OperationId.random(), VolumeSpec.thin(id, size));
    return id;
  }
}
