package io.coppice.vasa.protection;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.protection.rule.ClockReading;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
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
    for (ProtectedMember member : group.members()) {
      jdbc.sql(
              """
              insert into protection_member (kind, object, group_id) values (:kind, :object, :group)
              """)
          .param("kind", kind(member))
          .param("object", object(member))
          .param("group", group.id())
          .update();
    }
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
    return jdbc.sql("select * from protection_group where id = :id")
        .param("id", id)
        .query(this::group)
        .optional();
  }

  List<ProtectedGroup> list() {
    return jdbc.sql("select * from protection_group order by name").query(this::group).list();
  }

  /// Groups to be looked at, the longest due first.
  List<ProtectedGroup> due(Instant now, int limit) {
    return jdbc.sql(
            """
            select * from protection_group where look_at <= :now order by look_at, id limit :limit
            """)
        .param("now", utc(now))
        .param("limit", limit)
        .query(this::group)
        .list();
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

  void lookAt(UUID id, Instant at) {
    jdbc.sql("update protection_group set look_at = :at where id = :id")
        .param("id", id)
        .param("at", utc(at))
        .update();
  }

  private List<ProtectedMember> members(UUID group) {
    return jdbc.sql("select * from protection_member where group_id = :group order by kind, object")
        .param("group", group)
        .query(GroupRows::member)
        .list();
  }

  private static ProtectedMember member(ResultSet row, int number) throws SQLException {
    String object = row.getString("object");
    return row.getString("kind").equals(MACHINE)
        ? new ProtectedMember.Machine(object)
        : new ProtectedMember.Volume(new VolumeId(UUID.fromString(object)));
  }

  private ProtectedGroup group(ResultSet row, int number) throws SQLException {
    UUID id = uuid(row, "id");
    return new ProtectedGroup(
        id,
        row.getString("name"),
        uuid(row, "policy_id"),
        members(id),
        new ClockReading(instant(row, "handled_at"), instant(row, "handled_clock")),
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
