package io.coppice.vasa.alert.delivery;

import io.coppice.vasa.alert.Alert;
import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertListener;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertSource;
import io.coppice.vasa.alert.AlertSubject;
import io.coppice.vasa.alert.AlertTexts;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.fault.VasaException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionOperations;

/// The targets, each with its outbox and its courier. As a listener it writes a message for each
/// target into its outbox, in memory; [#save] makes the messages durable. As a source it finds
/// targets that are not reached. Safe for any thread.
///
/// AlertTargets are known after the database was there once since the start. What is raised before
/// is told of then, since the board has it still.
public final class AlertTargets implements AlertListener, AlertSource, AutoCloseable {

  /// Attempts that fail in a row before that is an alert of its own.
  private static final int FAILURES = 3;

  private final TargetRows rows;
  private final TransactionOperations transactions;
  private final ChangeLog changes;
  private final DeliverySettings settings;
  private final InstantSource clock;
  private final AlertTexts texts = new AlertTexts();
  private final Map<UUID, Place> places = new ConcurrentHashMap<>();
  private final ReentrantLock changing = new ReentrantLock();
  private volatile boolean loaded;
  private volatile boolean closed;

  /// A target with all that belongs to it.
  private record Place(Target target, Outbox outbox, @Nullable Courier courier) {}

  /// The database's side of targets.
  public record Keeping(TargetRows rows, TransactionOperations transactions, ChangeLog changes) {}

  public AlertTargets(Keeping keeping, DeliverySettings settings, InstantSource clock) {
    this.rows = keeping.rows();
    this.transactions = keeping.transactions();
    this.changes = keeping.changes();
    this.settings = settings;
    this.clock = clock;
  }

  /// A target, and what is known of the way there.
  ///
  /// @param waiting messages that wait
  /// @param lost messages that were given up since the start
  /// @param obstacle why the last attempt failed; null if it did not
  /// @param delivered when something arrived last; null for never since the start
  /// @param test what became of the last test; null for none since the start
  public record Known(
      Target target,
      int waiting,
      long lost,
      @Nullable String obstacle,
      @Nullable Instant delivered,
      @Nullable Test test) {}

  /// A test of a target.
  ///
  /// @param outcome `waiting`, `delivered` or `failed`
  /// @param reason why it failed; null if it did not
  public record Test(UUID id, Instant at, String outcome, @Nullable String reason) {}

  public List<Known> all() {
    load();
    return places.values().stream().map(AlertTargets::known).toList();
  }

  public Optional<Known> find(UUID id) {
    load();
    return Optional.ofNullable(places.get(id)).map(AlertTargets::known);
  }

  /// @throws VasaException (NotFound) without such a target
  public Known require(UUID id) {
    return find(id)
        .orElseThrow(() -> VasaException.notFound("there is no alert target %s".formatted(id)));
  }

  private static Known known(Place place) {
    Outbox.State state = place.outbox().state();
    Outbox.TestOutcome test = state.test();
    return new Known(
        place.target(),
        state.waiting(),
        state.lost(),
        state.obstacle(),
        state.delivered(),
        test == null
            ? null
            : new Test(
                test.id(),
                test.at(),
                test.state().name().toLowerCase(java.util.Locale.ROOT),
                test.reason()));
  }

  /// Runs a change while no other one runs.
  public <T> T alone(Supplier<T> change) {
    changing.lock();
    try {
      load();
      return change.get();
    } finally {
      changing.unlock();
    }
  }

  /// Adds a target.
  ///
  /// @throws VasaException (InvalidArgument) if there are too many, or its authorities are none
  public Known add(Target target) {
    return alone(
        () -> {
          if (places.size() >= settings.targets()) {
            throw VasaException.invalidArgument(
                "expected at most %d alert targets (coppice.alerts.delivery.targets), got one more"
                    .formatted(settings.targets()));
          }
          return put(target, "AlertTargetNew", ChangeKind.NEW);
        });
  }

  /// Changes a target. What waits for it goes on to what it is then.
  ///
  /// @throws VasaException as [#require] and [#add]
  public Known change(UUID id, UnaryOperator<Target> how) {
    return alone(
        () -> {
          Target before = require(id).target();
          Target after = how.apply(before);
          return after.equals(before)
              ? require(id)
              : put(after, "AlertTargetUpdate", ChangeKind.UPDATE);
        });
  }

  private Known put(Target target, String message, ChangeKind kind) {
    Carrier carrier = carrier(target);
    try {
      transactions.executeWithoutResult(
          _ -> {
            rows.save(target);
            changes.append(event(target, message, kind));
          });
    } catch (RuntimeException e) {
      carrier.close();
      throw e;
    }
    Place before = places.get(target.id());
    stop(before);
    start(target, before == null ? new Outbox(settings.queue()) : before.outbox(), carrier);
    return require(target.id());
  }

  /// Removes a target with what waits for it.
  ///
  /// @throws VasaException as [#require]
  public void delete(UUID id) {
    alone(
        () -> {
          Target target = require(id).target();
          transactions.executeWithoutResult(
              _ -> {
                rows.delete(id);
                changes.append(event(target, "AlertTargetDelete", ChangeKind.DELETE));
              });
          stop(places.remove(id));
          return id;
        });
  }

