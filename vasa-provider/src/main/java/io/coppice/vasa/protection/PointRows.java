package io.coppice.vasa.protection;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.protection.rule.RecoveryPoint;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.sort.SortColumns;
import io.coppice.vasa.sort.SortKind;
import io.coppice.vasa.volume.SnapshotChoice;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Rows of `recovery_point`. The snapshots of a point are those of administrators that carry its id
/// as that of their cut: nobody else can make such a snapshot carry it.
///
/// A point whose last snapshots are in the recycle bin is there with them: its row waits, and reads
/// leave it out ([#putAside]).
final class PointRows {

  private static final SortColumns SORTS =
      SortColumns.of("id", SortKind.ID)
          .with("taken", "taken_at", SortKind.TIME)
          .with("name", "left(name, 200) collate \"C\"", SortKind.TEXT);

  private static final String SNAPSHOTS =
      """
      select v.id, m.value as point
        from volume_metadata m join volume v on v.id = m.volume_id
       where m.key = '%s' and v.snapshot and v.origin = 'ADMIN' and v.state %s 'BINNED'
         and left(m.value, 200) %s
      """;

  private final JdbcClient jdbc;

  PointRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// @param lock until when its snapshots are to be locked; null for not at all
  void insert(UUID group, RecoveryPoint point, String name, @Nullable Instant lock) {
    jdbc.sql(
            """
            insert into recovery_point (id, group_id, name, taken_at, rules, lock_until)
            values (:id, :group, :name, :taken, :rules, :lock)
            """)
        .param("id", point.id())
        .param("group", group)
        .param("name", name)
        .param("taken", GroupRows.utc(point.taken()))
        .param("rules", point.rules().stream().sorted().toArray(String[]::new))
        .param("lock", lock == null ? null : GroupRows.utc(lock), Types.TIMESTAMP_WITH_TIMEZONE)
        .update();
  }

  /// The points whose snapshots are still to be locked, by the end of their lock.
  Map<UUID, Instant> toLock() {
    Map<UUID, Instant> found = new HashMap<>();
    jdbc.sql(
            "select id, lock_until from recovery_point where lock_until is not null and not locked")
        .query(
            row -> {
              found.put(GroupRows.uuid(row, "id"), GroupRows.instant(row, "lock_until"));
            });
    return found;
  }

  /// Notes that the snapshots of a point are locked.
  void locked(UUID point) {
    jdbc.sql("update recovery_point set locked = true where id = :id").param("id", point).update();
  }

  void delete(UUID point) {
    jdbc.sql("delete from recovery_point where id = :id").param("id", point).update();
  }

  /// Whether the recycle bin has a snapshot of a point.
  boolean isBinned(UUID point) {
    return jdbc.sql(
            "select exists (%s)"
                .formatted(SNAPSHOTS.formatted(SnapshotChoice.GROUP_KEY, "=", "= :point")))
        .param("point", point.toString())
        .query(Boolean.class)
        .single();
  }

  /// Leaves a point out of all that is read until [#bringBack].
  void putAside(UUID point) {
    jdbc.sql("update recovery_point set binned = true where id = :id").param("id", point).update();
  }

  /// Shows a point again that was put aside, as one that no rule wanted; nothing for others.
  ///
  /// @param point the text of an id, or any other
  void bringBack(String point) {
    jdbc.sql(
            "update recovery_point set binned = false, rules = '{}' where binned and id::text = :id")
        .param("id", point)
        .update();
  }

  /// The points of a group, the oldest first, with their snapshots.
  List<KeptPoint> of(UUID group) {
    return of(group, false);
  }

  /// The points of a group that are put aside, with the snapshots that are not in the bin.
  List<KeptPoint> aside(UUID group) {
    return of(group, true);
  }

  private List<KeptPoint> of(UUID group, boolean binned) {
    return withSnapshots(
        jdbc.sql(
                """
                select * from recovery_point where group_id = :group and binned = :binned
                 order by taken_at, id
                """)
            .param("group", group)
            .param("binned", binned)
            .query(PointRows::point)
            .list());
  }

