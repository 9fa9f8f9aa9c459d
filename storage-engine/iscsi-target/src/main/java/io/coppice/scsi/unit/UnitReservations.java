package io.coppice.scsi.unit;

import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.cdb.Cdb;
import io.coppice.scsi.reservation.PersistentReservation;
import io.coppice.scsi.reservation.Registrant;
import io.coppice.scsi.reservation.ReservationOutcome;
import io.coppice.scsi.reservation.ReservationRecords;
import io.coppice.scsi.reservation.ReservationRules;
import io.coppice.scsi.reservation.Reservations;
import io.coppice.scsi.reservation.ReserveOut;
import io.coppice.scsi.transport.InitiatorPort;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The reservations of a logical unit: an SPC-2 reservation or registrations, never both (SPC-4
/// §5.13.3).
///
/// If there is neither, one volatile read checks a command. Changes of registrations are made one
/// at a time and are stable before others see them.
public final class UnitReservations {

  private static final System.Logger LOG = System.getLogger(UnitReservations.class.getName());

  private final VolumeId volume;
  private final ReservationRecords records;
  private final ReentrantLock changing = new ReentrantLock();
  private final AtomicReference<@Nullable Guard> guard = new AtomicReference<>();
  private volatile Reservations persistent; // written under changing

  /// Begins with the reservations in the pool.
  public UnitReservations(VolumeId volume, ReservationRecords records) {
    this.volume = volume;
    this.records = records;
    this.persistent = records.of(volume);
    publish();
  }

  /// The guard between a command and the unit.
  private sealed interface Guard {}

  private record Reserved(Reserver holder) implements Guard {}

  private record Registered(Reservations all) implements Guard {}

  /// RESERVE. Nothing happens if registrants are served instead (CRH).
  ///
  /// @return false if another nexus holds the reservation
  public boolean reserve(Reserver nexus) {
    guard.compareAndSet(null, new Reserved(nexus));
    return !(guard.get() instanceof Reserved(Reserver holder)) || holder.equals(nexus);
  }

  /// RELEASE; nothing if the nexus does not hold an SPC-2 reservation.
  public void release(Reserver nexus) {
    if (guard.get() instanceof Reserved reserved && reserved.holder().equals(nexus)) {
      guard.compareAndSet(reserved, null);
    }
  }

  /// The holder of the SPC-2 reservation; null if there is none.
  @Nullable
  public Reserver holder() {
    return guard.get() instanceof Reserved(Reserver holder) ? holder : null;
  }

  /// Registrations and persistent reservation.
  public Reservations persistent() {
    return persistent;
  }

  /// Whether a command of that nexus ends with RESERVATION CONFLICT.
  public boolean conflicts(Reserver nexus, Cdb cdb) {
    Guard standing = guard.get();
    return standing != null && conflicts(standing, nexus, cdb);
  }

  private static boolean conflicts(Guard standing, Reserver nexus, Cdb cdb) {
    return switch (standing) {
      case Reserved(Reserver holder) -> AccessRules.conflictsReserved(cdb, holder.equals(nexus));
      case Registered(Reservations all) ->
          AccessRules.conflictsRegistered(cdb, all, nexus.registrant());
    };
  }

  /// Whether a copy for that initiator port may not touch the unit.
  ///
  /// @param change whether it writes
  public boolean forbids(InitiatorPort port, boolean change) {
    return switch (guard.get()) {
      case null -> false;
      case Reserved(Reserver holder) -> !holder.initiator().equals(port);
      case Registered(Reservations all) -> !all.admitsPort(port.name(), port.isid(), change);
    };
  }

  /// PERSISTENT RESERVE OUT; stable on return.
  ///
  /// @throws StorageException if the pool fails; nothing has changed
  public ReservationOutcome change(Registrant who, ReserveOut request) {
    changing.lock();
    try {
      ReservationOutcome outcome = ReservationRules.apply(persistent, who, request);
      if (!(outcome instanceof ReservationOutcome.Done(Reservations next, var _, var _))) {
        return outcome;
      }
      // Before the record, so that no RESERVE can come in between.
      guard.compareAndSet(null, new Registered(persistent));
      if (guard.get() instanceof Reserved) {
        return new ReservationOutcome.Conflict();
      }
      try {
        records.change(volume, persistent, next);
        persistent = next;
      } finally {
        publish();
      }
      return outcome;
    } finally {
      changing.unlock();
    }
  }

  /// Ends the registrations of registrants that no longer reach the unit. Stable on return unless
  /// the pool fails; then it is caught up when the target opens again.
  ///
  /// @return whether the others must hear that a reservation ended with that
  public boolean expel(Predicate<Registrant> gone) {
    changing.lock();
    try {
      Reservations next = persistent.without(gone);
      if (next.equals(persistent)) {
        return false;
      }
      try {
        records.change(volume, persistent, next);
      } catch (StorageException e) {
        LOG.log(System.Logger.Level.WARNING, "registrations of " + volume + " stay in the pool", e);
      }
      PersistentReservation before = persistent.holding();
      persistent = next;
      publish();
      return before != null && next.holding() == null && before.type().admitsRegistrants();
    } finally {
      changing.unlock();
    }
  }

  private void publish() {
    if (!(guard.get() instanceof Reserved)) {
      guard.set(persistent.registrations().isEmpty() ? null : new Registered(persistent));
    }
  }
}
