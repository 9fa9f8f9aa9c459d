package io.coppice.vasa.container;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Rows of `container_limit` and `container_registration`: the registrations that a limited
/// container is offered to. Queries that ask [io.coppice.vasa.viewer.Viewer] read them.
final class OfferRepository {

  private final JdbcClient jdbc;

  OfferRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// Waits for changes of trust under way, and lets no other begin before this transaction ends:
  /// such changes give limits to new registrations, and take rows in another order.
  void awaitTrust() {
    jdbc.sql("lock table trust_set in row share mode").update();
  }

  boolean isLimited(UUID container) {
    return jdbc.sql("select exists (select 1 from container_limit where container_id = ?)")
        .param(container)
        .query(Boolean.class)
        .single();
  }

  /// The registrations that limited containers are offered to; of each vCenter only the newest.
  Map<UUID, List<UUID>> limits() {
    Map<UUID, List<UUID>> limits = new HashMap<>();
    jdbc.sql(
            """
            select l.container_id, r.trust_set from container_limit l
              left join (container_registration r
                join trust_set t on t.id = r.trust_set and t.replaced_by is null)
              on r.container_id = l.container_id
             order by t.created, t.id
            """)
        .query(
            row -> {
              List<UUID> offered =
                  limits.computeIfAbsent(id(row, "container_id"), _ -> new ArrayList<>());
              if (row.getObject("trust_set") != null) {
                offered.add(id(row, "trust_set"));
              }
            });
    return limits;
  }

  private static UUID id(ResultSet row, String column) throws SQLException {
    return row.getObject(column, UUID.class);
  }

  /// The registrations that see a container now, including those that others have replaced.
  Set<UUID> seenBy(UUID container) {
    return jdbc.sql(
            """
            select id from trust_set t
             where not exists (select 1 from container_limit where container_id = :container)
                or exists (select 1 from container_registration r
                            where r.container_id = :container and r.trust_set = t.id)
            """)
        .param("container", container)
        .query((row, _) -> id(row, "id"))
        .set();
  }

  /// Limits a container to these registrations, and to those that they have replaced.
  void limit(UUID container, Collection<UUID> registrations) {
    jdbc.sql("insert into container_limit (container_id) values (?) on conflict do nothing")
        .param(container)
        .update();
    jdbc.sql("delete from container_registration where container_id = ?").param(container).update();
    jdbc.sql(
            """
            with recursive offered(id) as (
              select id from trust_set where id = any(:registrations)
              union select t.id from trust_set t join offered o on t.replaced_by = o.id)
            insert into container_registration (container_id, trust_set)
            select :container, id from offered
            """)
        .param("registrations", registrations.toArray(UUID[]::new))
        .param("container", container)
        .update();
  }

  void offerToAll(UUID container) {
    jdbc.sql("delete from container_limit where container_id = ?").param(container).update();
  }

  /// The members of `registrations` that do not exist, or that another one has replaced.
  List<UUID> unknown(Collection<UUID> registrations) {
    Set<UUID> known =
        jdbc.sql("select id from trust_set where replaced_by is null")
            .query((row, _) -> id(row, "id"))
            .set();
    return registrations.stream().filter(id -> !known.contains(id)).toList();
  }

  /// Forgets the limits of containers that are gone and that no event or alarm names any more.
  void forgetGone() {
    jdbc.sql(
            """
            delete from container_limit l
             where not exists (select 1 from container where id = l.container_id)
               and not exists (select 1 from event where l.container_id = any(containers))
               and not exists (select 1 from alarm where container_id = l.container_id::text)
               and not exists (select 1 from task where container_id = l.container_id)
            """)
        .update();
  }
}
