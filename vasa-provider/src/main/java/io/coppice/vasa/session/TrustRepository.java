package io.coppice.vasa.session;

import io.coppice.vasa.certificate.Pem;
import java.security.cert.CRLException;
import java.security.cert.CertificateException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Trust sets and claims in the database. Callers bring the transaction.
final class TrustRepository {

  private final JdbcClient jdbc;

  TrustRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// The owner of a name.
  ///
  /// @param certificates what the owner showed last, PEM, leaf first; empty if that is not known
  /// @param used when it did
  record Owner(UUID trustSet, String subject, String certificates, Instant used) {}

  /// Serialises all changes of trust until the transaction ends.
  void lock() {
    jdbc.sql("LOCK TABLE trust_set IN EXCLUSIVE MODE").update();
  }

  /// All sets, oldest first.
  List<TrustSet> sets() {
    Map<UUID, List<X509Certificate>> roots = new LinkedHashMap<>();
    jdbc.sql("SELECT id FROM trust_set ORDER BY created, id")
        .query(UUID.class)
        .list()
        .forEach(id -> roots.put(id, new ArrayList<>()));
    jdbc.sql("SELECT trust_set, pem FROM trust_root ORDER BY position")
        .query(
            row -> {
              add(roots, row.getObject(1, UUID.class), certificate(row.getString(2)));
            });
    Map<UUID, List<X509CRL>> lists = new LinkedHashMap<>();
    roots.keySet().forEach(id -> lists.put(id, new ArrayList<>()));
    jdbc.sql("SELECT trust_set, pem FROM revocation_list ORDER BY position")
        .query(
            row -> {
              add(lists, row.getObject(1, UUID.class), revocationList(row.getString(2)));
            });
    return roots.entrySet().stream()
        .map(e -> new TrustSet(e.getKey(), e.getValue(), lists.getOrDefault(e.getKey(), List.of())))
        .toList();
  }

  private static <T> void add(Map<UUID, List<T>> lists, UUID id, T value) {
    List<T> list = lists.get(id);
    if (list != null) {
      list.add(value);
    }
  }

  /// Inserts the set of a registration, or gives it these roots and lists. The set waits for its
  /// vCenter from now on.
  void register(TrustSet set, Instant now, String address) {
    jdbc.sql(
            """
            INSERT INTO trust_set (id, created, registered, registered_from)
            VALUES (:id, :now, :now, :address)
            ON CONFLICT (id) DO UPDATE SET registered = :now, registered_from = :address,
              awaits_vcenter = true, replaced_by = NULL
            """)
        .param("id", set.id())
        .param("now", Timestamp.from(now))
        .param("address", address)
        .update();
    save(set);
  }

  /// Gives a set these roots and lists.
  void save(TrustSet set) {
    jdbc.sql("DELETE FROM trust_root WHERE trust_set = ?").param(set.id()).update();
    jdbc.sql("DELETE FROM revocation_list WHERE trust_set = ?").param(set.id()).update();
    int position = 0;
    for (X509Certificate root : set.roots()) {
      jdbc.sql(
              """
              INSERT INTO trust_root (trust_set, position, fingerprint, pem) VALUES (?, ?, ?, ?)
              """)
          .params(set.id(), position++, Pem.fingerprint(root), Pem.of(root))
          .update();
    }
    for (X509CRL list : set.revocationLists()) {
      jdbc.sql("INSERT INTO revocation_list (trust_set, position, pem) VALUES (?, ?, ?)")
          .params(set.id(), position++, Pem.of(list))
          .update();
    }
  }

  void delete(UUID id) {
    jdbc.sql("DELETE FROM trust_set WHERE id = ?").param(id).update();
  }

  Optional<Owner> owner(String kind, String name) {
    return jdbc.sql(
            """
            SELECT trust_set, subject, certificates, used FROM claim WHERE kind = ? AND name = ?
            """)
        .params(kind, name)
        .query(
            (row, _) ->
                new Owner(
                    row.getObject(1, UUID.class),
                    row.getString(2),
                    row.getString(3),
                    row.getTimestamp(4).toInstant()))
        .optional();
  }

  /// Gives a name to an owner.
  void claim(String kind, String name, Owner owner) {
    jdbc.sql(
            """
            INSERT INTO claim (kind, name, trust_set, subject, certificates, since, used)
            VALUES (:kind, :name, :set, :subject, :certificates, :used, :used)
            ON CONFLICT (kind, name) DO UPDATE SET trust_set = :set, subject = :subject,
              certificates = :certificates, used = :used
            """)
        .param("kind", kind)
        .param("name", name)
        .param("set", owner.trustSet())
        .param("subject", owner.subject())
        .param("certificates", owner.certificates())
        .param("used", Timestamp.from(owner.used()))
        .update();
  }

  void forget(String kind, String name) {
    jdbc.sql("DELETE FROM claim WHERE kind = ? AND name = ?").params(kind, name).update();
  }

  /// Forgets the names of one kind that a subject claimed within a set.
  void forget(String kind, UUID trustSet, String subject) {
    jdbc.sql("DELETE FROM claim WHERE kind = ? AND trust_set = ? AND subject = ?")
        .params(kind, trustSet, subject)
        .update();
  }

