package io.coppice.vasa.container;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeSpec;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.EventLog;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.NewEvent;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.step.Step;
import io.coppice.vasa.step.StepObserver;
import io.coppice.vasa.time.TimeText;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/// The storage containers. Each change is one transaction, with its event.
///
/// The pool remembers them too, so that they outlive the database. A record is written after its
/// row is committed, and removed before the row is. So a record without a row always means that the
/// row was lost, and [#agreeWithPool] mends what a crash leaves behind. The same holds for the
/// record of a limit. It names no registration, because these are lost with the database. A
/// container whose limit was lost is offered to nobody until an administrator names registrations
/// anew.
@Service
public final class Containers {

  /// Longest name, in characters.
  public static final int MAX_NAME_LENGTH = 80;

  /// Smallest quota, in bytes.
  public static final long MIN_QUOTA_IN_BYTES = 1L << 20;

  /// Longest time in the recycle bin.
  public static final Duration LONGEST_BIN_TIME = Duration.ofDays(365);

  /// Largest virtual volume, in bytes.
  public static final long MAX_VOLUME_SIZE_IN_BYTES = VolumeSpec.MAX_SIZE_IN_BYTES;

  private static final Logger log = LoggerFactory.getLogger(Containers.class);

  private final ContainerRepository rows;
  private final OfferRepository offers;
  private final ContainerRecords records;
  private final EventLog events;
  private final ChangeLog changes;
  private final TransactionOperations transactions;
  private final InstantSource clock;
  private final StepObserver observer;

  public Containers(
      StorageEngine engine,
      JdbcClient jdbc,
      TransactionOperations transactions,
      EventLog events,
      InstantSource clock,
      StepObserver observer) {
    this.rows = new ContainerRepository(jdbc);
    this.offers = new OfferRepository(jdbc);
    this.records = new ContainerRecords(engine.records());
    this.transactions = transactions;
    this.events = events;
    this.changes = new ChangeLog(jdbc, clock);
    this.clock = clock;
    this.observer = observer;
  }

  /// @throws VasaException (InvalidArgument) if the name is empty, too long or taken, or the quota
  ///   is below [#MIN_QUOTA_IN_BYTES]
  public StorageContainer create(String name, long quotaInBytes) {
    return create(name, quotaInBytes, null);
  }

  /// @param binTime how long what is deleted from it stays in the recycle bin; null: as the setting
  ///   says
  /// @throws VasaException (InvalidArgument) as [#create(String, long)] and [#checkBinTime]
  public StorageContainer create(String name, long quotaInBytes, @Nullable Duration binTime) {
    if (binTime != null) {
      checkBinTime(binTime);
    }
    return insert(new StorageContainer(UUID.randomUUID(), name, quotaInBytes, now(), binTime));
  }

  /// Makes a row, or the pool's record, for a container that only volumes still name.
  ///
  /// @param quotaInBytes its quota if the pool does not remember one
  public StorageContainer adopt(UUID id, long quotaInBytes) {
    return adopt(
        records.find(id).orElseGet(() -> new StorageContainer(id, "", quotaInBytes, now())));
  }

  private StorageContainer adopt(StorageContainer known) {
    boolean taken = rows.list().stream().anyMatch(row -> row.name().equals(known.name()));
    return insert(
        new StorageContainer(
            known.id(),
            taken || known.name().isBlank() ? "adopted-" + known.id() : known.name(),
            Math.max(MIN_QUOTA_IN_BYTES, known.quotaInBytes()),
            known.created(),
            known.binTime()));
  }

  /// Restores a lost limit in the transaction that makes the row: nobody sees the container before.
  private void agreeOnLimit(UUID id) {
    if (records.isLimited(id) && !offers.isLimited(id)) {
      offers.limit(id, List.of());
      log.atWarn()
          .addKeyValue("container", id)
          .log("the database had lost to whom this container is limited: it is offered to nobody");
    }
  }

  /// Makes rows for containers that only the pool knows, and records of the others in it.
  ///
  /// @return the containers that have a row again
  public List<StorageContainer> agreeWithPool() {
    List<StorageContainer> adopted = new ArrayList<>();
    for (StorageContainer known : records.all()) {
      if (rows.find(known.id()).isEmpty()) {
        adopted.add(adopt(known));
      }
    }
    for (StorageContainer container : rows.list()) {
      records.put(container);
      agreeOnLimit(container.id());
      records.putLimit(container.id(), offers.isLimited(container.id()));
    }
    offers.forgetGone();
    return adopted;
  }

