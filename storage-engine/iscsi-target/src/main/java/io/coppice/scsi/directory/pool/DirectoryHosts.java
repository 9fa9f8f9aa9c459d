package io.coppice.scsi.directory.pool;

import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.HostId;
import io.coppice.scsi.directory.InitiatorNames;
import io.coppice.scsi.directory.RefusedException.Reason;
import io.coppice.scsi.secret.SecretRecords;
import io.coppice.scsi.secret.SecretRecords.Direction;
import io.coppice.scsi.secret.StoredSecret;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;

/// The directory's hosts: the initiators of each, and the secrets that initiators must prove.
final class DirectoryHosts {

  private static final int MAX_HOST_BYTES = 200;

  private final DirectoryChanges changes;
  private final DirectoryState state;
  private final AccessRevocations departures;
  private final DirectoryBindings bindings;
  private final SecretRecords secrets;

  DirectoryHosts(
      DirectoryChanges changes,
      AccessRevocations departures,
      DirectoryBindings bindings,
      SecretRecords secrets) {
    this.secrets = secrets;
    this.changes = changes;
    this.state = changes.state();
    this.departures = departures;
    this.bindings = bindings;
  }

  void declareHost(OperationId operation, HostId host, Set<String> initiators) {
    SortedSet<String> wanted = InitiatorNames.all(initiators);
    if (host.value().getBytes(StandardCharsets.UTF_8).length > MAX_HOST_BYTES) {
      throw DirectoryChanges.refused(
          Reason.INVALID, "expected a host id of at most 200 bytes, got: " + host);
    }
    GoneNames gone =
        changes.once(
            operation,
            GoneNames.class,
            () -> {
              for (String name : wanted) {
                requireFree(name, host);
              }
              Set<String> before = new TreeSet<>(state.initiatorsOf(host));
              changes.apply(operation, List.of(DirectoryRecords.put(host, wanted)));
              state.refresh(host);
              before.removeAll(state.initiatorsOf(host));
              return new GoneNames(takeAway(host, before));
            });
    departures.finish(gone.departures());
  }

  private List<AccessRevocations.Begun> takeAway(HostId host, Set<String> gone) {
    if (gone.isEmpty()) {
      return List.of();
    }
    bindings.hold(state.placesOf(host), gone);
    List<AccessRevocations.Begun> all = new ArrayList<>();
    all.add(departures.expelled(gone));
    state
        .bindingsOf(host)
        .forEach(b -> all.add(departures.disappeared(b.volume(), b.endpoint().lun(), gone)));
    return all;
  }

  private void requireFree(String initiator, HostId host) {
    state
        .hostOf(initiator)
        .filter(owner -> !owner.equals(host))
        .ifPresent(
            owner -> {
              throw DirectoryChanges.refused(
                  Reason.IN_USE, "initiator %s belongs to host %s".formatted(initiator, owner));
            });
  }

  private record GoneNames(List<AccessRevocations.Begun> departures) {}

  void forgetHost(OperationId operation, HostId host) {
    forget(operation, host, () -> state.bindingsOf(host));
  }

  void forgetUnboundHost(OperationId operation, HostId host) {
    forget(
        operation,
        host,
        () -> {
          int bound = state.bindingsOf(host).size();
          if (bound > 0) {
            throw DirectoryChanges.refused(
                Reason.IN_USE, "expected a host without bindings, but it has %d".formatted(bound));
          }
          return List.of();
        });
  }

  private void forget(OperationId operation, HostId host, Supplier<List<Binding>> which) {
    bindings.end(
        operation,
        which,
        List.of(DirectoryRecords.remove(host)),
        places -> {
          Set<String> before = new TreeSet<>(state.initiatorsOf(host));
          bindings.hold(places, before);
          state.refresh(host);
          before.removeAll(state.initiatorsOf(host));
          return before.isEmpty() ? List.of() : List.of(departures.expelled(before));
        });
  }

  void setChapSecret(OperationId operation, String initiator, Optional<String> secret) {
    String name = InitiatorNames.one(initiator);
    requireSecret(secret, secret.flatMap(_ -> state.mutualSecretOf(name)).map(StoredSecret::text));
    change(operation, name, () -> changed(Direction.OWN, name, secret));
  }

  void setMutualChapSecret(OperationId operation, String initiator, Optional<String> secret) {
    String name = InitiatorNames.one(initiator);
    requireSecret(secret, secret.flatMap(_ -> state.secretOf(name)).map(StoredSecret::text));
    change(operation, name, () -> changed(Direction.MUTUAL, name, secret));
  }

  boolean setChapSecrets(
      OperationId operation, String initiator, Optional<String> secret, Optional<String> mutual) {
    String name = InitiatorNames.one(initiator);
    requireSecret(secret, mutual);
    requireSecret(mutual, secret);
    return change(
        operation,
        name,
        () -> {
          List<RecordChange> all = new ArrayList<>(changed(Direction.OWN, name, secret));
          all.addAll(changed(Direction.MUTUAL, name, mutual));
          return all;
        });
  }

  private List<RecordChange> changed(Direction direction, String name, Optional<String> secret) {
    return secret
        .map(text -> List.of(secrets.put(direction, name, text)))
        .orElseGet(() -> secrets.remove(direction, name));
  }

  /// @return whether the secrets are others now
  private boolean change(OperationId operation, String name, Supplier<List<RecordChange>> records) {
    return changes.once(
        operation,
        Boolean.class,
        () -> {
          Optional<StoredSecret> own = state.secretOf(name);
          Optional<StoredSecret> mutual = state.mutualSecretOf(name);
          changes.apply(operation, records.get());
          state.refreshSecrets(name);
          return !own.equals(state.secretOf(name)) || !mutual.equals(state.mutualSecretOf(name));
        });
  }

  /// @param other the secret of the other direction
  private static void requireSecret(Optional<String> secret, Optional<String> other) {
    if (secret.isPresent() && (secret.get().length() < 12 || secret.get().length() > 255)) {
      throw DirectoryChanges.refused(
          Reason.INVALID,
          "expected a CHAP secret of 12 to 255 characters, got " + secret.get().length());
    }
    if (secret.isPresent() && secret.equals(other)) {
      throw DirectoryChanges.refused(
          Reason.INVALID, "expected different CHAP secrets for the two directions, got one");
    }
  }
}
