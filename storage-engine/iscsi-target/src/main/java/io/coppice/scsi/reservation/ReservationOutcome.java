package io.coppice.scsi.reservation;

import io.coppice.scsi.sense.SenseData;
import java.util.Map;
import java.util.Set;

/// The outcome of a PERSISTENT RESERVE OUT command.
public sealed interface ReservationOutcome {

  /// RESERVATION CONFLICT; nothing changes.
  record Conflict() implements ReservationOutcome {}

  /// CHECK CONDITION; nothing changes.
  record Refused(SenseData sense) implements ReservationOutcome {}

  /// GOOD.
  ///
  /// @param notices the others that must hear of it, and what they hear
  /// @param preempted the registrants whose commands must end before the command does
  record Done(Reservations next, Map<Registrant, Notice> notices, Set<Registrant> preempted)
      implements ReservationOutcome {
    public Done {
      notices = Map.copyOf(notices);
      preempted = Set.copyOf(preempted);
    }
  }

  /// A unit attention.
  enum Notice {
    RESERVATIONS_PREEMPTED,
    RESERVATIONS_RELEASED,
    REGISTRATIONS_PREEMPTED
  }
}