  /// @throws VasaException (NotFound) if it is unknown; (InvalidArgument) as [#create]
  public StorageContainer update(UUID id, String name, long quotaInBytes) {
    check(name, quotaInBytes);
    try {
      transactions.executeWithoutResult(
          _ -> {
            StorageContainer before = require(id);
            if (!rows.update(id, name, quotaInBytes)) {
              throw unknown(id.toString());
            }
            noteUpdate(before, name, quotaInBytes);
          });
    } catch (DuplicateKeyException e) {
      throw nameTaken(name, e);
    }
    observer.reached("CONTAINER", Step.IN_ROWS);
    StorageContainer container = require(id);
    records.put(container);
    observer.reached("CONTAINER", Step.IN_POOL);
    return container;
  }

  /// Sets how long what is deleted from a container stays in the recycle bin, at once. What is
  /// there already stays as long as before. A lower time that waits is given up.
  ///
  /// @param time zero for not at all; null: as the setting says
  /// @throws VasaException (NotFound) if it is unknown; (InvalidArgument) as [#checkBinTime]
  public StorageContainer setBinTime(UUID id, @Nullable Duration time) {
    if (time != null) {
      checkBinTime(time);
    }
    transactions.executeWithoutResult(
        _ -> {
          rows.lock(id);
          StorageContainer before = require(id);
          if (!rows.setBinTime(id, time)) {
            throw unknown(id.toString());
          }
          if (!Objects.equals(before.binTime(), time)) {
            noteBinTime(before, time);
          } else if (before.lowerBinTime() != null) {
            note(before, "ContainerBinTimeKept", Map.of());
          }
        });
    observer.reached("CONTAINER", Step.IN_ROWS);
    StorageContainer container = require(id);
    records.put(container);
    observer.reached("CONTAINER", Step.IN_POOL);
    return container;
  }

  /// Notes a lower time that counts later, in the caller's transaction. One that waits already is
  /// replaced. The pool is not told: if the database is lost, the container keeps its time.
  ///
  /// @param lower from the container as it is now, which nobody changes meanwhile
  /// @param shown from the moment of it to that of the machine's clock
  /// @throws VasaException (NotFound) if it is unknown
  public void setLowerBinTime(
      UUID id, Function<StorageContainer, LowerBinTime> lower, UnaryOperator<Instant> shown) {
    rows.lock(id);
    StorageContainer container = require(id);
    LowerBinTime later = lower.apply(container);
    rows.setLowerBinTime(id, later);
    String at = shown.apply(later.at()).truncatedTo(ChronoUnit.SECONDS).toString();
    note(container, "ContainerBinTimeLater", Map.of("time", text(later.time()), "at", at));
  }

  /// Sets the lower times that count by now. A crash between a row and its record leaves the longer
  /// time in the pool, which [#agreeWithPool] mends.
  ///
  /// @param now by the time that has passed
  /// @return the number
  public int lowerBinTimes(Instant now) {
    int lowered = 0;
    for (UUID id : rows.lowered(now)) {
      if (Boolean.TRUE.equals(transactions.execute(_ -> lowerBinTime(id, now)))) {
        records.put(require(id));
        lowered++;
      }
    }
    return lowered;
  }

  private boolean lowerBinTime(UUID id, Instant now) {
    rows.lock(id);
    StorageContainer container = require(id);
    LowerBinTime lower = container.lowerBinTime();
    if (lower == null || lower.at().isAfter(now)) { // somebody was faster
      return false;
    }
    rows.setBinTime(id, lower.time());
    noteBinTime(container, lower.time());
    return true;
  }

  /// @throws VasaException (InvalidArgument) if it is negative, longer than [#LONGEST_BIN_TIME] or
  ///   has a part of a second
  public static void checkBinTime(Duration time) {
    if (time.isNegative() || time.compareTo(LONGEST_BIN_TIME) > 0 || time.getNano() != 0) {
      throw VasaException.invalidArgument(
              "expected a time in the recycle bin of zero to %d days in whole seconds, got %s"
                  .formatted(LONGEST_BIN_TIME.toDays(), TimeText.iso(time)))
          .about("binTime");
    }
  }

