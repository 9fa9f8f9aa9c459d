package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.harness.Commands;
import io.coppice.harness.RestClient;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// Volumes and snapshots of [EarlierRelease] with the bytes that they must still have.
final class EarlierVolumes {

  private EarlierVolumes() {}

  /// Exports the two snapshots, then reads each volume as a whole by its export.
  ///
  /// @param rest with the role `admin`
  static void assertAsBefore(InetSocketAddress portal, RestClient rest) {
    for (String snapshot : List.of(EarlierRelease.MONDAY, EarlierRelease.TUESDAY)) {
      rest.post(
          "exports",
          "{\"vvol\": \"%s\", \"initiators\": [\"%s\"], \"readOnly\": true}"
              .formatted(snapshot, EarlierRelease.INITIATOR));
    }
    reads(
        portal,
        rest,
        EarlierRelease.LEDGER,
        "0x15 0 64k",
        "0x11 64k 448k",
        "0x13 512k 1M",
        "0 1536k 6656k",
        "0 8M 1M",
        "0x14 9M 256k",
        "0 9472k 6912k");
    reads(portal, rest, EarlierRelease.SCRATCH, "0 0 4k", "0x21 4k 128k", "0 132k 8060k");
    reads(
        portal,
        rest,
        EarlierRelease.COPY,
        "0x11 0 1M",
        "0 1M 7M",
        "0x12 8M 64k",
        "0 8256k 7104k",
        "0x31 15M 64k",
        "0 15424k 960k");
    reads(
        portal,
        rest,
        EarlierRelease.MONDAY,
        "0x11 0 1M",
        "0 1M 7M",
        "0x12 8M 64k",
        "0 8256k 8128k");
    reads(
        portal,
        rest,
        EarlierRelease.TUESDAY,
        "0x11 0 512k",
        "0x13 512k 1M",
        "0 1536k 6656k",
        "0x12 8M 64k",
        "0 8256k 960k",
        "0x14 9M 256k",
        "0 9472k 6912k");
  }

  /// Reads a whole volume by its export.
  ///
  /// @param parts the byte, offset and length of each part
  private static void reads(
      InetSocketAddress portal, RestClient rest, String volume, String... parts) {
    JsonNode export = rest.get("exports/" + volume);
    List<String> command =
        new ArrayList<>(
            List.of(
                "qemu-io",
                "-r",
                "--image-opts",
                "driver=raw,file.driver=iscsi,file.transport=tcp,file.portal=%s:%d,file.target=%s,file.lun=%d,file.initiator-name=%s"
                    .formatted(
                        portal.getHostString(),
                        portal.getPort(),
                        export.get("target").asString(),
                        export.get("lun").asInt(),
                        EarlierRelease.INITIATOR)));
    for (String part : parts) {
      command.addAll(List.of("-c", "read -P " + part));
    }

    Commands.Outcome outcome = Commands.run(60, command);

    assertThat(outcome.exitCode()).as(outcome.output()).isZero();
    assertThat(outcome.output().lines().filter(line -> line.startsWith("read ")))
        .as(volume)
        .hasSize(parts.length);
    assertThat(outcome.output()).as(volume).doesNotContain("verification failed");
  }
}