  /// The first points of an order, with their snapshots, that the current viewer may see.
  List<KeptPoint> page(PointChoice choice, RowOrder order, int limit) {
    Map<String, Object> parameters = new HashMap<>(parameters(choice));
    parameters.putAll(SORTS.parameters(order));
    return withSnapshots(
        jdbc.sql(
                "select p.* from recovery_point p where %s%s%s limit %d"
                    .formatted(where(choice), SORTS.behind(order), SORTS.orderBy(order), limit))
            .params(parameters)
            .query(PointRows::point)
            .list());
  }

  int count(PointChoice choice) {
    return jdbc.sql("select count(*) from recovery_point p where " + where(choice))
        .params(parameters(choice))
        .query(Integer.class)
        .single();
  }

  private static String where(PointChoice choice) {
    return GroupRows.seen("p.group_id")
        + " and not p.binned"
        + (choice.group() == null ? "" : " and p.group_id = :group")
        + (choice.rule() == null ? "" : " and :rule = any(p.rules)")
        + (choice.name() == null ? "" : " and p.name = :name");
  }

  private static Map<String, Object> parameters(PointChoice choice) {
    Map<String, Object> parameters = new HashMap<>();
    if (choice.group() != null) {
      parameters.put("group", choice.group());
    }
    if (choice.rule() != null) {
      parameters.put("rule", choice.rule());
    }
    if (choice.name() != null) {
      parameters.put("name", choice.name());
    }
    return parameters;
  }

  /// The point of an id, if the current viewer may see it; none or one.
  List<KeptPoint> find(UUID id) {
    return withSnapshots(
        jdbc.sql(
                "select * from recovery_point p where id = :id and not binned and "
                    + GroupRows.seen("p.group_id"))
            .param("id", id)
            .query(PointRows::point)
            .list());
  }

  /// The time of the youngest point of each group; groups without one are left out.
  Map<UUID, Instant> youngest(Collection<UUID> groups) {
    Map<UUID, Instant> found = new HashMap<>();
    jdbc.sql(
            """
            select g.id, (select max(taken_at) from recovery_point
                           where group_id = g.id and not binned) as taken
              from unnest(cast(:ids as uuid[])) as g (id)
            """)
        .param("ids", groups.toArray(UUID[]::new))
        .query(
            row -> {
              if (row.getObject("taken") != null) {
                found.put(GroupRows.uuid(row, "id"), GroupRows.instant(row, "taken"));
              }
            });
    return found;
  }

  private List<KeptPoint> withSnapshots(List<KeptPoint> bare) {
    if (bare.isEmpty()) {
      return bare;
    }
    Map<String, List<VolumeId>> snapshots = new HashMap<>();
    jdbc.sql(
            SNAPSHOTS.formatted(SnapshotChoice.GROUP_KEY, "<>", "= any(:points)")
                + " order by v.id")
        .param(
            "points", bare.stream().map(one -> one.point().id().toString()).toArray(String[]::new))
        .query(
            row -> {
              snapshots
                  .computeIfAbsent(
                      Objects.requireNonNull(row.getString("point")), _ -> new ArrayList<>())
                  .add(new VolumeId(GroupRows.uuid(row, "id")));
            });
    return bare.stream()
        .map(
            one ->
                new KeptPoint(
                    one.point(),
                    one.group(),
                    one.name(),
                    snapshots.getOrDefault(one.point().id().toString(), List.of())))
        .toList();
  }

  private static KeptPoint point(ResultSet row, int number) throws SQLException {
    Set<String> rules = Set.copyOf(Arrays.asList((String[]) row.getArray("rules").getArray()));
    return new KeptPoint(
        new RecoveryPoint(GroupRows.uuid(row, "id"), GroupRows.instant(row, "taken_at"), rules),
        GroupRows.uuid(row, "group_id"),
        row.getString("name"),
        List.of());
  }
}
