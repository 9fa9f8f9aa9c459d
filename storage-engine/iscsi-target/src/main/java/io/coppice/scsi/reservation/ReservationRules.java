package io.coppice.scsi.reservation;

import io.coppice.scsi.reservation.ReservationOutcome.Notice;
import io.coppice.scsi.reservation.ReserveOut.Action;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseData;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The rules of each service action of PERSISTENT RESERVE OUT (SPC-4 §5.13).
public final class ReservationRules {

  /// Most registrations of one logical unit.
  public static final int MOST = 512;

  private static final ReservationOutcome CONFLICT = new ReservationOutcome.Conflict();

  private ReservationRules() {}

  public static ReservationOutcome apply(Reservations now, Registrant who, ReserveOut request) {
    return switch (request.action()) {
      case REGISTER -> {
        boolean known = now.isRegistered(who);
        boolean fits = known ? now.isKeyOf(who, request.key()) : request.key() == 0;
        yield fits ? register(now, who, request) : CONFLICT;
      }
      case REGISTER_AND_IGNORE_EXISTING_KEY -> register(now, who, request);
      case RESERVE, RELEASE, CLEAR, PREEMPT, PREEMPT_AND_ABORT, REGISTER_AND_MOVE ->
          now.isKeyOf(who, request.key()) ? ofRegistrant(now, who, request) : CONFLICT;
    };
  }

  private static ReservationOutcome ofRegistrant(
      Reservations now, Registrant who, ReserveOut request) {
    return switch (request.action()) {
      case RESERVE -> reserve(now, who, request);
      case RELEASE -> release(now, who, request);
      case CLEAR -> clear(now, who);
      case REGISTER_AND_MOVE -> move(now, who, request);
      default -> preempt(now, who, request);
    };
  }

  private static ReservationOutcome register(Reservations now, Registrant who, ReserveOut request) {
    boolean known = now.isRegistered(who);
    if (request.serviceKey() == 0) {
      return known ? unregister(now, who, request) : done(now);
    }
    if (!known && now.registrations().size() >= MOST) {
      return tooMany();
    }
    Registration made = new Registration(request.serviceKey(), request.allPorts());
    return done(now.with(who, made, request.persist()).nextGeneration());
  }

  /// Ends a registration. The reservation goes with its holder. The other registrants hear of that
  /// if it admitted them (SPC-4 §5.13.11.2.3).
  private static ReservationOutcome unregister(
      Reservations now, Registrant who, ReserveOut request) {
    Reservations next = now.without(who::equals).persistent(request.persist()).nextGeneration();
    PersistentReservation before = now.holding();
    boolean tell = before != null && next.holding() == null && before.type().admitsRegistrants();
    return new ReservationOutcome.Done(
        next, tell ? toOthers(next, who, Notice.RESERVATIONS_RELEASED) : Map.of(), Set.of());
  }

  private static ReservationOutcome reserve(Reservations now, Registrant who, ReserveOut request) {
    Optional<ReservationType> type = ReservationType.of(request.type());
    if (request.scope() != 0 || type.isEmpty()) {
      return badScopeOrType();
    }
    PersistentReservation held = now.holding();
    if (held == null) {
      return done(now.holding(PersistentReservation.of(type.get(), who)));
    }
    return now.isHolder(who) && held.type() == type.get() ? done(now) : CONFLICT;
  }

  private static ReservationOutcome release(Reservations now, Registrant who, ReserveOut request) {
    PersistentReservation held = now.holding();
    if (held == null || !now.isHolder(who)) {
      return done(now);
    }
    if (request.scope() != 0 || request.type() != held.type().code()) {
      return new ReservationOutcome.Refused(
          SenseData.illegalRequest(AdditionalSense.INVALID_RELEASE_OF_PERSISTENT_RESERVATION));
    }
    boolean tell = held.type().admitsRegistrants();
    return new ReservationOutcome.Done(
        now.holding(null),
        tell ? toOthers(now, who, Notice.RESERVATIONS_RELEASED) : Map.of(),
        Set.of());
  }

  private static ReservationOutcome clear(Reservations now, Registrant who) {
    return new ReservationOutcome.Done(
        now.without(_ -> true).nextGeneration(),
        toOthers(now, who, Notice.RESERVATIONS_PREEMPTED),
        Set.of());
  }

