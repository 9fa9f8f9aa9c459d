package io.coppice.vasa.protection;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.protection.rule.ClockReading;
import io.coppice.vasa.viewer.Viewer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Rows of `protection_group` and `protection_member`.
final class GroupRows {

  private static final String MACHINE = "MACHINE";
  private static final String VOLUME = "VOLUME";

  private final JdbcClient jdbc;

  GroupRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// The condition, in SQL, that the current viewer may see a group. A token that is bound to
  /// containers sees those of plain volumes in its containers alone.
  ///
  /// @param group expression of the group's id, with the name of its table
  static String seen(String group) {
    return Viewer.boundToken().isEmpty()
        ? "true"
        : "not exists (select 1 from protection_member m where m.group_id = %s and not coalesce(%s, false))"
            .formatted(group, Viewer.sees("m.plain_in"));
  }

  void insert(ProtectedGroup group) {
    jdbc.sql(
            """
            insert into protection_group (id, name, policy_id, handled_at, handled_clock, look_at)
            values (:id, :name, :policy, :handled, :clock, :handled)
            """)
        .param("id", group.id())
        .param("name", group.name())
        .param("policy", group.policy())
        .param("handled", utc(group.handled().passed()))
        .param("clock", utc(group.handled().clock()))
        .update();
    insertMembers(group);
  }

  private void insertMembers(ProtectedGroup group) {
    for (ProtectedMember member : group.members()) {
      jdbc.sql(
              """
              insert into protection_member (kind, object, group_id, plain_in)
              values (:kind, :object, :group,
                      (select container_id from volume
                        where :kind = 'VOLUME' and id::text = :object and origin = 'ADMIN'))
              """)
          .param("kind", kind(member))
          .param("object", object(member))
          .param("group", group.id())
          .update();
    }
  }

  /// Replaces name, policy and members. The group is looked at at once.
  void update(ProtectedGroup group) {
    jdbc.sql(
            """
            update protection_group
               set name = :name, policy_id = :policy, look_at = handled_at, revision = revision + 1
             where id = :id
            """)
        .param("id", group.id())
        .param("name", group.name())
        .param("policy", group.policy())
        .update();
    jdbc.sql("delete from protection_member where group_id = :id").param("id", group.id()).update();
    insertMembers(group);
  }

  private static String kind(ProtectedMember member) {
    return switch (member) {
      case ProtectedMember.Machine _ -> MACHINE;
      case ProtectedMember.Volume _ -> VOLUME;
    };
  }

  private static String object(ProtectedMember member) {
    return switch (member) {
      case ProtectedMember.Machine(String id) -> id;
      case ProtectedMember.Volume(VolumeId id) -> id.value().toString();
    };
  }

  boolean delete(UUID id) {
    return jdbc.sql("delete from protection_group where id = :id").param("id", id).update() == 1;
  }

  Optional<ProtectedGroup> find(UUID id) {
    return list("where id = :id and " + seen("g.id"), Map.of("id", id)).stream().findFirst();
  }

  /// The group of a member; none or one.
  List<ProtectedGroup> of(ProtectedMember member) {
    return list(
        "join protection_member m on m.group_id = g.id where m.kind = :kind and m.object = :object",
        Map.of("kind", kind(member), "object", object(member)));
  }

  List<ProtectedGroup> list() {
    return list("where %s order by name".formatted(seen("g.id")), Map.of());
  }

  /// Whether another group has a name, whoever may see it.
  boolean isNamed(String name, UUID other) {
    return !list("where name = :name and id <> :other", Map.of("name", name, "other", other))
        .isEmpty();
  }

  /// Groups to be looked at, the longest due first.
  List<ProtectedGroup> due(Instant now, int limit) {
    return list(
        "where look_at <= :now order by look_at, id limit :limit",
        Map.of("now", utc(now), "limit", limit));
  }

  /// Groups whose last point that was due could not be taken.
  List<ProtectedGroup> failing() {
    return list("where last_error is not null", Map.of());
  }

