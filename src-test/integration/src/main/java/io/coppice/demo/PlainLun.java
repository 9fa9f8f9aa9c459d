package io.coppice.demo;

import io.coppice.harness.Commands;
import io.coppice.harness.GuestDisk;
import io.coppice.harness.Mismatch;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// A clone served as a plain logical unit to programs that know nothing of virtual volumes.
final class PlainLun {

  /// The name that QEMU's initiator logs in with.
  private static final String QEMU = "iqn.2008-11.org.linux-kvm";

  private PlainLun() {}

  /// Compares the clone with the guest's image through QEMU's initiator and checks its file system.
  static void check(
      RestClient rest,
      ProviderProcess provider,
      String vvolId,
      GuestDisk guest,
      Path folder,
      Report report) {
    if (!Commands.exists("qemu-img")) {
      report.fact("qemu-img compare", "skipped: qemu-img is not installed");
      return;
    }
    String id = vvolId.replace("rfc4122.", "");
    JsonNode export =
        rest.post(
            "exports",
            "{\"vvol\": \"%s\", \"initiators\": [\"%s\"], \"readOnly\": true}".formatted(id, QEMU));
    String url =
        "iscsi://127.0.0.1:%d/%s/%d"
            .formatted(
                provider.portal().getPort(),
                export.get("target").asString(),
                export.get("lun").asInt());
    try {
      compare(guest, folder, report, url);
    } finally {
      rest.delete("exports/" + id);
    }
  }

  private static void compare(GuestDisk guest, Path folder, Report report, String url) {
    Commands.Outcome compared =
        Commands.run(
            300,
            List.of(
                "qemu-img", "compare", "-f", "raw", "-F", "raw", guest.image().toString(), url));
    if (compared.output().contains("Unknown protocol")) {
      report.fact("qemu-img compare", "skipped: qemu-block-extra is not installed");
      return;
    }
    if (compared.exitCode() != 0) {
      throw new Mismatch(
          "expected qemu-img to find the clone identical, got: " + compared.output().strip());
    }
    report.fact("qemu-img compare through a plain LUN", compared.output().strip());
    if (!guest.isExt4() || !Commands.exists("e2fsck")) {
      report.fact("e2fsck", "skipped: e2fsprogs are not installed");
      return;
    }
    Path local = folder.resolve("clone.img");
    Commands.require(300, "qemu-img", "convert", "-f", "raw", "-O", "raw", url, local.toString());
    Commands.Outcome checked = Commands.run(300, List.of("e2fsck", "-fn", local.toString()));
    if (checked.exitCode() != 0) {
      throw new Mismatch("expected e2fsck to find nothing, got: " + checked.output().strip());
    }
    report.fact("e2fsck -fn of the clone", checked.output().lines().reduce((a, b) -> b).orElse(""));
    try {
      Files.delete(local);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