  private void noteBinTime(StorageContainer container, @Nullable Duration time) {
    note(container, "ContainerBinTime", Map.of("time", text(time)));
  }

  private static String text(@Nullable Duration time) {
    return time == null ? "as long as the setting says" : TimeText.iso(time);
  }

  private void note(StorageContainer container, String message, Map<String, String> more) {
    String id = container.id().toString();
    Map<String, String> parameters = new HashMap<>(more);
    parameters.put("name", container.name());
    parameters.put("container", id);
    changes.append(
        NewChange.of(
                ChangeTopic.CONFIG,
                ChangeKind.UPDATE,
                new NewChange.Subject(ObjectType.STORAGE_CONTAINER, id, message),
                parameters)
            .in(container.id()));
  }

  /// @throws VasaException (NotFound) if it is unknown; (ResourceInUse) if it has volumes, also in
  ///   the recycle bin or out of use in a replication group
  public void delete(UUID id) {
    try {
      transactions.executeWithoutResult(
          _ -> {
            StorageContainer before = require(id);
            if (!rows.delete(id)) {
              throw unknown(id.toString());
            }
            records.remove(id);
            records.putLimit(id, false);
            observer.reached("CONTAINER", Step.IN_POOL);
            events.append(NewEvent.container(ChangeKind.DELETE, id), Map.of("name", before.name()));
          });
      observer.reached("CONTAINER", Step.IN_ROWS);
    } catch (DataIntegrityViolationException e) {
      throw new VasaException(
          new Fault.ResourceInUse(),
          "expected an empty storage container, but %s still has volumes, perhaps in the recycle bin or out of use in a replication group"
              .formatted(id),
          e);
    }
  }

  /// The registrations that each limited container is offered to; others are offered to all.
  public Map<UUID, List<UUID>> limits() {
    return offers.limits();
  }

  /// Limits a container to some registrations. For all others the container, its volumes and events
  /// about them do not exist from now on.
  ///
  /// @throws VasaException (NotFound) if the container is unknown; (InvalidArgument) if a
  ///   registration is unknown, or none is given registration is, or there is none
  public void limit(UUID id, Set<UUID> registrations) {
    require(id);
    List<UUID> unknown = offers.unknown(registrations);
    if (registrations.isEmpty() || !unknown.isEmpty()) {
      throw VasaException.invalidArgument(
              "expected ids of registrations, at least one, got "
                  + (registrations.isEmpty() ? "none" : "the unknown " + unknown))
          .about("registrations");
    }
    offer(id, () -> offers.limit(id, registrations));
    observer.reached("CONTAINER", Step.IN_ROWS);
    records.putLimit(id, true);
    observer.reached("CONTAINER", Step.IN_POOL);
  }

  /// Offers a container to all registrations again.
  ///
  /// @throws VasaException (NotFound) if it is unknown
  public void offerToAll(UUID id) {
    offer(
        id,
        () -> {
          offers.offerToAll(id);
          records.putLimit(id, false);
          observer.reached("CONTAINER", Step.IN_POOL);
        });
    observer.reached("CONTAINER", Step.IN_ROWS);
  }

  /// Changes an offer and reports it: registrations that lose the container learn that it went,
  /// those that gain it that it came. Administrators see one change.
  private void offer(UUID id, Runnable change) {
    transactions.executeWithoutResult(
        _ -> {
          offers.awaitTrust();
          StorageContainer container = require(id);
          Set<UUID> before = offers.seenBy(id);
          List<UUID> limit = offers.limits().get(id);
          change.run();
          Set<UUID> after = offers.seenBy(id);
          announce(ChangeKind.DELETE, id, before, after);
          announce(ChangeKind.NEW, id, after, before);
          noteOffer(container, limit, offers.limits().get(id));
        });
  }