  /// @param now by the time that has passed
  ProtectionCounts counts(Instant now) {
    return jdbc.sql(
            """
            select count(*) as groups, count(last_error) as late,
                   (select count(*) from recovery_point where not binned) as points,
                   min(coalesce((select max(p.taken_at) from recovery_point p
                                  where p.group_id = g.id and not p.binned),
                                g.handled_at))
                     filter (where exists (select 1 from protection_rule r
                                            where r.policy_id = g.policy_id)) as oldest
              from protection_group g
            """)
        .query(
            (row, _) ->
                new ProtectionCounts(
                    row.getLong("groups"),
                    row.getLong("points"),
                    row.getLong("late"),
                    row.getObject("oldest") == null
                        ? Duration.ZERO
                        : Duration.between(instant(row, "oldest"), now)))
        .single();
  }

  private List<ProtectedGroup> list(String where, Map<String, ?> parameters) {
    List<ProtectedGroup> bare =
        jdbc.sql("select g.* from protection_group g " + where)
            .params(parameters)
            .query(GroupRows::group)
            .list();
    Map<UUID, List<ProtectedMember>> members = members(bare);
    return bare.stream()
        .map(group -> group.with(members.getOrDefault(group.id(), List.of())))
        .toList();
  }

  private Map<UUID, List<ProtectedMember>> members(List<ProtectedGroup> groups) {
    Map<UUID, List<ProtectedMember>> members = new HashMap<>();
    if (!groups.isEmpty()) {
      jdbc.sql("select * from protection_member where group_id = any(:ids) order by kind, object")
          .param("ids", groups.stream().map(ProtectedGroup::id).toArray(UUID[]::new))
          .query(
              row -> {
                members
                    .computeIfAbsent(uuid(row, "group_id"), _ -> new ArrayList<>())
                    .add(member(row));
              });
    }
    return members;
  }

  /// Notes that a point was taken, which handled all moments until then.
  void handled(UUID id, ClockReading handled) {
    anchored(id, handled);
    jdbc.sql("update protection_group set last_error = null where id = :id")
        .param("id", id)
        .update();
  }

  /// Sets the moment up to which all moments are handled.
  void anchored(UUID id, ClockReading handled) {
    jdbc.sql(
            """
            update protection_group set handled_at = :handled, handled_clock = :clock where id = :id
            """)
        .param("id", id)
        .param("handled", utc(handled.passed()))
        .param("clock", utc(handled.clock()))
        .update();
  }

  void failed(UUID id, String error) {
    jdbc.sql("update protection_group set last_error = :error where id = :id")
        .param("id", id)
        .param("error", error)
        .update();
  }

  /// Sets the next look at a group, unless it has changed since it was read.
  void lookAt(ProtectedGroup read, Instant at) {
    jdbc.sql(
            """
            update protection_group set look_at = :at where id = :id and revision = :revision
            """)
        .param("id", read.id())
        .param("revision", read.revision())
        .param("at", utc(at))
        .update();
  }

  private static ProtectedMember member(ResultSet row) throws SQLException {
    String object = row.getString("object");
    return row.getString("kind").equals(MACHINE)
        ? new ProtectedMember.Machine(object)
        : new ProtectedMember.Volume(new VolumeId(UUID.fromString(object)));
  }

  private static ProtectedGroup group(ResultSet row, int number) throws SQLException {
    return new ProtectedGroup(
        uuid(row, "id"),
        row.getString("name"),
        uuid(row, "policy_id"),
        List.of(),
        new ClockReading(instant(row, "handled_at"), instant(row, "handled_clock")),
        row.getLong("revision"),
        row.getString("last_error"));
  }

  static Instant instant(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  static UUID uuid(ResultSet row, String column) throws SQLException {
    return Objects.requireNonNull(row.getObject(column, UUID.class));
  }

  static OffsetDateTime utc(Instant time) {
    return time.atOffset(ZoneOffset.UTC);
  }
}