  /// Asks for a test, which a courier makes as soon as it can; [#find] tells what became of it.
  ///
  /// @throws VasaException as [#require], (InvalidArgument) if the target is off
  public Known test(UUID id) {
    return alone(
        () -> {
          Place place = places.get(require(id).target().id());
          if (place == null || place.courier() == null) {
            throw VasaException.invalidArgument(
                "expected an alert target that is enabled, but %s is not".formatted(id));
          }
          changes.append(event(place.target(), "AlertTargetTested", ChangeKind.UPDATE));
          place.outbox().addTest(Message.test(UUID.randomUUID(), id, clock.instant()));
          return known(place);
        });
  }

  private static NewChange event(Target target, String message, ChangeKind kind) {
    return NewChange.of(
        ChangeTopic.CONFIG,
        kind,
        new NewChange.Subject(ObjectType.ALERT_TARGET, target.id().toString(), message),
        Map.of("name", target.name(), "target", target.id().toString()));
  }

  private Carrier carrier(Target target) {
    try {
      return switch (target.way()) {
        case Target.Webhook webhook -> new WebhookCarrier(target, webhook.url(), settings, clock);
        case Target.Mail mail -> new MailCarrier(target, mail, settings);
      };
    } catch (IOException e) {
      throw VasaException.invalidArgument(String.valueOf(e.getMessage())).about("ca");
    }
  }

  private void start(Target target, Outbox outbox, Carrier carrier) {
    Duration interval =
        target.way() instanceof Target.Mail ? settings.mailInterval() : Duration.ZERO;
    Courier courier = null;
    if (target.enabled() && !closed) {
      courier = new Courier(target, outbox, carrier, settings, interval, clock);
    } else {
      carrier.close();
    }
    places.put(target.id(), new Place(target, outbox, courier));
  }

  private static void stop(@Nullable Place place) {
    if (place != null && place.courier() != null) {
      place.courier().close();
    }
  }

  /// Reads targets and messages at the first call.
  @Override
  public void load() {
    if (loaded) {
      return;
    }
    changing.lock();
    try {
      if (!loaded) {
        for (Target target : rows.all()) {
          Outbox outbox = new Outbox(settings.queue());
          outbox.restore(rows.waiting(target.id()));
          start(target, outbox, carrierOf(target));
        }
        loaded = true;
      }
    } finally {
      changing.unlock();
    }
  }

  /// The carrier of a target that was read. One that cannot be made, as by an older Java, fails at
  /// each attempt instead of at the start.
  private Carrier carrierOf(Target target) {
    try {
      return carrier(target);
    } catch (RuntimeException e) {
      return new Broken(String.valueOf(e.getMessage()));
    }
  }

  private record Broken(String reason) implements Carrier {
    @Override
    public int most() {
      return 1;
    }

    @Override
    public void carry(List<Message> messages) throws IOException {
      throw new IOException(reason);
    }

    @Override
    public void close() {
      // there is nothing
    }
  }

  @Override
  public boolean isReady() {
    return loaded;
  }

  @Override
  public void raised(Alert alert) {
    tell(Message.Event.RAISED, alert);
  }

  @Override
  public void resolved(Alert alert) {
    tell(Message.Event.RESOLVED, alert);
  }

  private void tell(Message.Event event, Alert alert) {
    Instant now = clock.instant();
    for (Place place : places.values()) {
      Target target = place.target();
      if (target.enabled() && alert.severity().compareTo(target.least()) >= 0) {
        place
            .outbox()
            .add(
                Message.of(
                    event, alert, texts.of(alert), target.id(), place.outbox().place(), now));
      }
    }
  }

  /// Writes new messages and removes those that are done.
  @Override
  public void save() {
    for (Place place : places.values()) {
      Outbox.Unsaved unsaved = place.outbox().unsaved();
      if (!unsaved.added().isEmpty() || !unsaved.done().isEmpty()) {
        transactions.executeWithoutResult(
            _ -> {
              rows.remove(unsaved.done());
              rows.add(unsaved.added());
            });
        place.outbox().saved(unsaved);
      }
    }
  }

  @Override
  public String name() {
    return "delivery";
  }

  @Override
  public boolean needsDatabase() {
    return false;
  }

  @Override
  public List<AlertFinding> look() {
    List<AlertFinding> findings = new ArrayList<>();
    for (Place place : places.values()) {
      Outbox.State state = place.outbox().state();
      String reason = state.obstacle();
      if (place.courier() != null && reason != null && state.failures() >= FAILURES) {
        Target target = place.target();
        findings.add(
            new AlertFinding(
                "delivery:" + target.id(),
                AlertSeverity.WARNING,
                new AlertSubject("alert-target", target.id().toString(), target.name(), null),
                "AlertsUndelivered",
                Map.of("target", target.name(), "what", reason, "waiting", "" + state.waiting())));
      }
    }
    return findings;
  }

  /// Ends all couriers; what waits is sent after the next start.
  @Override
  public void close() {
    closed = true;
    places.values().forEach(AlertTargets::stop);
  }
}
