package io.coppice.app;

import io.coppice.admin.IscsiPortals;
import io.coppice.admin.field.CamelCase;
import io.coppice.api.iscsi.IscsiPortal;
import io.coppice.api.iscsi.IscsiSession;
import io.coppice.api.iscsi.RefusedLogin;
import io.coppice.iscsi.IscsiTarget;
import io.coppice.iscsi.PortalState;
import io.coppice.iscsi.connection.IscsiCounters;
import io.coppice.iscsi.connection.PeerFault;
import io.coppice.iscsi.session.LoginFailure;
import io.coppice.iscsi.session.SessionState;
import io.coppice.scsi.transport.OpenSession;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/// The transport as the REST API sees it.
///
/// @param addresses those of the portals, in their order, for initiators
record PortalLink(IscsiTarget target, Supplier<List<String>> addresses, InstantSource clock)
    implements IscsiPortals {

  private static final long NANOS_PER_MICRO = 1000;

  @Override
  public List<IscsiPortal> portals() {
    List<String> known = addresses.get();
    return target.portalStates().stream()
        .map(state -> portal(state, known.get(state.number() - 1)))
        .toList();
  }

  private static IscsiPortal portal(PortalState state, String address) {
    return new IscsiPortal(
        state.number(), address, state.draining(), state.sessions(), state.away());
  }

  @Override
  public List<IscsiSession> sessions() {
    Instant now = clock.instant();
    return target.sessionStates().stream().map(state -> session(state, now)).toList();
  }

  private static IscsiSession session(SessionState state, Instant now) {
    return new IscsiSession(
        state.initiator().name(),
        new OpenSession(state.initiator(), state.origin()).isid(),
        state.target().orElse(null),
        state.origin().portal(),
        state.origin().address(),
        now.minus(state.age()).truncatedTo(ChronoUnit.MILLIS),
        state.headerDigest(),
        state.dataDigest(),
        state.roundTrip().map(time -> time.toNanos() / NANOS_PER_MICRO).orElse(null));
  }

  @Override
  public List<RefusedLogin> refusedLogins() {
    return target.loginFailures().stream().map(PortalLink::refused).toList();
  }

  private static RefusedLogin refused(LoginFailure failure) {
    RefusedLoginText text = RefusedLoginText.of(failure.refusal());
    return new RefusedLogin(
        failure.address(),
        failure.portal(),
        failure.names().initiator().orElse(null),
        failure.names().target().orElse(null),
        failure.refusal().status().map(status -> "%04x".formatted(status.code())).orElse(null),
        text.sentence(),
        text.remedy(),
        failure.times(),
        failure.first().truncatedTo(ChronoUnit.MILLIS),
        failure.last().truncatedTo(ChronoUnit.MILLIS));
  }

  @Override
  public boolean drain(int number) {
    return target.drain(number);
  }

  @Override
  public boolean undrain(int number) {
    return target.undrain(number);
  }

  @Override
  public long logins() {
    return target.counters().logins();
  }

  @Override
  public long redirects() {
    return target.counters().redirects();
  }

  @Override
  public SortedMap<String, Long> violations() {
    IscsiCounters counters = target.counters();
    SortedMap<String, Long> counts = new TreeMap<>();
    for (PeerFault fault : PeerFault.values()) {
      counts.put(CamelCase.of(fault), counters.of(fault));
    }
    return counts;
  }
}
