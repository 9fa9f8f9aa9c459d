package io.coppice.scsi.directory.pool;

import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.directory.ExportRequest;
import io.coppice.scsi.directory.FormerExport;
import io.coppice.scsi.directory.HostId;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.directory.ProtocolEndpoint;
import io.coppice.scsi.secret.InitiatorSecrets;
import io.coppice.scsi.secret.SecretBox;
import io.coppice.scsi.secret.SecretRecords;
import io.coppice.scsi.secret.StoredSecret;
import io.coppice.scsi.setting.ScsiSettings;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// The [LunDirectory] over the pool's records.
///
/// Invariants: memory equals the records, except for a change being made under `changes`. Memory
/// loses something only after its record is stable, and the method returns only after the commands
/// concerned have ended ([AccessRevocations]).
///
/// Readers take no lock. [DirectoryChanges] says how a change is made.
public final class PoolLunDirectory implements LunDirectory, InitiatorSecrets {

  private final DirectoryChanges changes;
  private final DirectoryState state;
  private final PlainNumbers plainNumbers;
  private final AccessRevocations departures;
  private final DirectoryEndpoints endpoints;
  private final DirectoryHosts hosts;
  private final DirectoryBindings bindings;
  private final DirectoryExports exports;
  private final String prefix;

  /// Reads the pool's records; a pool without an endpoint gets its first one.
  public PoolLunDirectory(
      StorageEngine engine, ScsiSettings settings, DirectoryListener reachability) {
    ScsiSettings.DirectorySettings own = settings.directory();
    DirectoryRecords records = new DirectoryRecords(engine.records(), own.secondaryIds());
    SecretRecords secrets = new SecretRecords(engine.records(), own.secrets());
    sealSecrets(engine, own.secrets(), secrets);
    this.state =
        new DirectoryState(
            records, secrets, new NumberSpace(own.secondaryIds().largest(), own.rest().atLeast()));
    this.changes = new DirectoryChanges(engine, settings, records, state);
    this.plainNumbers = new PlainNumbers(changes, reachability);
    this.departures = new AccessRevocations(changes, reachability);
    this.endpoints = new DirectoryEndpoints(changes, departures);
    this.bindings = new DirectoryBindings(changes, reachability, departures);
    this.hosts = new DirectoryHosts(changes, departures, bindings, secrets);
    this.exports = new DirectoryExports(changes, reachability, departures, plainNumbers);
    String pool = engine.pool().id().toString().replace("-", "").substring(0, 12);
    this.prefix =
        settings.identity().iqnPrefix().isEmpty()
            ? "iqn.2026-11.io.coppice:" + pool
            : settings.identity().iqnPrefix();
    if (state.endpoints().isEmpty()) {
      addEndpoint(OperationId.random());
    }
  }

  // The records are sealed in one change. After the checkpoint the log begins behind it, so no open
  // reads the plain texts again. After a crash before it, the next start finds them and does the
  // same, or finds them sealed.
  private static void sealSecrets(StorageEngine engine, SecretBox box, SecretRecords secrets) {
    if (box instanceof SecretBox.Locked) {
      return;
    }
    List<RecordChange> changes = secrets.sealing();
    if (!changes.isEmpty()) {
      engine.records().apply(OperationId.random(), changes);
      engine.checkpoint();
    }
  }

  /// Writes down how long freed numbers have rested, if any do.
  public void keepTime() {
    try (var _ = changes.locked()) {
      if (plainNumbers.anyRests() || state.numbers().anyRests()) {
        changes.apply(OperationId.random(), List.of(changes.time().kept()));
      }
    }
  }

  /// The state that the device server looks up.
  public DirectoryState state() {
    return state;
  }

  @Override
  public String endpointTarget() {
    return prefix + ":pe";
  }

  @Override
  public String plainTarget() {
    return prefix + ":lun";
  }

  @Override
  public String naaOf(VolumeId volume) {
    return changes.settings().identity().addressOf(volume).text();
  }

  @Override
  public List<ProtocolEndpoint> endpoints() {
    return List.copyOf(state.endpoints());
  }

  @Override
  public ProtocolEndpoint addEndpoint(OperationId operation) {
    return endpoints.add(operation);
  }

  @Override
  public Map<Integer, Instant> retiredEndpoints() {
    return state.retired();
  }

