package io.coppice.vasa.protection;

import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeLog;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.protection.continuous.ContinuousProtection;
import io.coppice.vasa.protection.continuous.TierColumns;
import io.coppice.vasa.protection.rule.ContinuousRule;
import io.coppice.vasa.protection.rule.ProtectionRule;
import io.coppice.vasa.protection.rule.ProtectionRules;
import io.coppice.vasa.protection.rule.RuleLimits;
import io.coppice.vasa.time.TimeText;
import io.coppice.vasa.volume.snapshot.LockLimit;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionOperations;

/// The protection policies. Each change is one transaction. Groups follow a changed policy from
/// their next look on.
@Service
public final class ProtectionPolicies {

  /// Longest name, in characters.
  public static final int MAX_NAME_LENGTH = 80;

  /// Longest description, in characters.
  public static final int MAX_DESCRIPTION_LENGTH = 1000;

  private static final ProtectionRules NO_RULES = new ProtectionRules(List.of());

  private final JdbcClient jdbc;
  private final RuleRows rules;
  private final ChangeLog changes;
  private final ContinuousProtection continuous;
  private final TransactionOperations transactions;
  private final RuleLimits limits;
  private final LockLimit lock;
  private final InstantSource clock;

  public ProtectionPolicies(
      JdbcClient jdbc,
      TransactionOperations transactions,
      RuleLimits limits,
      LockLimit lock,
      ContinuousProtection continuous,
      InstantSource clock) {
    this.lock = lock;
    this.continuous = continuous;
    this.jdbc = jdbc;
    this.rules = new RuleRows(jdbc);
    this.changes = new ChangeLog(jdbc, clock);
    this.transactions = transactions;
    this.limits = limits;
    this.clock = clock;
  }

  /// @param author the one who makes it
  /// @throws VasaException (InvalidArgument) if the name is empty, too long or taken, the
  ///   description too long, the rules beyond the limits, or there is neither a rule nor a tier
  public ProtectionPolicy create(ProtectionDraft draft, String author) {
    check(draft);
    Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
    ProtectionPolicy policy =
        new ProtectionPolicy(
            UUID.randomUUID(),
            draft.name(),
            draft.description(),
            draft.rules(),
            draft.continuous(),
            draft.watch(),
            1,
            author,
            now);
    inTransaction(
        draft,
        () -> {
          jdbc.sql(
                  """
                  insert into protection_policy (id, name, description, generation, author, created_at,
                                                 watch_alert, watch_lock_s, tier_every_s, tier_keep_s)
                  values (:id, :name, :description, 1, :author, :created, :alert, :lock, :every, :keep)
                  """)
              .param("id", policy.id())
              .param("name", policy.name())
              .param("description", policy.description())
              .param("author", author)
              .param("created", now.atOffset(ZoneOffset.UTC))
              .param("alert", draft.watch().alert())
              .param("lock", lockSeconds(draft.watch()), Types.BIGINT)
              .param("every", TierColumns.every(draft.continuous()))
              .param("keep", TierColumns.keep(draft.continuous()))
              .update();
          rules.replace(policy.id(), policy.rules());
          changes.append(ProtectionChanges.of(policy, ChangeKind.NEW));
        });
    return policy;
  }

  /// Replaces a policy by its next generation. Groups that it protects are looked at at once.
  ///
  /// @param generation the one that the caller read
  /// @throws VasaException (NotFound) if it is unknown; (ResourceInUse) if it has another
  ///   generation by now; otherwise as [#create]
  public ProtectionPolicy update(UUID id, long generation, ProtectionDraft draft) {
    check(draft);
    inTransaction(
        draft,
        () -> {
          require(id);
          int updated =
              jdbc.sql(
                      """
                      update protection_policy
                         set name = :name, description = :description, generation = generation + 1,
                             watch_alert = :alert, watch_lock_s = :lock,
                             tier_every_s = :every, tier_keep_s = :keep
                       where id = :id and generation = :generation
                      """)
                  .param("id", id)
                  .param("generation", generation)
                  .param("name", draft.name())
                  .param("description", draft.description())
                  .param("alert", draft.watch().alert())
                  .param("lock", lockSeconds(draft.watch()), Types.BIGINT)
                  .param("every", TierColumns.every(draft.continuous()))
                  .param("keep", TierColumns.keep(draft.continuous()))
                  .update();
          if (updated != 1) {
            throw new VasaException(
                new Fault.ResourceInUse(),
                "expected generation %d of protection policy %s, which has another one by now"
                    .formatted(generation, id));
          }
          rules.replace(id, draft.rules());
          jdbc.sql(
                  """
                  update protection_group set look_at = handled_at, revision = revision + 1
                   where policy_id = :id
                  """)
              .param("id", id)
              .update();
          changes.append(ProtectionChanges.of(require(id), ChangeKind.UPDATE));
        });
    continuous.wake();
    return require(id);
  }

  private static @Nullable Long lockSeconds(WatchRule watch) {
    return watch.lock().isZero() ? null : watch.lock().toSeconds();
  }

