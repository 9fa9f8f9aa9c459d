package io.coppice.iscsi.session;

import io.coppice.iscsi.connection.Portal;
import io.coppice.scsi.transport.InitiatorPort;
import io.coppice.scsi.transport.TargetDevice;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.LongSupplier;

/// Initiator ports that are on their way to another portal, and the portal that they belong to: the
/// one that they came to first and that a drain sent them away from. Safe for any thread.
///
/// A port is known for a minute only; after that a login stands for itself. An initiator that
/// starts again may give its session identifiers to other nexuses.
final class LoginRedirects {

  /// The name of a nexus: an initiator port and the target that it logs in to.
  record NexusName(InitiatorPort initiator, String target) {

    /// Empty for a discovery session.
    static Optional<NexusName> of(InitiatorPort initiator, Optional<TargetDevice> target) {
      return target.map(it -> new NexusName(initiator, it.name()));
    }
  }

  private record Expected(Portal home, long until) {}

  private static final long NANOS = 60_000_000_000L;
  private static final int MOST = 4096;

  private final LongSupplier clock;

  // Guarded by this; the oldest first.
  private final SequencedMap<NexusName, Expected> expected = new LinkedHashMap<>();

  /// @param clock nanoseconds since some time
  LoginRedirects(LongSupplier clock) {
    this.clock = clock;
  }

  /// Its next login belongs to that portal, wherever it comes.
  synchronized void expect(NexusName nexus, Portal home) {
    expected.putLast(nexus, new Expected(home, clock.getAsLong() + NANOS));
    while (expected.size() > MOST || isOver(expected.firstEntry().getValue())) {
      expected.pollFirstEntry();
    }
  }

  /// The portal that a login belongs to, told once; empty if it was not expected.
  synchronized Optional<Portal> take(NexusName nexus) {
    return Optional.ofNullable(expected.remove(nexus))
        .filter(it -> !isOver(it))
        .map(Expected::home);
  }

  private boolean isOver(Expected login) {
    return clock.getAsLong() - login.until() > 0;
  }
}
