package io.coppice.scsi.reservation;

import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import io.coppice.engine.VolumeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/// The form of persistent reservations in the pool's records, if the initiators asked for that
/// (APTPL). Numbers are in lower-case hex, except port and type:
///
/// | Key | Value |
/// |---|---|
/// | `scsi/registration/VOLUME/PORT/ISID/INITIATOR` (ISID 12 digits) | the key (16 digits); ` all` after it for all target ports |
/// | `scsi/reservation/VOLUME` | its type; for types of one holder then a space and the holder's `PORT/ISID/INITIATOR` |
public final class ReservationRecords {

  private static final String REGISTRATION = "scsi/registration/";
  private static final String RESERVATION = "scsi/reservation/";

  private final PoolRecords records;

  public ReservationRecords(PoolRecords records) {
    this.records = records;
  }

  /// The reservations that the pool holds for a volume.
  public Reservations of(VolumeId volume) {
    Map<Registrant, Registration> registrations = new LinkedHashMap<>();
    String prefix = REGISTRATION + volume + '/';
    records
        .withPrefix(prefix)
        .forEach(
            (key, value) -> {
              try {
                String[] fields = value.split(" ");
                registrations.put(
                    registrant(key.substring(prefix.length())),
                    new Registration(Long.parseUnsignedLong(fields[0], 16), fields.length > 1));
              } catch (RuntimeException e) {
                throw unreadable(key, value, e);
              }
            });
    if (registrations.isEmpty()) {
      return Reservations.NONE;
    }
    String held = records.find(RESERVATION + volume).orElse("");
    return new Reservations(registrations, holding(volume, held), true, 0);
  }

  private static @Nullable PersistentReservation holding(VolumeId volume, String value) {
    if (value.isEmpty()) {
      return null;
    }
    try {
      String[] fields = value.split(" ");
      return new PersistentReservation(
          ReservationType.of(Integer.parseInt(fields[0])).orElseThrow(),
          fields.length > 1 ? registrant(fields[1]) : null);
    } catch (RuntimeException e) {
      throw unreadable(RESERVATION + volume, value, e);
    }
  }

  private static Registrant registrant(String text) {
    String[] fields = text.split("/", 3);
    return new Registrant(
        fields[2], Long.parseUnsignedLong(fields[1], 16), Integer.parseInt(fields[0]));
  }

  private static String text(Registrant registrant) {
    return "%d/%012x/%s".formatted(registrant.port(), registrant.isid(), registrant.name());
  }

  private static IllegalStateException unreadable(String key, String value, RuntimeException e) {
    return new IllegalStateException(
        "expected the pool's record %s to be readable, got: %s".formatted(key, value), e);
  }

  /// Makes the pool say `after` instead of `before`, in one record. Stable on return.
  public void change(VolumeId volume, Reservations before, Reservations after) {
    Map<String, String> old = texts(volume, before);
    Map<String, String> next = texts(volume, after);
    List<RecordChange> list = new ArrayList<>();
    old.keySet().stream()
        .filter(key -> !next.containsKey(key))
        .forEach(key -> list.add(new RecordChange.Remove(key)));
    next.forEach(
        (key, value) -> {
          if (!value.equals(old.get(key))) {
            list.add(new RecordChange.Put(key, value));
          }
        });
    if (!list.isEmpty()) {
      records.apply(OperationId.random(), list);
    }
  }

  private static Map<String, String> texts(VolumeId volume, Reservations whole) {
    Map<String, String> texts = new TreeMap<>();
    if (!whole.persistent()) {
      return texts;
    }
    whole
        .registrations()
        .forEach(
            (who, registration) ->
                texts.put(
                    REGISTRATION + volume + '/' + text(who),
                    "%016x".formatted(registration.key())
                        + (registration.allPorts() ? " all" : "")));
    PersistentReservation held = whole.holding();
    if (held != null) {
      Registrant holder = held.holder();
      texts.put(
          RESERVATION + volume, held.type().code() + (holder == null ? "" : " " + text(holder)));
    }
    return texts;
  }

  private static VolumeId volumeOf(String key) {
    String rest = key.substring(REGISTRATION.length());
    try {
      return VolumeId.parse(rest.substring(0, rest.indexOf('/')));
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "expected the pool's record %s to name a volume".formatted(key), e);
    }
  }

  /// Removes the records of registrants that do not reach the volume: a crash came between an
  /// unbind and their removal.
  public void sweep(BiPredicate<VolumeId, Registrant> reaches) {
    Set<VolumeId> volumes = new TreeSet<>();
    for (String key : records.withPrefix(REGISTRATION).keySet()) {
      volumes.add(volumeOf(key));
    }
    for (VolumeId volume : volumes) {
      Reservations before = of(volume);
      change(volume, before, before.without(who -> !reaches.test(volume, who)));
    }
  }
}
