package io.coppice.load;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.scsi.ScsiDisk;
import io.coppice.driver.scsi.TransportException;
import io.coppice.driver.soap.BatchStatus;
import io.coppice.driver.soap.BindingCalls;
import io.coppice.driver.soap.SnapshotCalls;
import io.coppice.driver.soap.TaskInfo;
import io.coppice.driver.soap.UnreachableException;
import io.coppice.driver.soap.VasaClient;
import io.coppice.driver.soap.VasaFault;
import io.coppice.driver.soap.VolumeCalls;
import io.coppice.driver.soap.VvolHandle;
import io.coppice.driver.soap.VvolInfo;
import io.coppice.harness.Mismatch;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// A host whose calls outlive kills of the provider, and which writes down what it knows.
///
/// A call that a kill cut short is settled as a host can: what was made is looked for by its name,
/// what was deleted by its id, binds are taken back until there are none. Then it is repeated.
final class LoadedHost implements AutoCloseable {

  private static final Duration TASK = Duration.ofMinutes(2);
  private static final Duration RECONNECT = Duration.ofSeconds(60);
  private static final long BUSY_PAUSE_NANOS = 50_000_000;
  private static final long SNAPSHOT_MILLIS = 30_000;
  private static final int BLOCK = 4096;
  private static final String NOT_FOUND = "NotFound";

  private final EsxiHost host;
  private final boolean withSession;
  private final Gate gate;
  private final Ledger ledger;
  private final Figures figures;
  private long lastEvent = -1;

  LoadedHost(EsxiHost host, boolean withSession, Gate gate, Ledger ledger, Figures figures) {
    this.host = host;
    this.withSession = withSession;
    this.gate = gate;
    this.ledger = ledger;
    this.figures = figures;
  }

  /// @param learn what came of a call that a kill cut short, empty if it is to be repeated
  private <T> T call(Supplier<T> call, Supplier<Optional<T>> learn) {
    boolean unsure = false;
    while (true) {
      long kills = gate.enter();
      try {
        if (unsure) {
          Optional<T> known = learn.get();
          if (known.isPresent()) {
            return known.get();
          }
          unsure = false;
        }
        return call.get();
      } catch (UnreachableException | TransportException e) {
        if (gate.kills() == kills) {
          throw e;
        }
        unsure = true;
        figures.repeated();
      } catch (VasaFault fault) {
        if (!fault.is(VasaFault.BUSY)) {
          throw fault;
        }
        figures.busy();
      } finally {
        gate.leave();
      }
      if (!unsure) {
        LockSupport.parkNanos(BUSY_PAUSE_NANOS);
      }
    }
  }

  private void repeat(Runnable call) {
    call(
        () -> {
          call.run();
          return true;
        },
        Optional::empty);
  }

  // --- volumes ---------------------------------------------------------------------------------

  /// @param name nobody else uses
  String create(String container, String type, long sizeMb, Map<String, String> metadata) {
    return make(
        metadata, () -> volumes().createVirtualVolume(container, type, null, sizeMb, metadata));
  }

  String clone(String source, boolean linked, Map<String, String> metadata) {
    return make(
        metadata,
        () ->
            linked
                ? snapshots().fastCloneVirtualVolume(source, null, metadata)
                : snapshots().cloneVirtualVolume(source, null, null, metadata));
  }

  private String make(Map<String, String> metadata, Supplier<TaskInfo> start) {
    String name = metadata.getOrDefault("VMW_VVolName", "");
    ledger.making(name);
    String id =
        call(
            () -> client().tasks().await(start.get(), TASK).requireResult(),
            () -> volumes().queryVirtualVolume(Map.of("VMW_VVolName", name)).stream().findFirst());
    ledger.made(name, id);
    return id;
  }

  void delete(String id) {
    ledger.deleting(id);
    AtomicBoolean repeated = new AtomicBoolean();
    call(
        () -> {
          deleteOnce(id, repeated.get());
          return true;
        },
        () -> {
          repeated.set(true);
          return exists(id) ? Optional.empty() : Optional.of(true);
        });
    ledger.deleted(id);
  }

  /// @param repeated whether the provider may still be at an earlier call that was not answered
  private void deleteOnce(String id, boolean repeated) {
    try {
      volumes().deleteVirtualVolume(id);
    } catch (VasaFault fault) {
      if (!repeated || !fault.is(NOT_FOUND)) {
        throw fault;
      }
    }
  }

  private boolean exists(String id) {
    return !volumes().queryVirtualVolumeInfo(List.of(id)).isEmpty();
  }

  void putMetadata(String id, Map<String, String> pairs) {
    repeat(() -> volumes().updateVirtualVolumeMetaData(id, pairs));
  }

  // --- bindings --------------------------------------------------------------------------------

  VvolHandle bind(String id) {
    Ledger.Bound bound = new Ledger.Bound(host.uuid(), id);
    ledger.changing(bound);
    VvolHandle handle =
        call(
            () -> bindOnce(id),
            () -> {
              VvolHandle any = bindOnce(id);
              while (unbindOnce(any)) {
                figures.repeated();
              }
              return Optional.empty();
            });
    ledger.bound(bound);
    return handle;
  }

