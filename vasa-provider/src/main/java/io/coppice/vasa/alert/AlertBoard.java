package io.coppice.vasa.alert;

import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.audit.ChangeNotes;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.fault.VasaException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionOperations;

/// The board of all alerts. It is kept in memory, so that it can be read and told of while the
/// database is away, and [#save] writes what has changed into rows. Safe for any thread.
///
/// An alert does not flap: it is resolved only after its cause was gone for [AlertSettings#settle],
/// in time that passed, whatever the clock says.
///
/// A crash between a change here and [#save] loses no alert, since its source finds it again.
/// [#save] copies the alerts first, lets the listeners make their messages durable, and writes the
/// copies last. So a row that says `announced` has its message on disk, and an alert without such a
/// row is told of again, with the same ids of messages. The events that an alert was raised and
/// resolved are written together with its row, by what the row says. Changes by people are in the
/// database before they are answered; `saving` keeps an older copy from overwriting them.
public final class AlertBoard {

  private final AlertRows rows;
  private final TransactionOperations transactions;
  private final ChangeLog changes;
  private final List<AlertListener> listeners;
  private final AlertSettings settings;
  private final InstantSource clock;
  private final LongSupplier nanos;

  private final Map<String, Open> open = new HashMap<>();
  private final LinkedHashMap<UUID, Alert> resolved = new LinkedHashMap<>();
  private final Map<UUID, Alert> unsaved = new LinkedHashMap<>();
  private final Set<UUID> forgotten = new HashSet<>();
  private boolean loaded;

  /// Held while rows are written, never while the board is read.
  private final ReentrantLock saving = new ReentrantLock();

  /// An alert whose cause was there at the last look, or shortly before.
  private static final class Open {
    private Alert alert;
    private long seenNanos;

    Open(Alert alert, long seenNanos) {
      this.alert = alert;
      this.seenNanos = seenNanos;
    }
  }

  /// The database's side of a board.
  public record Places(AlertRows rows, TransactionOperations transactions, ChangeLog changes) {}

  /// @param nanos time that passed, as [System#nanoTime]
  public AlertBoard(
      Places places,
      List<AlertListener> listeners,
      AlertSettings settings,
      InstantSource clock,
      LongSupplier nanos) {
    this.rows = places.rows();
    this.transactions = places.transactions();
    this.changes = places.changes();
    this.listeners = List.copyOf(listeners);
    this.settings = settings;
    this.clock = clock;
    this.nanos = nanos;
  }

  /// Takes all that a source finds now.
  public synchronized void take(String source, List<AlertFinding> findings) {
    Instant now = clock.instant();
    long passed = nanos.getAsLong();
    Set<String> found = new HashSet<>();
    for (AlertFinding finding : findings) {
      if (found.add(finding.key())) {
        take(source, finding, now, passed);
      }
    }
    Duration settle = settings.settle();
    List<Open> gone =
        open.values().stream()
            .filter(one -> one.alert.source().equals(source))
            .filter(one -> !found.contains(one.alert.key()))
            .filter(one -> passed - one.seenNanos >= settle.toNanos())
            .toList();
    gone.forEach(one -> resolve(one.alert, now));
    announce(now);
    forgetOld(now);
  }

  private void take(String source, AlertFinding finding, Instant now, long passed) {
    Open known = open.get(finding.key());
    if (known == null) {
      Alert raised =
          new Alert(
              UUID.randomUUID(),
              source,
              finding.key(),
              finding.severity(),
              finding.about(),
              finding.message(),
              finding.parameters(),
              now,
              false,
              null,
              null,
              silence(finding.key(), now));
      open.put(finding.key(), new Open(raised, passed));
      unsaved.put(raised.id(), raised);
      return;
    }
    known.seenNanos = passed;
    put(known, known.alert.found(finding));
  }