  /// @throws VasaException (NotFound) if it is unknown; (ResourceInUse) while it protects a group
  public void delete(UUID id) {
    try {
      transactions.executeWithoutResult(
          _ -> {
            ProtectionPolicy before = require(id);
            jdbc.sql("delete from protection_policy where id = :id").param("id", id).update();
            changes.append(ProtectionChanges.of(before, ChangeKind.DELETE));
          });
    } catch (DataIntegrityViolationException e) {
      throw new VasaException(
          new Fault.ResourceInUse(),
          "expected a protection policy that protects nothing, but %s protects a group"
              .formatted(id),
          e);
    }
  }

  /// @throws VasaException (NotFound) if it is unknown
  public ProtectionPolicy require(UUID id) {
    return find(id).orElseThrow(() -> unknown(id));
  }

  public Optional<ProtectionPolicy> find(UUID id) {
    return list("where id = :id", Map.of("id", id)).stream().findFirst();
  }

  /// Those of some ids, by id; unknown ones are left out.
  public Map<UUID, ProtectionPolicy> find(Collection<UUID> ids) {
    return list("where id = any(:ids)", Map.of("ids", ids.toArray(UUID[]::new))).stream()
        .collect(Collectors.toMap(ProtectionPolicy::id, Function.identity()));
  }

  /// All of them, by name.
  public List<ProtectionPolicy> list() {
    return list("order by name", Map.of());
  }

  private List<ProtectionPolicy> list(String where, Map<String, ?> parameters) {
    List<Row> found =
        jdbc.sql("select * from protection_policy " + where)
            .params(parameters)
            .query(ProtectionPolicies::row)
            .list();
    Map<UUID, ProtectionRules> own = rules.of(found.stream().map(Row::id).toList());
    return found.stream()
        .map(row -> policy(row, own.getOrDefault(row.id(), NO_RULES)))
        // else it was deleted between the two statements
        .filter(one -> !one.rules().rules().isEmpty() || !one.continuous().isEmpty())
        .toList();
  }

  /// A policy's row without its rules.
  private record Row(
      UUID id,
      String name,
      String description,
      ContinuousRule continuous,
      WatchRule watch,
      long generation,
      String author,
      Instant created) {}

  private static Row row(ResultSet row, int number) throws SQLException {
    return new Row(
        Objects.requireNonNull(row.getObject("id", UUID.class)),
        row.getString("name"),
        row.getString("description"),
        TierColumns.read(row),
        new WatchRule(
            row.getBoolean("watch_alert"), Duration.ofSeconds(row.getLong("watch_lock_s"))),
        row.getLong("generation"),
        row.getString("author"),
        row.getObject("created_at", OffsetDateTime.class).toInstant());
  }

  private static ProtectionPolicy policy(Row row, ProtectionRules rules) {
    return new ProtectionPolicy(
        row.id(),
        row.name(),
        row.description(),
        rules,
        row.continuous(),
        row.watch(),
        row.generation(),
        row.author(),
        row.created());
  }

  /// @throws VasaException as [#create], but for a name that is taken
  void check(ProtectionDraft draft) {
    if (draft.name().isBlank() || draft.name().length() > MAX_NAME_LENGTH) {
      throw VasaException.invalidArgument(
              "expected a policy name of 1 to %d characters, got %d"
                  .formatted(MAX_NAME_LENGTH, draft.name().length()))
          .about("name");
    }
    if (draft.description().length() > MAX_DESCRIPTION_LENGTH) {
      throw VasaException.invalidArgument(
              "expected a description of at most %d characters, got %d"
                  .formatted(MAX_DESCRIPTION_LENGTH, draft.description().length()))
          .about("description");
    }
    if (draft.rules().rules().isEmpty() && draft.continuous().isEmpty()) {
      throw VasaException.invalidArgument(
              "expected at least one rule or a tier of continuous points, got neither")
          .about("rules");
    }
    try {
      draft.rules().check(limits);
      checkLocks(draft.rules());
    } catch (VasaException e) {
      throw e.about("rules");
    }
    checkWatch(draft.watch());
  }

  private void checkWatch(WatchRule watch) {
    Duration wanted = watch.lock();
    Duration longest = lock.longest();
    if (wanted.isNegative() || wanted.getNano() != 0 || wanted.compareTo(longest) > 0) {
      throw VasaException.invalidArgument(
              "expected lockSnapshotFor of the watch in whole seconds, at most %s, the longest lock that is allowed, got %s"
                  .formatted(longest, wanted))
          .about("watch");
    }
  }

  private void checkLocks(ProtectionRules wanted) {
    Duration longest = lock.longest();
    for (ProtectionRule rule : wanted.rules()) {
      if (rule.lock().compareTo(longest) > 0) {
        throw VasaException.invalidArgument(
            "expected a lock of rule '%s' of at most %s, the longest one that is allowed, got %s"
                .formatted(rule.name(), TimeText.iso(longest), TimeText.iso(rule.lock())));
      }
    }
  }

  private void inTransaction(ProtectionDraft draft, Runnable change) {
    try {
      transactions.executeWithoutResult(_ -> change.run());
    } catch (DuplicateKeyException e) {
      throw new VasaException(
              new Fault.InvalidArgument(),
              "expected an unused policy name, but '%s' is taken".formatted(draft.name()),
              e)
          .about("name");
    }
  }

  private static VasaException unknown(UUID id) {
    return VasaException.notFound("there is no protection policy " + id);
  }
}
