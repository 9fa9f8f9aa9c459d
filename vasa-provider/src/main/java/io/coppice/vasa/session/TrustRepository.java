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
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Trust sets and claims in the database. Callers bring the transaction.
final class TrustRepository {

  private final JdbcClient jdbc;

  TrustRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// Who a name belongs to.
  record Owner(UUID trustSet, String subject) {}

  /// Serialises all changes of trust until the transaction ends.
  void lock() {
    jdbc.sql("LOCK TABLE trust_set IN EXCLUSIVE MODE").update();
  }

  /// Oldest first.
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

  /// Inserts the set or gives it these roots and lists.
  void save(TrustSet set, Instant now, String address) {
    jdbc.sql(
            """
            INSERT INTO trust_set (id, created, registered_from) VALUES (:id, :now, :address)
            ON CONFLICT (id) DO NOTHING
            """)
        .param("id", set.id())
        .param("now", Timestamp.from(now))
        .param("address", address)
        .update();
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
    return jdbc.sql("SELECT trust_set, subject FROM claim WHERE kind = ? AND name = ?")
        .params(kind, name)
        .query((row, _) -> new Owner(row.getObject(1, UUID.class), row.getString(2)))
        .optional();
  }

  /// Writes a first claim, unless one is there.
  void claim(String kind, String name, Owner owner, Instant now) {
    jdbc.sql(
            """
            INSERT INTO claim (kind, name, trust_set, subject, since) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (kind, name) DO NOTHING
            """)
        .params(kind, name, owner.trustSet(), owner.subject(), Timestamp.from(now))
        .update();
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

  /// Links a set to the vCenter that used it first.
  void link(UUID trustSet, String vcenterGuid) {
    jdbc.sql("UPDATE trust_set SET vcenter_guid = ? WHERE id = ? AND vcenter_guid IS NULL")
        .params(vcenterGuid, trustSet)
        .update();
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
