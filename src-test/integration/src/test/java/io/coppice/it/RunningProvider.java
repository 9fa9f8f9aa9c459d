package io.coppice.it;

import io.coppice.harness.ProviderJar;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// A provider on a fresh pool in a test's folder, ready for REST and iSCSI.
final class RunningProvider implements AutoCloseable {

  static final Duration START_LIMIT = Duration.ofMinutes(3);

  private final ProviderProcess process;
  private final RestClient rest;

  private RunningProvider(ProviderProcess process, RestClient rest) {
    this.process = process;
    this.rest = rest;
  }

  static RunningProvider start(Path folder, String... settings) {
    ProviderProcess process =
        new ProviderProcess(ProviderJar.served(), folder.resolve("home"), List.of(settings));
    process.start();
    try {
      process.awaitReady(START_LIMIT);
    } catch (RuntimeException e) {
      process.close();
      throw e;
    }
    return new RunningProvider(process, new RestClient(process.management(), process.adminToken()));
  }

  ProviderProcess process() {
    return process;
  }

  RestClient rest() {
    return rest;
  }

  /// Makes a container and a plain volume in it, and exports it to the initiators.
  ///
  /// @return URL that libiscsi's clients understand
  String exportPlainVolume(String name, long sizeInBytes, String... initiators) {
    String container =
        rest.post(
                "containers", "{\"name\": \"%s\", \"quota\": %d}".formatted(name, 4 * sizeInBytes))
            .get("id")
            .asString();
    String volume =
        rest.post(
                "volumes",
                "{\"name\": \"%s\", \"size\": %d, \"container\": \"%s\"}"
                    .formatted(name, sizeInBytes, container))
            .get("id")
            .asString();
    JsonNode export =
        rest.post(
            "exports",
            "{\"vvol\": \"%s\", \"initiators\": [\"%s\"], \"readOnly\": false}"
                .formatted(volume, String.join("\", \"", initiators)));
    return "iscsi://127.0.0.1:%d/%s/%d"
        .formatted(
            process.portal().getPort(), export.get("target").asString(), export.get("lun").asInt());
  }

  @Override
  public void close() {
    process.close();
  }
}
