package io.coppice.scsi;

import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.engine.VolumeKind;
import io.coppice.scsi.RefusedException.Reason;
import io.coppice.scsi.page.NetworkAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;

/// The [LunDirectory] over the pool's records.
///
/// Invariants: memory equals the records, but for a change being made under `changes`; what a
/// change takes away is taken from memory only after its record is stable, and its method returns
/// only after the commands it concerns have ended.
///
/// Readers take no lock. Every change is computed from memory, applied as one record, and then read
/// back: a repeated operation leaves the records alone, so memory follows what the pool says and
/// not what the call asked for.
final class PoolLunDirectory implements LunDirectory, InitiatorSecrets {

  private static final int LARGEST_PLAIN_LUN = 0x3fff;
  private static final int LARGEST_ENDPOINT = 255;
  private static final int MAX_HOST_BYTES = 200;
  private static final int CHANGES_PER_RECORD = 256;

  private final StorageEngine engine;
  private final ScsiSettings settings;
  private final Reachability reachability;
  private final DirectoryState state;
  private final OnceOnly once = new OnceOnly();
  private final String prefix;

  /// Reads the pool's records; a pool without an endpoint gets its first one.
  PoolLunDirectory(StorageEngine engine, ScsiSettings settings, Reachability reachability) {
    this.engine = engine;
    this.settings = settings;
    this.reachability = reachability;
    this.state =
        new DirectoryState(
            new DirectoryRecords(engine.records(), settings.secondaryIds()),
            new NumberSpace(settings.secondaryIds().largest()));
    String pool = engine.pool().id().toString().replace("-", "").substring(0, 12);
    this.prefix =
        settings.iqnPrefix().isEmpty() ? "iqn.2026-11.io.coppice:" + pool : settings.iqnPrefix();
    if (state.endpoints().isEmpty()) {
      addEndpoint(OperationId.random());
    }
  }

