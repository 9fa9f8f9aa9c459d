package io.coppice.it;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.esxi.VvolDisk;
import io.coppice.driver.iscsi.Discovery;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.soap.BatchStatus;
import io.coppice.driver.soap.CallLog;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.soap.SnapshotCalls;
import io.coppice.driver.soap.TaskInfo;
import io.coppice.driver.soap.VvolInfo;
import io.coppice.driver.vcenter.VCenter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// A provider with a registered vCenter, one connected host and an empty container.
final class RegisteredSite implements AutoCloseable {

  private static final Duration BOUND = Duration.ofMinutes(1);
  private static final int BLOCK = 4096;

  private final RunningProvider provider;
  private final VCenter vcenter;
  private final EsxiHost host;
  private final String container;

  RegisteredSite(RunningProvider provider, ClientOptions options) {
    this.provider = provider;
    CallLog log = new CallLog();
    vcenter = new VCenter("vcenter.test", options, log);
    try {
      vcenter.register(
          provider.process().vasa().resolve("/vasa/version.xml"),
          "vasa",
          provider.process().vasaPassword());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    container =
        provider
            .rest()
            .post("containers", "{\"name\": \"site\", \"quota\": %d}".formatted(1L << 40))
            .get("id")
            .asString();
    host = EsxiHost.of(vcenter, "esxi-test", options, log);
    host.openSession();
    String target =
        Discovery.sendTargets(
                provider.process().portal(), LoginSettings.of(host.initiatorName(), 1))
            .stream()
            .filter(found -> found.name().endsWith(":pe"))
            .findFirst()
            .orElseThrow()
            .name();
    host.connect(provider.process().portal(), target);
  }

  RunningProvider provider() {
    return provider;
  }

  VCenter vcenter() {
    return vcenter;
  }

  EsxiHost host() {
    return host;
  }

  /// Id of the container.
  String container() {
    return container;
  }

  /// Creates a vVol of the type in the container.
  ///
  /// @return its id
  String create(String type, long sizeMb, Map<String, String> metadata) {
    Map<String, String> pairs = new HashMap<>(metadata);
    pairs.put("VMW_VVolType", type);
    return await(host.client().volumes().createVirtualVolume(container, type, null, sizeMb, pairs))
        .requireResult();
  }

  /// Prepares and takes a snapshot.
  ///
  /// @return its id
  String snapshot(String id) {
    SnapshotCalls calls = host.client().snapshots();
    TaskInfo prepared = await(calls.prepareToSnapshotVirtualVolume(id, null, "SnapshotReadOnly"));
    String snapshot = Objects.requireNonNull(prepared.prepared()).snapshotId();
    BatchStatus.requireAllGood(
        calls.snapshotVirtualVolume(
            List.of(new VvolInfo(snapshot, Map.of("VMW_VVolType", "Data"))), 10_000));
    return snapshot;
  }

  /// Fills the block at `offset` with `value`, through a bind of its own.
  void write(String id, long offset, int value) {
    VvolDisk disk = host.bind(id);
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    while (block.hasRemaining()) {
      block.put((byte) value);
    }
    disk.disk().write(offset, block.flip());
    host.unbind(disk);
  }

  /// The first byte of the block at `offset`, through a bind of its own.
  byte read(String id, long offset) {
    VvolDisk disk = host.bind(id);
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    disk.disk().read(offset, block);
    host.unbind(disk);
    return block.get(0);
  }

  TaskInfo await(TaskInfo task) {
    return host.client().tasks().await(task, BOUND);
  }

  @Override
  public void close() {
    host.close();
    vcenter.close();
  }
}