  @Override
  public void retireEndpoint(OperationId operation, int lun) {
    endpoints.retire(operation, lun);
  }

  @Override
  public void restoreEndpoint(OperationId operation, int lun) {
    endpoints.restore(operation, lun);
  }

  @Override
  public void removeEndpoint(OperationId operation, int lun) {
    endpoints.remove(operation, lun);
  }

  @Override
  public Binding rebind(
      OperationId operation, HostId host, VolumeId volume, Set<Integer> seenEndpoints) {
    return bindings.rebind(operation, host, volume, seenEndpoints);
  }

  @Override
  public boolean leave(OperationId operation, HostId host, VolumeId volume) {
    return bindings.leave(operation, host, volume);
  }

  @Override
  public List<Binding> formerBindings() {
    return state.former();
  }

  @Override
  public void declareHost(OperationId operation, HostId host, Set<String> initiators) {
    hosts.declareHost(operation, host, initiators);
  }

  @Override
  public void forgetHost(OperationId operation, HostId host) {
    hosts.forgetHost(operation, host);
  }

  @Override
  public void forgetUnboundHost(OperationId operation, HostId host) {
    hosts.forgetUnboundHost(operation, host);
  }

  @Override
  public boolean hasChapSecret(String initiator) {
    return state.secretOf(initiator).isPresent();
  }

  @Override
  public Map<HostId, Set<String>> hosts() {
    return state.hosts();
  }

  @Override
  public void setChapSecret(OperationId operation, String initiator, Optional<String> secret) {
    hosts.setChapSecret(operation, initiator, secret);
  }

  @Override
  public void setMutualChapSecret(
      OperationId operation, String initiator, Optional<String> secret) {
    hosts.setMutualChapSecret(operation, initiator, secret);
  }

  @Override
  public boolean setChapSecrets(
      OperationId operation, String initiator, Optional<String> secret, Optional<String> mutual) {
    return hosts.setChapSecrets(operation, initiator, secret, mutual);
  }

  @Override
  public Optional<String> mutualChapSecret(String initiatorName) {
    return state.mutualSecretOf(initiatorName).map(StoredSecret::text);
  }

  @Override
  public Optional<String> chapSecret(String initiatorName) {
    return state.secretOf(initiatorName).map(StoredSecret::text);
  }

  @Override
  public Binding bind(
      OperationId operation, HostId host, VolumeId volume, Set<Integer> seenEndpoints) {
    return bindings.bind(operation, host, volume, seenEndpoints);
  }

  @Override
  public boolean unbind(OperationId operation, HostId host, VolumeId volume) {
    return bindings.unbind(operation, host, volume);
  }

  @Override
  public List<Binding> unbindAll(OperationId operation, HostId host) {
    return bindings.unbindAll(operation, host);
  }

  @Override
  public List<Binding> unbindFrom(OperationId operation, VolumeId volume, Predicate<HostId> hosts) {
    return bindings.unbindFrom(operation, volume, hosts);
  }

  @Override
  public List<Binding> bindings() {
    return state.bindings();
  }

  @Override
  public List<Binding> bindingsOf(VolumeId volume) {
    return state.bindingsOf(volume);
  }

  @Override
  public boolean isBeingLeft(VolumeId volume) {
    // With the lock: a departure begins in the very step that takes the volume away.
    try (var _ = changes.locked()) {
      return departures.isBeingLeft(volume);
    }
  }

  @Override
  public Export export(OperationId operation, ExportRequest request) {
    return exports.export(operation, request);
  }

  @Override
  public Export addInitiator(OperationId operation, VolumeId volume, String initiator) {
    return exports.addInitiator(operation, volume, initiator);
  }

  @Override
  public void checkInitiator(VolumeId volume, String initiator) {
    exports.checkInitiator(volume, initiator);
  }

  @Override
  public Export removeInitiator(OperationId operation, VolumeId volume, String initiator) {
    return exports.removeInitiator(operation, volume, initiator);
  }

  @Override
  public Optional<FormerExport> unexport(OperationId operation, VolumeId volume) {
    return exports.unexport(operation, volume);
  }

  @Override
  public Suspension suspend(VolumeId volume) {
    return exports.suspend(volume);
  }

  @Override
  public List<Export> exports() {
    return List.copyOf(state.exports());
  }

  @Override
  public Optional<Export> exportOf(VolumeId volume) {
    return state.exportOf(volume);
  }
}
