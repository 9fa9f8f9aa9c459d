package io.coppice.vasa.policy;

import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.EventLog;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.NewEvent;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/// The profiles that the array offers, and the default profiles of containers. Each change is one
/// transaction.
///
/// Beside the profiles of administrators there is always [#everything], which contains what
/// policies may ask for at all. Without it no policy of vCenter would find a container that
/// matches.
///
/// A changed profile does not change the volumes that have it. They keep the edition they were
/// given until the policy is applied again.
@Service
public final class Profiles {

  /// Id of the profile with everything that the array can do.
  public static final String EVERYTHING = "6f4b8f0e-5a35-4b0c-9d86-1c0f9f4e3a52";

  /// Longest name, in characters.
  public static final int MAX_NAME_LENGTH = 80;

  private final ProfileRepository rows;
  private final TransactionOperations transactions;
  private final EventLog events;
  private final ChangeLog changes;
  private final InstantSource clock;

  public Profiles(
      JdbcClient jdbc, TransactionOperations transactions, EventLog events, InstantSource clock) {
    this.rows = new ProfileRepository(jdbc);
    this.events = events;
    this.changes = new ChangeLog(jdbc, clock);
    this.transactions = transactions;
    this.clock = clock;
  }

  /// The abilities of the array, as a profile.
  public static StorageProfile everything() {
    return new StorageProfile(
        EVERYTHING,
        "Coppice",
        "Everything that this array can do",
        1,
        "Coppice",
        Instant.EPOCH,
        List.of(new SubProfile("everything", Capabilities.offered())));
  }

