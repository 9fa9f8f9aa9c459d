package io.coppice.scsi.reservation;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// All registrations of a logical unit and its persistent reservation, at one moment.
///
/// @param registrations in the order in which they were made
/// @param holding null if there is no reservation
/// @param persistent APTPL: whether they are kept over a restart
/// @param generation PRGENERATION, unsigned
public record Reservations(
    Map<Registrant, Registration> registrations,
    @Nullable PersistentReservation holding,
    boolean persistent,
    int generation) {

  /// Nobody is registered.
  public static final Reservations NONE = new Reservations(Map.of(), null, false, 0);

  public Reservations {
    registrations = Collections.unmodifiableMap(new LinkedHashMap<>(registrations));
    holding = isHeld(registrations, holding) ? holding : null;
  }

  /// A reservation ends with the registration of its last holder.
  private static boolean isHeld(
      Map<Registrant, Registration> registrations, @Nullable PersistentReservation holding) {
    if (holding == null) {
      return false;
    }
    Registrant holder = holding.holder();
    return holder == null ? !registrations.isEmpty() : registrations.containsKey(holder);
  }

  public boolean isRegistered(Registrant who) {
    return registrations.containsKey(who);
  }

  /// Whether the key is the one that `who` registered.
  boolean isKeyOf(Registrant who, long key) {
    Registration registration = registrations.get(who);
    return registration != null && registration.key() == key;
  }

  public boolean isHolder(Registrant who) {
    PersistentReservation held = holding;
    return held != null
        && (held.type().isHeldByAll() ? isRegistered(who) : who.equals(held.holder()));
  }

  /// Whether the reservation restricts `who` in nothing (SPC-4 §5.13.1).
  public boolean admitsFully(Registrant who) {
    PersistentReservation held = holding;
    return held == null || isHolder(who) || held.type().admitsRegistrants() && isRegistered(who);
  }

  /// Whether `who` may read the medium or, with `change`, change it.
  public boolean admits(Registrant who, boolean change) {
    PersistentReservation held = holding;
    return held == null || admitsFully(who) || !change && !held.type().forbidsReads();
  }

  /// As [#admits], for an initiator port registered by any target port.
  public boolean admitsPort(String name, long isid, boolean change) {
    PersistentReservation held = holding;
    return held == null
        || !change && !held.type().forbidsReads()
        || registrations.keySet().stream()
            .anyMatch(r -> r.isSameInitiatorPort(name, isid) && admitsFully(r));
  }

  /// Registrants that match.
  Set<Registrant> registrants(Predicate<Map.Entry<Registrant, Registration>> which) {
    return registrations.entrySet().stream()
        .filter(which)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /// A copy without some registrations; the generation stays.
  public Reservations without(Predicate<Registrant> gone) {
    Map<Registrant, Registration> left = new LinkedHashMap<>(registrations);
    left.keySet().removeIf(gone);
    return new Reservations(left, holding, persistent, generation);
  }

  Reservations with(Registrant who, Registration registration, boolean kept) {
    Map<Registrant, Registration> more = new LinkedHashMap<>(registrations);
    more.put(who, registration);
    return new Reservations(more, holding, kept, generation);
  }

  Reservations holding(@Nullable PersistentReservation next) {
    return new Reservations(registrations, next, persistent, generation);
  }

  Reservations persistent(boolean kept) {
    return new Reservations(registrations, holding, kept, generation);
  }

  Reservations nextGeneration() {
    return new Reservations(registrations, holding, persistent, generation + 1);
  }
}
