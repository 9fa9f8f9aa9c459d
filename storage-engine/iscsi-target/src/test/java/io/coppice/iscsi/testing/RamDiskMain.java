package io.coppice.iscsi.testing;

import io.coppice.iscsi.IscsiTarget;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.iscsi.setting.IscsiSettings;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;

/// Serves a RAM disk until it is killed, to try initiators on the transport alone.
///
/// Arguments: port, size in MiB.
public final class RamDiskMain {

  private RamDiskMain() {}

  public static void main(String[] args) throws InterruptedException {
    int port = Integer.parseInt(args[0]);
    RamDisk disk = new RamDisk("iqn.2026-11.io.coppice:ram", Integer.parseInt(args[1]) << 20);
    disk.recordNothing();
    IscsiSettings settings =
        new IscsiSettings(
            List.of(new InetSocketAddress("127.0.0.1", port)),
            List.of(),
            IscsiLimits.defaults(),
            2);
    try (IscsiTarget target = IscsiTarget.start(settings, List.of(disk), _ -> Optional.empty())) {
      System.out.printf(
          "iscsi://127.0.0.1:%d/%s/0%n", target.portals().getFirst().getPort(), disk.name());
      Thread.currentThread().join();
    }
  }
}
