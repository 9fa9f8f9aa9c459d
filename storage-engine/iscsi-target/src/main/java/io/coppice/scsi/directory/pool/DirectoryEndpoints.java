package io.coppice.scsi.directory.pool;

import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.scsi.directory.ProtocolEndpoint;
import io.coppice.scsi.directory.RefusedException.Reason;
import io.coppice.scsi.page.NetworkAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/// The directory's protocol endpoints: those that there are, and those out of service.
final class DirectoryEndpoints {

  private static final int LARGEST = 255;

  private final DirectoryChanges changes;
  private final DirectoryState state;
  private final AccessRevocations departures;

  DirectoryEndpoints(DirectoryChanges changes, AccessRevocations departures) {
    this.changes = changes;
    this.state = changes.state();
    this.departures = departures;
  }

  ProtocolEndpoint add(OperationId operation) {
    return changes.once(
        operation,
        ProtocolEndpoint.class,
        () -> {
          int lun = next();
          NetworkAddress naa =
              NetworkAddress.of(
                  changes.settings().identity().companyId(),
                  "endpoint/" + lun,
                  changes.engine().pool().id());
          ProtocolEndpoint added = new ProtocolEndpoint(lun, naa.text());
          changes.apply(operation, List.of(DirectoryRecords.put(added)));
          state.refreshEndpoints();
          return added;
        });
  }

  /// The LUN behind the largest one; when that is taken, the lowest free one. An endpoint has no
  /// content and gets its name from its LUN. So the LUN of a removed one need not rest: a host that
  /// missed the removal still reaches what it takes for that endpoint. The numbers of its
  /// subsidiary units rest on.
  private int next() {
    Set<Integer> taken = new HashSet<>();
    state.endpoints().forEach(one -> taken.add(one.lun()));
    int behind = taken.stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
    return IntStream.concat(IntStream.of(behind), IntStream.rangeClosed(1, LARGEST))
        .filter(lun -> lun <= LARGEST && !taken.contains(lun))
        .findFirst()
        .orElseThrow(
            () ->
                DirectoryChanges.refused(
                    Reason.EXHAUSTED, "expected at most 255 protocol endpoints"));
  }

  void retire(OperationId operation, int lun) {
    change(
        operation,
        lun,
        () -> {
          if (state.endpoints().stream()
              .allMatch(e -> e.lun() == lun || state.retired().containsKey(e.lun()))) {
            throw DirectoryChanges.refused(
                Reason.IN_USE,
                "expected another protocol endpoint in service than that at LUN " + lun);
          }
          return state.retired().containsKey(lun)
              ? List.of()
              : List.of(DirectoryRecords.putRetired(lun, changes.wallClock()));
        });
  }

  void restore(OperationId operation, int lun) {
    change(
        operation,
        lun,
        () ->
            state.retired().containsKey(lun)
                ? List.of(DirectoryRecords.removeRetired(lun))
                : List.of());
  }

  private void change(OperationId operation, int lun, Supplier<List<RecordChange>> change) {
    changes.once(
        operation,
        Integer.class,
        () -> {
          require(lun);
          changes.apply(operation, change.get());
          state.refreshRetired();
          return lun;
        });
  }

  private ProtocolEndpoint require(int lun) {
    return state
        .endpointAt(lun)
        .orElseThrow(
            () ->
                DirectoryChanges.refused(
                    Reason.UNKNOWN, "there is no protocol endpoint at LUN " + lun));
  }

  /// One record ends the endpoint and its time out of service: after a crash there are both or
  /// neither. Nothing can be bound through it meanwhile, since that takes the lock, too.
  void remove(OperationId operation, int lun) {
    AccessRevocations.Begun begun =
        changes.once(
            operation,
            AccessRevocations.Begun.class,
            () -> {
              requireEmpty(require(lun));
              changes.apply(
                  operation,
                  List.of(
                      DirectoryRecords.removeEndpoint(lun), DirectoryRecords.removeRetired(lun)));
              state.refreshEndpoints();
              state.refreshRetired();
              return departures.removed(lun);
            });
    departures.finish(List.of(begun));
  }

  private void requireEmpty(ProtocolEndpoint endpoint) {
    if (!state.retired().containsKey(endpoint.lun())) {
      throw DirectoryChanges.refused(
          Reason.IN_USE,
          "expected a protocol endpoint out of service, but that at LUN %d is in service"
              .formatted(endpoint.lun()));
    }
    long bound = state.bindings().stream().filter(b -> b.endpoint().equals(endpoint)).count();
    long former = state.former().stream().filter(b -> b.endpoint().equals(endpoint)).count();
    if (bound + former > 0) {
      throw DirectoryChanges.refused(
          Reason.IN_USE,
          "expected a protocol endpoint without bindings, but that at LUN %d has %d, and %d more that hosts have not left yet"
              .formatted(endpoint.lun(), bound, former));
    }
  }
}