  /// What the device server looks up.
  DirectoryState state() {
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
  public List<ProtocolEndpoint> endpoints() {
    return List.copyOf(state.endpoints());
  }

  @Override
  public ProtocolEndpoint addEndpoint(OperationId operation) {
    return once.run(
        operation,
        ProtocolEndpoint.class,
        () -> {
          int lun = state.endpoints().stream().mapToInt(ProtocolEndpoint::lun).max().orElse(0) + 1;
          if (lun > LARGEST_ENDPOINT) {
            throw refused(Reason.EXHAUSTED, "expected at most 255 protocol endpoints");
          }
          NetworkAddress naa =
              NetworkAddress.of(settings.companyId(), "endpoint/" + lun, engine.pool().id());
          apply(operation, List.of(DirectoryRecords.put(new ProtocolEndpoint(lun, naa.text()))));
          state.refreshEndpoints();
          return endpoints().getLast();
        });
  }

  @Override
  public void declareHost(OperationId operation, HostId host, Set<String> initiators) {
    SortedSet<String> wanted = InitiatorNames.all(initiators);
    if (host.value().getBytes(StandardCharsets.UTF_8).length > MAX_HOST_BYTES) {
      throw refused(Reason.INVALID, "expected a host id of at most 200 bytes, got: " + host);
    }
    Set<String> gone =
        once.run(
                operation,
                GoneNames.class,
                () -> {
                  for (String name : wanted) {
                    requireFree(name, host);
                  }
                  Set<String> before = new TreeSet<>(initiatorsOf(host));
                  apply(operation, List.of(DirectoryRecords.put(host, wanted)));
                  state.refresh(host);
                  before.removeAll(initiatorsOf(host));
                  return new GoneNames(before);
                })
            .names();
    if (!gone.isEmpty()) {
      reachability.expelled(gone);
      state
          .bindingsOf(host)
          .forEach(b -> reachability.disappeared(b.volume(), b.endpoint().lun(), gone));
    }
  }

  private void requireFree(String initiator, HostId host) {
    state
        .hostOf(initiator)
        .filter(owner -> !owner.equals(host))
        .ifPresent(
            owner -> {
              throw refused(
                  Reason.IN_USE, "initiator %s belongs to host %s".formatted(initiator, owner));
            });
  }

  private record GoneNames(Set<String> names) {}

  @Override
  public void forgetHost(OperationId operation, HostId host) {
    Set<String> initiators = initiatorsOf(host);
    List<Binding> ended =
        once.run(
                operation,
                Ended.class,
                () -> {
                  List<Binding> all = state.bindingsOf(host);
                  end(operation, all, List.of(DirectoryRecords.remove(host)));
                  state.refresh(host);
                  return new Ended(all);
                })
            .bindings();
    ended.forEach(b -> reachability.disappeared(b.volume(), b.endpoint().lun(), initiators));
    reachability.expelled(initiators);
    ended.forEach(this::dropIfUnused);
  }

  private record Ended(List<Binding> bindings) {}

  @Override
  public Map<HostId, Set<String>> hosts() {
    return state.hosts();
  }

  @Override
  public void setChapSecret(OperationId operation, String initiator, Optional<String> secret) {
    String name = InitiatorNames.one(initiator);
    if (secret.isPresent() && (secret.get().length() < 12 || secret.get().length() > 255)) {
      throw refused(
          Reason.INVALID,
          "expected a CHAP secret of 12 to 255 characters, got " + secret.get().length());
    }
    once.run(
        operation,
        String.class,
        () -> {
          apply(
              operation,
              List.of(
                  secret
                      .map(s -> DirectoryRecords.putSecret(name, s))
                      .orElseGet(() -> DirectoryRecords.removeSecret(name))));
          state.refreshSecret(name);
          return name;
        });
  }

  @Override
  public Optional<String> chapSecret(String initiatorName) {
    return state.secretOf(initiatorName);
  }

  @Override
  public Binding bind(
      OperationId operation, HostId host, VolumeId volume, Set<Integer> seenEndpoints) {
    Binding bound =
        once.run(
            operation,
            Binding.class,
            () -> {
              requireBindable(host, volume);
              List<RecordChange> list = new ArrayList<>();
              Binding wanted = nextBinding(host, volume, seenEndpoints, list);
              list.add(DirectoryRecords.put(wanted));
              apply(operation, list);
              state.refreshBindings(volume, now());
              return state.bindingOf(host, volume).orElse(wanted);
            });
    if (bound.count() == 1) {
      reachability.appeared(volume, bound.endpoint().lun(), initiatorsOf(host));
    }
    return bound;
  }

  private void requireBindable(HostId host, VolumeId volume) {
    if (!state.isDeclared(host)) {
      throw refused(Reason.UNKNOWN, "host %s is not declared".formatted(host));
    }
    require(volume);
    if (state.exportOf(volume).isPresent()) {
      throw refused(Reason.IN_USE, "volume %s is exported as a plain LUN".formatted(volume));
    }
  }

  private VolumeInfo require(VolumeId volume) {
    return engine
        .find(volume)
        .orElseThrow(() -> refused(Reason.UNKNOWN, "volume %s does not exist".formatted(volume)));
  }

  /// @param list receives the removal of records about numbers that have rested
  private Binding nextBinding(
      HostId host, VolumeId volume, Set<Integer> seen, List<RecordChange> list) {
    Optional<Binding> mine = state.bindingOf(host, volume);
    if (mine.isPresent()) {
      return withCount(mine.get(), mine.get().count() + 1);
    }
    List<ProtocolEndpoint> candidates = state.candidates(seen);
    if (candidates.isEmpty()) {
      throw refused(Reason.UNKNOWN, "no protocol endpoint has one of the LUNs " + seen);
    }
    Optional<Binding> others =
        bindingsOf(volume).stream().filter(b -> candidates.contains(b.endpoint())).findFirst();
    if (others.isPresent()) {
      Binding like = others.get();
      return new Binding(host, volume, like.endpoint(), like.subsidiary(), like.secondaryId(), 1);
    }
    Instant now = now();
    for (ProtocolEndpoint endpoint : candidates) {
      state
          .numbers()
          .wakeUp(endpoint.lun(), now, CHANGES_PER_RECORD)
          .forEach(freed -> list.add(DirectoryRecords.remove(freed)));
      int number = state.numbers().lowestFree(endpoint.lun(), now);
      if (number != 0) {
        String text = settings.secondaryIds().text(number);
        return new Binding(host, volume, endpoint, number, text, 1);
      }
    }
    throw refused(Reason.EXHAUSTED, "all subsidiary numbers are taken or were freed within 24 h");
  }

  private static Binding withCount(Binding b, int count) {
    return new Binding(b.host(), b.volume(), b.endpoint(), b.subsidiary(), b.secondaryId(), count);
  }

  @Override
  public boolean unbind(OperationId operation, HostId host, VolumeId volume) {
    Unbound unbound =
        once.run(
            operation,
            Unbound.class,
            () -> {
              Optional<Binding> mine = state.bindingOf(host, volume);
              if (mine.isEmpty()) {
                return new Unbound(false, List.of());
              }
              if (mine.get().count() > 1) {
                Binding less = withCount(mine.get(), mine.get().count() - 1);
                apply(operation, List.of(DirectoryRecords.put(less)));
                state.refreshBindings(volume, now());
                return new Unbound(true, List.of());
              }
              end(operation, List.of(mine.get()), List.of());
              boolean ended = state.bindingOf(host, volume).isEmpty();
              return new Unbound(true, ended ? List.of(mine.get()) : List.of());
            });
    ended(unbound.ended());
    return unbound.any();
  }

  private record Unbound(boolean any, List<Binding> ended) {}

  @Override
  public List<Binding> unbindAll(OperationId operation, HostId host) {
    return endAll(operation, () -> state.bindingsOf(host));
  }

  @Override
  public List<Binding> unbindFromAllHosts(OperationId operation, VolumeId volume) {
    return endAll(operation, () -> bindingsOf(volume));
  }

  private List<Binding> endAll(OperationId operation, Supplier<List<Binding>> which) {
    List<Binding> all =
        once.run(
                operation,
                Ended.class,
                () -> {
                  List<Binding> found = which.get();
                  end(operation, found, List.of());
                  return new Ended(found);
                })
            .bindings();
    ended(all);
    return all;
  }

  private void ended(List<Binding> all) {
    all.forEach(
        b -> reachability.disappeared(b.volume(), b.endpoint().lun(), initiatorsOf(b.host())));
    all.forEach(this::dropIfUnused);
  }

  private void dropIfUnused(Binding binding) {
    if (!state.isUsed(binding.volume())) {
      reachability.unused(binding.volume());
    }
  }

  /// Removes bindings from the pool, a number of volumes per record, and follows in memory. The
  /// first record carries the operation's own id, the others ids made from it.
  private void end(OperationId operation, List<Binding> all, List<RecordChange> more) {
    Instant now = now();
    List<RecordChange> list = new ArrayList<>(more);
    Map<VolumeId, Set<HostId>> leaving = new TreeMap<>();
    all.forEach(b -> leaving.computeIfAbsent(b.volume(), _ -> new TreeSet<>()).add(b.host()));
    OperationId id = operation;
    int part = 0;
    for (Binding binding : all) {
      list.add(DirectoryRecords.remove(binding));
      boolean stays =
          bindingsOf(binding.volume()).stream()
              .anyMatch(
                  b ->
                      DirectoryState.samePlace(b, binding)
                          && !leaving.getOrDefault(b.volume(), Set.of()).contains(b.host()));
      if (!stays) {
        list.add(
            DirectoryRecords.put(
                new DirectoryRecords.Freed(binding.endpoint().lun(), binding.subsidiary(), now)));
      }
      if (list.size() >= CHANGES_PER_RECORD) {
        apply(id, list);
        list.clear();
        part++;
        id =
            new OperationId(
                UUID.nameUUIDFromBytes((operation + "/" + part).getBytes(StandardCharsets.UTF_8)));
      }
    }
    apply(id, list);
    leaving.keySet().forEach(volume -> state.refreshBindings(volume, now));
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
  public Export export(
      OperationId operation,
      VolumeId volume,
      Optional<Integer> lun,
      boolean readOnly,
      Set<String> initiators) {
    SortedSet<String> wanted = InitiatorNames.all(initiators);
    if (wanted.isEmpty()) {
      throw refused(Reason.INVALID, "expected at least one initiator to export to");
    }
    Export made =
        once.run(
            operation,
            Export.class,
            () -> {
              Optional<Export> same =
                  exportOf(volume)
                      .filter(e -> e.readOnly() == readOnly && e.initiators().equals(wanted))
                      .filter(e -> lun.isEmpty() || lun.get() == e.lun());
              if (same.isPresent()) {
                return same.get();
              }
              requireExportable(volume, readOnly);
              Export next = new Export(volume, plainLun(lun), readOnly, wanted);
              apply(operation, List.of(DirectoryRecords.put(next)));
              state.refreshExport(volume);
              return exportOf(volume).orElse(next);
            });
    reachability.appeared(volume, 0, made.initiators());
    return made;
  }

  private void requireExportable(VolumeId volume, boolean readOnly) {
    VolumeInfo info = require(volume);
    if (state.exportOf(volume).isPresent()) {
      throw refused(Reason.IN_USE, "volume %s is exported already".formatted(volume));
    }
    if (!bindingsOf(volume).isEmpty()) {
      throw refused(Reason.IN_USE, "volume %s is bound".formatted(volume));
    }
    if (info.kind() == VolumeKind.SNAPSHOT && !readOnly) {
      throw refused(Reason.INVALID, "snapshot %s can be exported read-only only".formatted(volume));
    }
  }

  private int plainLun(Optional<Integer> wanted) {
    if (wanted.isPresent()) {
      int lun = wanted.get();
      if (lun < 0 || lun > LARGEST_PLAIN_LUN) {
        throw refused(Reason.INVALID, "expected a LUN from 0 to 16383, got " + lun);
      }
      if (state.exportAt(lun).isPresent()) {
        throw refused(Reason.IN_USE, "LUN %d is taken".formatted(lun));
      }
      return lun;
    }
    int lun = 0;
    while (state.exportAt(lun).isPresent()) {
      lun++;
    }
    if (lun > LARGEST_PLAIN_LUN) {
      throw refused(Reason.EXHAUSTED, "all plain LUNs are taken");
    }
    return lun;
  }

  @Override
  public boolean unexport(OperationId operation, VolumeId volume) {
    GoneExport gone =
        once.run(
            operation,
            GoneExport.class,
            () -> {
              Optional<Export> before = exportOf(volume);
              if (before.isPresent()) {
                apply(operation, List.of(DirectoryRecords.removeExport(volume)));
                state.refreshExport(volume);
              }
              return new GoneExport(before);
            });
    gone.export()
        .ifPresent(
            e -> {
              reachability.disappeared(volume, 0, e.initiators());
              reachability.unused(volume);
            });
    return gone.export().isPresent();
  }

  private record GoneExport(Optional<Export> export) {}

  @Override
  public List<Export> exports() {
    return List.copyOf(state.exports());
  }

  @Override
  public Optional<Export> exportOf(VolumeId volume) {
    return state.exportOf(volume);
  }

  private void apply(OperationId operation, List<RecordChange> list) {
    if (!list.isEmpty()) {
      engine.records().apply(operation, list);
    }
  }

  private Instant now() {
    return settings.clock().instant();
  }

  private static RefusedException refused(Reason reason, String message) {
    return new RefusedException(reason, message);
  }
}