  private static ReservationOutcome preempt(Reservations now, Registrant who, ReserveOut request) {
    long victim = request.serviceKey();
    PersistentReservation held = now.holding();
    boolean ofAll = held != null && held.type().isHeldByAll();
    if (victim == 0 && !ofAll) {
      return new ReservationOutcome.Refused(SenseData.invalidParameter(8));
    }
    Registrant holder = held == null ? null : held.holder();
    boolean takesOver = ofAll ? victim == 0 : holder != null && now.isKeyOf(holder, victim);
    Set<Registrant> gone =
        now.registrants(
            e ->
                (victim == 0 || e.getValue().key() == victim)
                    && !(takesOver && e.getKey().equals(who)));
    if (!takesOver) {
      return gone.isEmpty() ? CONFLICT : preempted(now, now, who, request, gone);
    }
    Optional<ReservationType> type = ReservationType.of(request.type());
    if (request.scope() != 0 || type.isEmpty()) {
      return badScopeOrType();
    }
    return preempted(
        now, now.holding(PersistentReservation.of(type.get(), who)), who, request, gone);
  }

  /// Takes registrations away. Those that lose theirs hear of that. The others hear if the
  /// reservation is no longer of the same type (SPC-4 §5.13.11.2.6).
  private static ReservationOutcome preempted(
      Reservations now,
      Reservations taken,
      Registrant who,
      ReserveOut request,
      Set<Registrant> gone) {
    Reservations next = taken.without(gone::contains).nextGeneration();
    Map<Registrant, Notice> notices = new HashMap<>();
    if (!sameType(now.holding(), next.holding())) {
      notices.putAll(toOthers(next, who, Notice.RESERVATIONS_RELEASED));
    }
    for (Registrant lost : gone) {
      if (!lost.equals(who)) {
        notices.put(lost, Notice.REGISTRATIONS_PREEMPTED);
      }
    }
    boolean abort = request.action() == Action.PREEMPT_AND_ABORT;
    return new ReservationOutcome.Done(next, notices, abort ? gone : Set.of());
  }

  private static boolean sameType(
      @Nullable PersistentReservation before, @Nullable PersistentReservation after) {
    return before == null || after != null && before.type() == after.type();
  }

  private static Map<Registrant, Notice> toOthers(
      Reservations whose, Registrant who, Notice notice) {
    Map<Registrant, Notice> notices = new HashMap<>();
    for (Registrant other : whose.registrations().keySet()) {
      if (!other.equals(who)) {
        notices.put(other, notice);
      }
    }
    return notices;
  }

  /// Registers another nexus and makes it the holder (SPC-4 §5.13.8).
  private static ReservationOutcome move(Reservations now, Registrant who, ReserveOut request) {
    PersistentReservation held = now.holding();
    ReserveOut.Move move = request.move();
    if (held == null || move == null) {
      return new ReservationOutcome.Refused(SenseData.invalidCdb(1));
    }
    if (held.type().isHeldByAll() || !now.isHolder(who)) {
      return CONFLICT;
    }
    if (request.serviceKey() == 0) {
      return new ReservationOutcome.Refused(SenseData.invalidParameter(8));
    }
    Registrant to = move.to();
    if (to.equals(who)) {
      return new ReservationOutcome.Refused(SenseData.invalidParameter(24));
    }
    if (!now.isRegistered(to) && now.registrations().size() >= MOST) {
      return tooMany();
    }
    Registration made = new Registration(request.serviceKey(), false);
    Reservations moved =
        now.with(to, made, request.persist()).holding(PersistentReservation.of(held.type(), to));
    return done((move.unregister() ? moved.without(who::equals) : moved).nextGeneration());
  }

  private static ReservationOutcome tooMany() {
    return new ReservationOutcome.Refused(
        SenseData.illegalRequest(AdditionalSense.INSUFFICIENT_REGISTRATION_RESOURCES));
  }

  private static ReservationOutcome badScopeOrType() {
    return new ReservationOutcome.Refused(SenseData.invalidCdb(2));
  }

  private static ReservationOutcome done(Reservations next) {
    return new ReservationOutcome.Done(next, Map.of(), Set.of());
  }
}
