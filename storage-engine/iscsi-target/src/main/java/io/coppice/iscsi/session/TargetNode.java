package io.coppice.iscsi.session;

import io.coppice.iscsi.connection.DataMemory;
import io.coppice.iscsi.connection.IscsiCounters;
import io.coppice.iscsi.connection.Portal;
import io.coppice.iscsi.login.LoginAuthority;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.iscsi.setting.IscsiSettings;
import io.coppice.scsi.secret.InitiatorSecrets;
import io.coppice.scsi.transport.TargetDevice;
import java.util.List;
import java.util.Optional;

/// The target node, as all of its connections share it.
public record TargetNode(
    IscsiSettings settings,
    List<TargetDevice> targets,
    InitiatorSecrets secrets,
    Portals portals,
    Sessions sessions,
    DataMemory dataMemory,
    IscsiCounters counters,
    LoginFailures failures)
    implements LoginAuthority {

  /// The one portal group: every portal reaches every target.
  static final int PORTAL_GROUP_TAG = 1;

  public IscsiLimits limits() {
    return settings.limits();
  }

  /// Sends new logins at a portal elsewhere and asks the initiators there to log out.
  public void drain(Portal portal) {
    portal.drain(true);
    for (Session session : sessions.list()) {
      if (session.connection().portal() == portal) {
        session.connection().askForLogout();
      }
    }
  }

  /// Ends a drain. The portal takes logins again. The initiators of the sessions that it sent
  /// elsewhere are asked to log out there, so that they come back. One that does not stays where it
  /// is.
  public void undrain(Portal portal) {
    portal.drain(false);
    for (Session session : sessions.list()) {
      if (session.isAwayFrom(portal)) {
        callHome(session);
      }
    }
  }

  /// Asks the initiator of a session to log out, and expects it at the portal that it belongs to.
  void callHome(Session session) {
    session.nexusName().ifPresent(it -> portals.homes().expect(it, session.home()));
    session.connection().askForLogout();
  }

  @Override
  public Optional<TargetDevice> target(String name) {
    return targets.stream().filter(it -> it.name().equals(name)).findFirst();
  }

  @Override
  public Optional<String> chapSecret(String initiatorName) {
    return secrets.chapSecret(initiatorName);
  }

  @Override
  public Optional<String> mutualChapSecret(String initiatorName) {
    return secrets.mutualChapSecret(initiatorName);
  }
}