  /// Number of names of one kind that are claimed within a set.
  int claims(String kind, UUID trustSet) {
    return jdbc.sql("SELECT count(*) FROM claim WHERE kind = ? AND trust_set = ?")
        .params(kind, trustSet)
        .query(Integer.class)
        .single();
  }

  /// Number of names of one kind that a subject claimed within a set.
  int claims(String kind, UUID trustSet, String subject) {
    return jdbc.sql("SELECT count(*) FROM claim WHERE kind = ? AND trust_set = ? AND subject = ?")
        .params(kind, trustSet, subject)
        .query(Integer.class)
        .single();
  }

  /// Names of one kind that are claimed within a set, a set that it has replaced, or one that
  /// replaces it.
  Set<String> names(String kind, UUID trustSet) {
    return jdbc.sql(
            """
            WITH RECURSIVE later(id) AS (
              SELECT CAST(:id AS uuid)
              UNION SELECT t.replaced_by FROM trust_set t JOIN later l ON t.id = l.id),
            same(id) AS (
              SELECT id FROM later
              UNION SELECT t.id FROM trust_set t JOIN same s ON t.replaced_by = s.id)
            SELECT name FROM claim WHERE kind = :kind AND trust_set IN (SELECT id FROM same)
            """)
        .param("kind", kind)
        .param("id", trustSet)
        .query((row, _) -> row.getString("name"))
        .set();
  }

  /// Whether no vCenter has come since the last registration of a set.
  ///
  /// @param address the address of that registration; null: any
  boolean awaitsVcenter(UUID trustSet, @Nullable String address) {
    return holds(
        """
        SELECT awaits_vcenter AND registered_from = COALESCE(CAST(:p AS text), registered_from)
        FROM trust_set WHERE id = :id
        """,
        trustSet,
        address);
  }

  void takeSeat(UUID trustSet) {
    jdbc.sql("UPDATE trust_set SET awaits_vcenter = false WHERE id = ?").param(trustSet).update();
  }

  /// Whether a set was registered with the password after `time`.
  boolean registeredAfter(UUID trustSet, Instant time) {
    return holds(
        "SELECT registered > :p FROM trust_set WHERE id = :id", trustSet, Timestamp.from(time));
  }

  /// Marks that a vCenter has moved to another set, which gets the offers of the former.
  void replace(UUID old, UUID next) {
    jdbc.sql(
            """
            INSERT INTO container_registration (container_id, trust_set)
            SELECT container_id, CAST(:next AS uuid) FROM container_registration
             WHERE trust_set = :old
            ON CONFLICT DO NOTHING
            """)
        .param("old", old)
        .param("next", next)
        .update();
    jdbc.sql("UPDATE trust_set SET replaced_by = ? WHERE id = ?").params(next, old).update();
  }

  /// Whether the vCenter of one set has moved to another, directly or through others.
  boolean isReplacedBy(UUID old, UUID next) {
    return holds(
        """
        WITH RECURSIVE later(id) AS (
          SELECT replaced_by FROM trust_set WHERE id = :id
          UNION SELECT t.replaced_by FROM trust_set t JOIN later l ON t.id = l.id)
        SELECT EXISTS (SELECT FROM later WHERE id = :p)
        """,
        old,
        next);
  }

  /// The registrations for administrators; see [TrustSets.Known].
  List<TrustSets.Known> known() {
    return jdbc.sql(
            """
            SELECT s.id, s.registered, s.registered_from,
                array(SELECT name FROM claim WHERE kind = 'vcenter' AND trust_set = s.id
                       ORDER BY name) AS vcenters,
                (SELECT count(*) FROM claim WHERE kind = 'host' AND trust_set = s.id) AS hosts
            FROM trust_set s WHERE replaced_by IS NULL ORDER BY s.created, s.id
            """)
        .query(
            (row, _) ->
                new TrustSets.Known(
                    row.getObject("id", UUID.class),
                    row.getTimestamp("registered").toInstant(),
                    row.getString("registered_from"),
                    List.of((String[]) row.getArray("vcenters").getArray()),
                    row.getLong("hosts")))
        .list();
  }

  /// Deletes the sets without a vCenter that no host belongs to any more.
  void deleteReplacedWithoutClaims() {
    jdbc.sql(
            """
            DELETE FROM trust_set s WHERE replaced_by IS NOT NULL
              AND NOT EXISTS (SELECT FROM claim WHERE trust_set = s.id)
              AND NOT EXISTS (SELECT FROM trust_set WHERE replaced_by = s.id)
            """)
        .update();
  }

  private boolean holds(String question, UUID trustSet, @Nullable Object parameter) {
    return jdbc.sql(question)
        .param("id", trustSet)
        .param("p", parameter)
        .query(Boolean.class)
        .optional()
        .orElse(false);
  }

  private static X509Certificate certificate(String pem) {
    try {
      return Pem.certificates(pem).getFirst();
    } catch (CertificateException e) {
      throw new IllegalStateException("the database holds a damaged certificate", e);
    }
  }

  private static X509CRL revocationList(String pem) {
    try {
      return Pem.revocationLists(pem).getFirst();
    } catch (CRLException e) {
      throw new IllegalStateException("the database holds a damaged revocation list", e);
    }
  }
}