  /// The end of the silence that somebody asked for, for an earlier alert of the same cause.
  private @Nullable Instant silence(String key, Instant now) {
    return resolved.values().stream()
        .filter(alert -> alert.key().equals(key))
        .map(Alert::mutedUntil)
        .filter(until -> until != null && until.isAfter(now))
        .max(Comparator.naturalOrder())
        .orElse(null);
  }

  private void put(Open place, Alert next) {
    if (!next.equals(place.alert)) {
      place.alert = next;
      unsaved.put(next.id(), next);
    }
  }

  private void resolve(Alert alert, Instant now) {
    Alert ended = alert.resolvedAt(now);
    open.remove(alert.key());
    resolved.put(ended.id(), ended);
    unsaved.put(ended.id(), ended);
    if (ended.announced()) {
      listeners.forEach(listener -> listener.resolved(ended));
    }
  }

  /// Tells of what nobody was told of yet, also of what was muted until now.
  private void announce(Instant now) {
    if (!listeners.stream().allMatch(AlertListener::isReady)) {
      return;
    }
    for (Open one : open.values()) {
      if (!one.alert.announced() && one.alert.state(now) == AlertState.ACTIVE) {
        listeners.forEach(listener -> listener.raised(one.alert));
        put(one, one.alert.asAnnounced());
      }
    }
  }

  private void forgetOld(Instant now) {
    Instant before = now.minus(settings.kept());
    List<UUID> old =
        resolved.values().stream()
            .filter(alert -> Objects.requireNonNull(alert.resolved()).isBefore(before))
            .map(Alert::id)
            .toList();
    old.forEach(this::forget);
    while (resolved.size() > settings.entries()) {
      forget(resolved.firstEntry().getKey());
    }
  }

  private void forget(UUID id) {
    resolved.remove(id);
    unsaved.remove(id);
    forgotten.add(id);
  }

  /// All alerts, the resolved ones too.
  public synchronized List<Alert> all() {
    return Stream.concat(open.values().stream().map(one -> one.alert), resolved.values().stream())
        .toList();
  }

  /// The alert with an id, if it is kept.
  public synchronized Optional<Alert> find(UUID id) {
    Alert ended = resolved.get(id);
    return ended != null
        ? Optional.of(ended)
        : open.values().stream()
            .map(one -> one.alert)
            .filter(alert -> alert.id().equals(id))
            .findFirst();
  }

  /// Sources that have alerts which are not resolved.
  synchronized Set<String> sources() {
    Set<String> sources = new HashSet<>();
    open.values().forEach(one -> sources.add(one.alert.source()));
    return sources;
  }

  /// Says that the running actor knows of an alert. Again with the same note it changes nothing.
  ///
  /// @throws VasaException (NotFound) without such an alert, (InvalidArgument) if it is resolved
  public Alert acknowledge(UUID id, @Nullable String note) {
    String by = Actor.current().name();
    return change(
        id,
        "AlertAcknowledged",
        note == null ? Map.of() : Map.of("note", note),
        alert -> {
          Alert.Acknowledgement known = alert.acknowledgement();
          return known != null && known.by().equals(by) && Objects.equals(known.note(), note)
              ? alert
              : alert.acknowledged(new Alert.Acknowledgement(by, clock.instant(), note));
        });
  }

  /// Keeps an alert, and those that come after it for the same cause, from being delivered.
  ///
  /// @param until the end of the silence
  /// @throws VasaException as [#acknowledge], (InvalidArgument) if that time is over
  public Alert mute(UUID id, Instant until) {
    if (!until.isAfter(clock.instant())) {
      throw VasaException.invalidArgument("expected a time to come, got " + until).about("until");
    }
    return change(id, "AlertMuted", Map.of("until", until.toString()), alert -> alert.muted(until));
  }

  /// Ends the silence of an alert.
  ///
  /// @throws VasaException as [#acknowledge]
  public Alert unmute(UUID id) {
    return change(id, "AlertUnmuted", Map.of(), alert -> alert.muted(null));
  }

