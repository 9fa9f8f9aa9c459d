package io.coppice.iscsi.testing;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.iscsi.IscsiTarget;
import io.coppice.iscsi.connection.PeerFault;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.iscsi.setting.IscsiSettings;
import io.coppice.scsi.ScsiTarget;
import io.coppice.scsi.setting.ScsiSettings;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// Serves one plain logical unit until it is killed, for initiators run by hand.
///
/// Arguments: port, size in MiB, then `name=secret` or `name` of initiators; without any, those of
/// libiscsi, qemu and fio.
public final class TargetMain {

  private static final Set<String> KNOWN =
      Set.of(
          "iqn.2007-10.com.github:sahlberg:libiscsi:iscsi-test",
          "iqn.2007-10.com.github:sahlberg:libiscsi:iscsi-test-2",
          "iqn.2007-10.com.github:sahlberg:libiscsi:iscsi-ls",
          "iqn.2007-10.com.github:sahlberg:libiscsi:iscsi-inq",
          "iqn.2010-11.libiscsi:iscsi-perf",
          "iqn.2008-11.org.linux-kvm",
          "iqn.2019-04.org.fio:fio");

  private TargetMain() {}

  public static void main(String[] args) throws InterruptedException {
    try (StorageEngine engine = new MemoryEngine();
        ScsiTarget scsi = ScsiTarget.open(engine, ScsiSettings.defaults())) {
      VolumeId volume = VolumeId.random();
      engine.create(OperationId.random(), VolumeSpec.thin(volume, Long.parseLong(args[1]) << 20));
      Set<String> initiators = new TreeSet<>(args.length > 2 ? Set.of() : KNOWN);
      for (int i = 2; i < args.length; i++) {
        String[] parts = args[i].split("=", 2);
        initiators.add(parts[0]);
        if (parts.length > 1) {
          scsi.luns().setChapSecret(OperationId.random(), parts[0], Optional.of(parts[1]));
        }
      }
      scsi.luns().export(OperationId.random(), volume, Optional.empty(), false, initiators);
      serve(Integer.parseInt(args[0]), scsi);
    }
  }

  private static void serve(int port, ScsiTarget scsi) throws InterruptedException {
    IscsiSettings settings =
        new IscsiSettings(
            List.of(new InetSocketAddress("127.0.0.1", port)),
            List.of(),
            IscsiLimits.defaults(),
            2);
    try (IscsiTarget target =
        IscsiTarget.start(settings, List.of(scsi.endpoints(), scsi.plain()), scsi.secrets())) {
      System.out.printf(
          "iscsi://127.0.0.1:%d/%s/0%n",
          target.portals().getFirst().getPort(), scsi.plain().name());
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    for (PeerFault fault : PeerFault.values()) {
                      System.out.printf("%s %d%n", fault, target.counters().of(fault));
                    }
                  }));
      Thread.currentThread().join();
    }
  }
}