  /// @param author the one who makes it
  /// @throws VasaException (InvalidArgument) if the name is empty, too long or taken, or a
  ///   container is unknown; (InvalidProfile) if it cannot be met
  public OfferedProfile create(ProfileDraft draft, String author) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    OfferedProfile profile = of(UUID.randomUUID().toString(), draft, 1, author, now);
    return changed(
        profile,
        () -> {
          rows.insert(profile);
          report(ChangeKind.NEW, profile, List.of(profile.containers()));
          return profile;
        });
  }

  /// Replaces a profile by its next generation.
  ///
  /// @param generation the one that the caller read
  /// @throws VasaException (NotFound) if it is unknown; (ResourceInUse) if it has another
  ///   generation by now; otherwise as [#create]
  public OfferedProfile update(String id, long generation, ProfileDraft draft) {
    OfferedProfile before = require(id);
    OfferedProfile profile = of(id, draft, generation + 1, before.author(), before.created());
    return changed(
        profile,
        () -> {
          if (!rows.update(profile)) {
            throw new VasaException(
                new Fault.ResourceInUse(),
                "expected generation %d of profile %s, which has another one by now"
                    .formatted(generation, id));
          }
          report(ChangeKind.UPDATE, profile, List.of(before.containers(), profile.containers()));
          return profile;
        });
  }

  /// The edition that [#update] would make of a profile now. Nothing changes.
  ///
  /// @throws VasaException (NotFound) if it is unknown; (InvalidArgument) if the name is empty or
  ///   too long; (InvalidProfile) if it cannot be met
  public OfferedProfile next(String id, ProfileDraft draft) {
    OfferedProfile before = require(id);
    return of(id, draft, before.generation() + 1, before.author(), before.created());
  }

  /// Takes a profile out of the offer. Volumes that have it keep what they were given.
  ///
  /// @throws VasaException (NotFound) if it is unknown; (ResourceInUse) if it is a default
  public void delete(String id) {
    try {
      transactions.executeWithoutResult(
          _ -> {
            OfferedProfile before = require(id);
            if (!rows.delete(id)) {
              throw unknown(id);
            }
            report(ChangeKind.DELETE, before, List.of(before.containers()));
          });
    } catch (DataIntegrityViolationException e) {
      throw new VasaException(
          new Fault.ResourceInUse(),
          "expected a profile that is no container's default, but %s is".formatted(id),
          e);
    }
  }

  public Optional<OfferedProfile> find(String id) {
    return rows.find(id);
  }

  /// @throws VasaException (NotFound) if it is unknown
  public OfferedProfile require(String id) {
    return rows.find(id).orElseThrow(() -> unknown(id));
  }

  /// Profiles that administrators made, by name.
  public List<OfferedProfile> list() {
    return rows.list();
  }

  /// All profiles that are offered, [#everything] first.
  public List<StorageProfile> offered() {
    List<StorageProfile> offered = new ArrayList<>(List.of(everything()));
    rows.list().forEach(profile -> offered.add(profile.asStorageProfile()));
    return offered;
  }

  /// @param id as it came; null names none
  /// @throws VasaException (NotFound) if it is not offered
  public StorageProfile requireOffered(@Nullable String id) {
    if (id == null) {
      throw VasaException.notFound("expected the id of a storage profile, got none");
    }
    return id.equals(EVERYTHING) ? everything() : require(id).asStorageProfile();
  }

  /// The offered profiles of `ids`, in their order.
  ///
  /// @throws VasaException (NotFound) if one is not offered
  public List<StorageProfile> requireOffered(List<String> ids) {
    Map<String, StorageProfile> offered = byId();
    List<StorageProfile> found = new ArrayList<>();
    for (String id : ids) {
      StorageProfile profile = offered.get(id);
      if (profile == null) {
        throw unknown(id);
      }
      found.add(profile);
    }
    return found;
  }

  private Map<String, StorageProfile> byId() {
    Map<String, StorageProfile> offered = new HashMap<>();
    offered().forEach(profile -> offered.put(profile.id(), profile));
    return offered;
  }

  /// Ids of the profiles offered in containers, by container in their order.
  public Map<UUID, List<String>> offeredIn(List<UUID> containers) {
    List<OfferedProfile> all = rows.list();
    Map<UUID, List<String>> offered = new LinkedHashMap<>();
    for (UUID container : containers) {
      List<String> ids = new ArrayList<>(List.of(EVERYTHING));
      all.stream()
          .filter(profile -> profile.isOfferedIn(container))
          .forEach(profile -> ids.add(profile.id()));
      offered.put(container, ids);
    }
    return offered;
  }

  /// Sets the profile of new volumes of a type that come without one.
  ///
  /// @param profile null for nothing
  /// @throws VasaException (NotFound) if the profile is unknown; (InvalidProfile) if it is not
  ///   offered in the container
  public void setDefault(UUID container, String type, @Nullable String profile) {
    if (profile != null && !require(profile).isOfferedIn(container)) {
      throw new VasaException(
          new Fault.InvalidProfile(),
          "profile %s is not offered in container %s".formatted(profile, container));
    }
    transactions.executeWithoutResult(
        _ -> {
          String before = rows.defaults(container).get(type);
          rows.setDefault(container, type, profile);
          if (!Objects.equals(before, profile)) {
            noteDefault(container, type, profile);
          }
        });
  }

  private void noteDefault(UUID container, String type, @Nullable String profile) {
    changes.append(
        NewChange.of(
                ChangeTopic.POLICY,
                ChangeKind.UPDATE,
                new NewChange.Subject(
                    ObjectType.STORAGE_CONTAINER,
                    container.toString(),
                    profile == null ? "DefaultPolicyCleared" : "DefaultPolicySet"),
                Map.of(
                    "container",
                    container.toString(),
                    "type",
                    type,
                    "policy",
                    profile == null ? "" : "%s (%s)".formatted(require(profile).name(), profile)))
            .in(container));
  }

  /// Defaults of a container by volume type.
  public Map<String, StorageProfile> defaults(UUID container) {
    Map<String, StorageProfile> offered = byId();
    Map<String, StorageProfile> defaults = new LinkedHashMap<>();
    rows.defaults(container)
        .forEach(
            (type, profile) -> {
              StorageProfile found = offered.get(profile);
              if (found != null) { // else it was deleted between the two statements
                defaults.put(type, found);
              }
            });
    return defaults;
  }

  /// The profile of a new volume.
  ///
  /// @param asked the profile it comes with; null for the container's default
  /// @return empty if there is neither
  /// @throws VasaException (InvalidProfile) if it is one of the array's, but not offered there
  public Optional<StorageProfile> forNewVolume(
      UUID container, String type, @Nullable StorageProfile asked) {
    if (asked == null) {
      return Optional.ofNullable(rows.defaults(container).get(type))
          .map(id -> require(id).asStorageProfile());
    }
    if (rows.find(asked.id()).filter(own -> !own.isOfferedIn(container)).isPresent()) {
      throw new VasaException(
          new Fault.InvalidProfile(),
          "profile '%s' is not offered in container %s".formatted(asked.name(), container));
    }
    return Optional.of(asked);
  }

  /// @param offered the containers where it was or is offered; an empty set stands for everywhere
  private void report(ChangeKind change, OfferedProfile profile, List<Set<UUID>> offered) {
    boolean everywhere = offered.stream().anyMatch(Set::isEmpty);
    events.append(
        NewEvent.profile(change, profile.id())
            .in(
                everywhere
                    ? Set.of()
                    : offered.stream()
                        .flatMap(Set::stream)
                        .collect(Collectors.toUnmodifiableSet())),
        Map.of("name", profile.name(), "generation", Long.toString(profile.generation())));
  }

  private OfferedProfile of(
      String id, ProfileDraft draft, long generation, String author, Instant created) {
    if (draft.name().isBlank() || draft.name().length() > MAX_NAME_LENGTH) {
      throw VasaException.invalidArgument(
              "expected a profile name of 1 to %d characters, got %d"
                  .formatted(MAX_NAME_LENGTH, draft.name().length()))
          .about("name");
    }
    OfferedProfile profile =
        new OfferedProfile(
            id,
            draft.name(),
            draft.description(),
            generation,
            author,
            created,
            draft.requirements(),
            draft.containers());
    Capabilities.requirementsOf(profile.asStorageProfile());
    return profile;
  }

  private OfferedProfile changed(OfferedProfile profile, Supplier<OfferedProfile> change) {
    try {
      return Objects.requireNonNull(transactions.execute(_ -> change.get()));
    } catch (DuplicateKeyException e) {
      throw new VasaException(
              new Fault.InvalidArgument(),
              "expected an unused profile name, but '%s' is taken".formatted(profile.name()),
              e)
          .about("name");
    } catch (DataIntegrityViolationException e) {
      throw new VasaException(
              new Fault.InvalidArgument(),
              "expected known containers, got %s".formatted(profile.containers()),
              e)
          .about("containers");
    }
  }

  private static VasaException unknown(String id) {
    return VasaException.notFound("there is no storage profile " + id);
  }
}