  private Alert change(
      UUID id, String message, Map<String, String> parameters, UnaryOperator<Alert> how) {
    saving.lock();
    try {
      load(); // before that an alert may still lose its id to a kept one
      Alert before = requireOpen(id);
      Alert after = how.apply(before);
      if (after.equals(before)) {
        return before;
      }
      transactions.executeWithoutResult(
          _ -> {
            store(List.of(after));
            changes.append(AlertEvents.updated(after, message, parameters));
          });
      return apply(id, how, after);
    } finally {
      saving.unlock();
    }
  }

  /// What has become of the alert meanwhile is kept beside the change, and written by the next
  /// [#save].
  private synchronized Alert apply(UUID id, UnaryOperator<Alert> how, Alert saved) {
    for (Open one : open.values()) {
      if (one.alert.id().equals(id)) {
        put(one, how.apply(one.alert));
        return one.alert;
      }
    }
    Alert ended = resolved.computeIfPresent(id, (_, alert) -> how.apply(alert));
    if (ended == null) {
      return saved;
    }
    unsaved.put(id, ended);
    return ended;
  }

  private Alert requireOpen(UUID id) {
    Alert alert =
        find(id).orElseThrow(() -> VasaException.notFound("there is no alert %s".formatted(id)));
    if (alert.resolved() != null) {
      throw VasaException.invalidArgument(
          "expected an alert whose cause is there, but that of %s was gone at %s"
              .formatted(id, alert.resolved()));
    }
    return alert;
  }

  /// Writes alerts into rows, and what these do not tell yet into the history, in the running
  /// transaction: an alert has its events once, however often it is written, and across restarts.
  /// They are the doing of the provider, also while somebody says something of an alert that has no
  /// row yet.
  private void store(Collection<Alert> alerts) {
    if (alerts.isEmpty()) {
      return; // as in most rounds
    }
    List<NewChange> news =
        AlertEvents.since(rows.known(alerts.stream().map(Alert::id).toList()), alerts);
    rows.save(alerts);
    Actor.COPPICE.run(
        () ->
            new ChangeNotes()
                .call(
                    () -> {
                      changes.append(news);
                      return true;
                    }));
  }

  /// Joins what was kept with what was found since the start, at the first call. The kept one of
  /// two alerts with the same key goes on.
  void load() {
    saving.lock();
    try {
      if (!isLoaded()) {
        listeners.forEach(AlertListener::load);
        join(rows.all());
      }
    } finally {
      saving.unlock();
    }
  }

  private synchronized boolean isLoaded() {
    return loaded;
  }

  private synchronized void join(Collection<Alert> kept) {
    long passed = nanos.getAsLong();
    kept.stream()
        .filter(alert -> alert.resolved() != null)
        .sorted(Comparator.comparing(alert -> Objects.requireNonNull(alert.resolved())))
        .forEach(alert -> resolved.put(alert.id(), alert));
    for (Alert alert : kept) {
      if (alert.resolved() == null) {
        Open found = open.get(alert.key());
        if (found == null) {
          open.put(alert.key(), new Open(alert, passed));
        } else {
          unsaved.remove(found.alert.id());
          found.alert = alert;
        }
      }
    }
    loaded = true;
  }

  /// Writes what has changed into rows; nothing before [#load], which may find other ids.
  void save() {
    saving.lock();
    try {
      if (!isLoaded()) {
        return;
      }
      List<Alert> copies = new ArrayList<>();
      Set<UUID> gone = new HashSet<>();
      synchronized (this) {
        copies.addAll(unsaved.values());
        gone.addAll(forgotten);
      }
      listeners.forEach(AlertListener::save);
      transactions.executeWithoutResult(
          _ -> {
            rows.delete(gone);
            store(copies);
          });
      synchronized (this) {
        copies.forEach(copy -> unsaved.remove(copy.id(), copy));
        forgotten.removeAll(gone);
      }
    } finally {
      saving.unlock();
    }
  }
}
