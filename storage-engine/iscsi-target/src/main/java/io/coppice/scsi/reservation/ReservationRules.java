package io.coppice.scsi.reservation;

import io.coppice.scsi.reservation.Outcome.Notice;
import io.coppice.scsi.reservation.ReserveOut.Action;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseData;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What each service action of PERSISTENT RESERVE OUT does (SPC-4 §5.13).
public final class ReservationRules {

  /// Most registrations of one logical unit.
  public static final int MOST = 512;

  private static final Outcome CONFLICT = new Outcome.Conflict();

  private ReservationRules() {}

  public static Outcome apply(Reservations now, Registrant who, ReserveOut request) {
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

  private static Outcome ofRegistrant(Reservations now, Registrant who, ReserveOut request) {
    return switch (request.action()) {
      case RESERVE -> reserve(now, who, request);
      case RELEASE -> release(now, who, request);
      case CLEAR -> clear(now, who);
      case REGISTER_AND_MOVE -> move(now, who, request);
      default -> preempt(now, who, request);
    };
  }

  private static Outcome register(Reservations now, Registrant who, ReserveOut request) {
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

  /// The reservation goes with its holder; the other registrants hear of it if it admitted them
  /// (SPC-4 §5.13.11.2.3).
  private static Outcome unregister(Reservations now, Registrant who, ReserveOut request) {
    Reservations next = now.without(who::equals).persistent(request.persist()).nextGeneration();
    Holding before = now.holding();
    boolean tell = before != null && next.holding() == null && before.type().admitsRegistrants();
    return new Outcome.Done(
        next, tell ? toOthers(next, who, Notice.RESERVATIONS_RELEASED) : Map.of(), Set.of());
  }

  private static Outcome reserve(Reservations now, Registrant who, ReserveOut request) {
    Optional<ReservationType> type = ReservationType.of(request.type());
    if (request.scope() != 0 || type.isEmpty()) {
      return badScopeOrType();
    }
    Holding held = now.holding();
    if (held == null) {
      return done(now.holding(Holding.of(type.get(), who)));
    }
    return now.isHolder(who) && held.type() == type.get() ? done(now) : CONFLICT;
  }

  private static Outcome release(Reservations now, Registrant who, ReserveOut request) {
    Holding held = now.holding();
    if (held == null || !now.isHolder(who)) {
      return done(now);
    }
    if (request.scope() != 0 || request.type() != held.type().code()) {
      return new Outcome.Refused(
          SenseData.illegalRequest(AdditionalSense.INVALID_RELEASE_OF_PERSISTENT_RESERVATION));
    }
    boolean tell = held.type().admitsRegistrants();
    return new Outcome.Done(
        now.holding(null),
        tell ? toOthers(now, who, Notice.RESERVATIONS_RELEASED) : Map.of(),
        Set.of());
  }

  private static Outcome clear(Reservations now, Registrant who) {
    return new Outcome.Done(
        now.without(_ -> true).nextGeneration(),
        toOthers(now, who, Notice.RESERVATIONS_PREEMPTED),
        Set.of());
  }

  private static Outcome preempt(Reservations now, Registrant who, ReserveOut request) {
    long victim = request.serviceKey();
    Holding held = now.holding();
    boolean ofAll = held != null && held.type().isHeldByAll();
    if (victim == 0 && !ofAll) {
      return new Outcome.Refused(SenseData.invalidParameter(8));
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
    return preempted(now, now.holding(Holding.of(type.get(), who)), who, request, gone);
  }

  /// Takes registrations away. Those who lose theirs hear of that; the others hear if the
  /// reservation is not of the type any more (SPC-4 §5.13.11.2.6).
  private static Outcome preempted(
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
    return new Outcome.Done(next, notices, abort ? gone : Set.of());
  }

  private static boolean sameType(@Nullable Holding before, @Nullable Holding after) {
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
  private static Outcome move(Reservations now, Registrant who, ReserveOut request) {
    Holding held = now.holding();
    ReserveOut.Move move = request.move();
    if (held == null || move == null) {
      return new Outcome.Refused(SenseData.invalidCdb(1));
    }
    if (held.type().isHeldByAll() || !now.isHolder(who)) {
      return CONFLICT;
    }
    if (request.serviceKey() == 0) {
      return new Outcome.Refused(SenseData.invalidParameter(8));
    }
    Registrant to = move.to();
    if (to.equals(who)) {
      return new Outcome.Refused(SenseData.invalidParameter(24));
    }
    if (!now.isRegistered(to) && now.registrations().size() >= MOST) {
      return tooMany();
    }
    Registration made = new Registration(request.serviceKey(), false);
    Reservations moved = now.with(to, made, request.persist()).holding(Holding.of(held.type(), to));
    return done((move.unregister() ? moved.without(who::equals) : moved).nextGeneration());
  }

  private static Outcome tooMany() {
    return new Outcome.Refused(
        SenseData.illegalRequest(AdditionalSense.INSUFFICIENT_REGISTRATION_RESOURCES));
  }

  private static Outcome badScopeOrType() {
    return new Outcome.Refused(SenseData.invalidCdb(2));
  }

  private static Outcome done(Reservations next) {
    return new Outcome.Done(next, Map.of(), Set.of());
  }
}
