package io.coppice.vasa.binding;

import io.coppice.engine.OperationId;
import io.coppice.scsi.directory.HostId;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Service;

/// The hosts that were ever declared, with the names and secrets of their initiators, as the pool
/// has them.
@Service
public final class KnownHosts {

  private final LunDirectory luns;
  private final ChangeLog changes;

  public KnownHosts(LunDirectory luns, ChangeLog changes) {
    this.luns = luns;
    this.changes = changes;
  }

  /// Names of initiators, by host.
  public Map<HostId, Set<String>> initiators() {
    return luns.hosts();
  }

  public Set<String> initiatorsOf(HostId host) {
    return luns.initiatorsOf(host);
  }

  /// Whether an initiator must prove a CHAP secret at login.
  public boolean hasChapSecret(String initiator) {
    return luns.hasChapSecret(initiator);
  }

  /// Forgets a host and its initiators.
  ///
  /// @throws RefusedException (IN_USE) if it has bound something
  public void forgetUnbound(HostId host) {
    Set<String> initiators = luns.initiatorsOf(host);
    luns.forgetUnboundHost(OperationId.random(), host);
    changes.note(
        NewChange.of(
            ChangeTopic.ACCESS,
            ChangeKind.DELETE,
            new NewChange.Subject(ObjectType.HOST, host.value(), "HostDelete"),
            Map.of("host", host.value(), "initiators", String.join(", ", initiators))));
  }

  /// Sets the secrets that an initiator must prove at login, and that the target proves to it;
  /// empty for none.
  ///
  /// @throws RefusedException (INVALID) if the name is none
  public void setSecrets(String initiator, Optional<String> secret, Optional<String> mutual) {
    if (luns.setChapSecrets(OperationId.random(), initiator, secret, mutual)) {
      changes.note(
          NewChange.of(
              ChangeTopic.ACCESS,
              ChangeKind.UPDATE,
              new NewChange.Subject(
                  ObjectType.INITIATOR,
                  initiator,
                  secret.isEmpty() && mutual.isEmpty() ? "ChapRemoved" : "ChapSet"),
              Map.of("initiator", initiator)));
    }
  }
}