  private void noteOffer(
      StorageContainer container, @Nullable List<UUID> before, @Nullable List<UUID> after) {
    if (!(before == null ? Set.of() : Set.copyOf(before))
            .equals(after == null ? Set.of() : Set.copyOf(after))
        || (before == null) != (after == null)) {
      String id = container.id().toString();
      changes.append(
          NewChange.of(
                  ChangeTopic.CONFIG,
                  ChangeKind.UPDATE,
                  new NewChange.Subject(
                      ObjectType.STORAGE_CONTAINER,
                      id,
                      after == null ? "ContainerOffered" : "ContainerLimited"),
                  Map.of("name", container.name(), "container", id, "registrations", "" + after))
              .in(container.id()));
    }
  }

  private void announce(ChangeKind change, UUID container, Set<UUID> whom, Set<UUID> notThese) {
    whom.stream()
        .filter(registration -> !notThese.contains(registration))
        .forEach(
            registration ->
                events.appendForClients(NewEvent.container(change, container).only(registration)));
  }

  public Optional<StorageContainer> find(UUID id) {
    return rows.find(id);
  }

  /// @throws VasaException (NotFound) if it is unknown
  public StorageContainer require(UUID id) {
    return rows.find(id).orElseThrow(() -> unknown(id.toString()));
  }

  /// The existing ones of `ids`, in their order.
  public List<StorageContainer> find(Collection<UUID> ids) {
    Map<UUID, StorageContainer> all = new HashMap<>();
    rows.list().forEach(container -> all.put(container.id(), container));
    return ids.stream().flatMap(id -> Stream.ofNullable(all.get(id))).toList();
  }

  /// The containers of `ids`, in their order.
  ///
  /// @throws VasaException (NotFound) if one is unknown
  public List<StorageContainer> require(Collection<UUID> ids) {
    List<StorageContainer> found = find(ids);
    Set<UUID> known = found.stream().map(StorageContainer::id).collect(Collectors.toSet());
    for (UUID id : ids) {
      if (!known.contains(id)) {
        throw unknown(id.toString());
      }
    }
    return found;
  }

  /// All containers, by name.
  public List<StorageContainer> list() {
    return rows.list();
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MICROS);
  }

  private StorageContainer insert(StorageContainer container) {
    check(container.name(), container.quotaInBytes());
    try {
      transactions.executeWithoutResult(
          _ -> {
            rows.insert(container);
            agreeOnLimit(container.id());
            events.append(
                NewEvent.container(ChangeKind.NEW, container.id()),
                Map.of(
                    "name", container.name(),
                    "quota", Long.toString(container.quotaInBytes())));
          });
    } catch (DuplicateKeyException e) {
      throw nameTaken(container.name(), e);
    }
    observer.reached("CONTAINER", Step.IN_ROWS);
    records.put(container);
    observer.reached("CONTAINER", Step.IN_POOL);
    return container;
  }

  /// Clients are told of every update, administrators only of those that change something.
  private void noteUpdate(StorageContainer before, String name, long quotaInBytes) {
    NewEvent event = NewEvent.container(ChangeKind.UPDATE, before.id());
    if (before.name().equals(name) && before.quotaInBytes() == quotaInBytes) {
      events.appendForClients(event);
    } else {
      events.append(
          event,
          Map.of(
              "name", name,
              "quota", Long.toString(quotaInBytes),
              "formerName", before.name(),
              "formerQuota", Long.toString(before.quotaInBytes())));
    }
  }

  private static void check(String name, long quotaInBytes) {
    if (name.isBlank() || name.length() > MAX_NAME_LENGTH) {
      throw VasaException.invalidArgument(
              "expected a container name of 1 to %d characters, got %d"
                  .formatted(MAX_NAME_LENGTH, name.length()))
          .about("name");
    }
    if (quotaInBytes < MIN_QUOTA_IN_BYTES) {
      throw VasaException.invalidArgument(
              "expected a container quota of at least %d bytes, got %d"
                  .formatted(MIN_QUOTA_IN_BYTES, quotaInBytes))
          .about("quota");
    }
  }

  private static VasaException nameTaken(String name, DuplicateKeyException cause) {
    return new VasaException(
            new Fault.InvalidArgument(),
            "expected an unused container name, but '%s' is taken".formatted(name),
            cause)
        .about("name");
  }

  private static VasaException unknown(String id) {
    return VasaException.notFound("there is no storage container " + id);
  }
}
