package io.coppice.scsi.reservation;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The persistent reservation of a logical unit.
///
/// @param holder null if all registrants hold it, and only then
public record PersistentReservation(ReservationType type, @Nullable Registrant holder) {

  public PersistentReservation {
    Objects.requireNonNull(type, "type");
    if (type.isHeldByAll() != (holder == null)) {
      throw new IllegalArgumentException(
          "expected a holder unless all registrants hold, got %s and %s".formatted(type, holder));
    }
  }

  static PersistentReservation of(ReservationType type, Registrant who) {
    return new PersistentReservation(type, type.isHeldByAll() ? null : who);
  }
}