  private VvolHandle bindOnce(String id) {
    return client()
        .bindings()
        .bindVirtualVolume(List.of(id), BindingCalls.NORMAL)
        .getFirst()
        .requireHandle();
  }

  void unbind(VvolHandle handle) {
    Ledger.Bound bound = new Ledger.Bound(host.uuid(), handle.vvolId());
    ledger.changing(bound);
    call(
        () -> {
          if (!unbindOnce(handle)) {
            throw new Mismatch("expected a binding of %s, got none".formatted(handle));
          }
          return true;
        },
        () -> {
          unbindOnce(handle);
          return Optional.of(true);
        });
    ledger.unbound(bound);
  }

  /// @return false if there was no bind to take back
  private boolean unbindOnce(VvolHandle handle) {
    BatchStatus status =
        client().bindings().unbindVirtualVolume(List.of(handle), BindingCalls.NORMAL).getFirst();
    if (status.errors().stream().anyMatch(fault -> fault.is(NOT_FOUND))) {
      return false;
    }
    BatchStatus.requireAllGood(List.of(status));
    return true;
  }

  // --- snapshots -------------------------------------------------------------------------------

  /// Prepares and takes one snapshot of each, at one cut.
  List<String> snapshot(List<String> disks, Map<String, String> metadata) {
    while (true) {
      long kills = gate.kills();
      List<String> ids = disks.stream().map(this::prepare).toList();
      if (take(ids, metadata)) {
        return ids;
      }
      if (gate.kills() == kills) {
        throw new Mismatch("expected the prepared snapshots %s, got NotFound".formatted(ids));
      }
    }
  }

  private String prepare(String disk) {
    ledger.preparing(disk);
    String id =
        call(
            () -> {
              TaskInfo task =
                  snapshots().prepareToSnapshotVirtualVolume(disk, null, "SnapshotReadOnly");
              var done = client().tasks().await(task, TASK).prepared();
              if (done == null) {
                throw new Mismatch("expected a PrepareSnapshotResult, got none");
              }
              return done.snapshotId();
            },
            () -> {
              ledger.abandon(disk);
              return Optional.empty();
            });
    ledger.prepared(disk, id);
    return id;
  }

  /// @return false if a crash removed what was prepared
  private boolean take(List<String> ids, Map<String, String> metadata) {
    List<VvolInfo> items = ids.stream().map(id -> new VvolInfo(id, metadata)).toList();
    ledger.taking(ids);
    boolean taken =
        call(
            () -> allTaken(snapshots().snapshotVirtualVolume(items, SNAPSHOT_MILLIS)),
            () -> exists(ids.getFirst()) ? Optional.of(true) : Optional.empty());
    if (taken) {
      ledger.taken(ids);
    } else {
      ledger.notTaken(ids);
    }
    return taken;
  }

  private static boolean allTaken(List<BatchStatus> statuses) {
    if (statuses.stream()
        .flatMap(status -> status.errors().stream())
        .anyMatch(fault -> fault.is(NOT_FOUND))) {
      return false;
    }
    BatchStatus.requireAllGood(statuses);
    return true;
  }

  void revert(String disk, String snapshot) {
    repeat(() -> client().tasks().await(snapshots().revertVirtualVolume(disk, snapshot), TASK));
  }

  // --- I/O -------------------------------------------------------------------------------------

  boolean hasSession() {
    return withSession;
  }

  /// Reads the first block, which must hold `before` (0: nothing was written), and writes `after`.
  void readThenWrite(VvolHandle handle, int before, int after) {
    repeat(
        () -> {
          int came = stampOn(open(handle));
          if (came != before && came != after) {
            throw new Mismatch(
                "lost write: expected stamp %d or %d on %s, got %d"
                    .formatted(before, after, handle.vvolId(), came));
          }
          ByteBuffer block = ByteBuffer.allocate(BLOCK);
          while (block.hasRemaining()) {
            block.putInt(after);
          }
          open(handle).write(0, block.flip());
        });
  }

  private ScsiDisk open(VvolHandle handle) {
    return host.open(handle).disk();
  }

  private static int stampOn(ScsiDisk disk) {
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    disk.read(0, block);
    return block.getInt(0);
  }

  /// Logs in again after the provider came back; the gate is closed.
  void reconnect() {
    if (withSession) {
      host.reconnect(RECONNECT);
    }
  }

  // --- what a host does by itself --------------------------------------------------------------

  /// Asks for events, as every 10 s.
  void poll() {
    List<Long> ids = new ArrayList<>();
    repeat(() -> client().events().getEvents(lastEvent).forEach(event -> ids.add(event.id())));
    ids.forEach(id -> lastEvent = Math.max(lastEvent, id));
  }

  String name() {
    return host.name();
  }

  private VasaClient client() {
    return host.client();
  }

  private VolumeCalls volumes() {
    return client().volumes();
  }

  private SnapshotCalls snapshots() {
    return client().snapshots();
  }

  @Override
  public void close() {
    host.close();
  }

  /// One disk as its machine sees it.
  ///
  /// @param stamp what its first block holds, 0 for nothing
  record Disk(String id, int stamp) {
    Disk stamped(int next) {
      return new Disk(id, next);
    }
  }
}
