package io.coppice.vasa.volume.store;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.sort.SortColumns;
import io.coppice.vasa.sort.SortKind;
import io.coppice.vasa.volume.SnapshotGrid;
import io.coppice.vasa.volume.SnapshotSchedule;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Rows of `snapshot_schedule`. Those of volumes that are out of use rest: reads leave them out.
public final class ScheduleRepository {

  private static final SortColumns SORTS =
      SortColumns.of("volume_id", SortKind.ID)
          .with("vvol", "volume_id", SortKind.ID)
          .with("interval", "interval_s", SortKind.NUMBER)
          .with("next", "next_run", SortKind.TIME);

  private static final String IN_USE =
      " and not exists (select 1 from volume v where v.id = volume_id and v.state = 'CARRIER')";

  private final JdbcClient jdbc;

  ScheduleRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// A schedule that is due.
  ///
  /// @param owner the owner of its [SnapshotGrid]
  public record Due(String owner, SnapshotSchedule schedule) {}

  /// Makes the schedule match the requirements. A run that is due already stays due, unless the
  /// interval changes.
  ///
  /// @param owner the owner of its [SnapshotGrid]
  void apply(VolumeId volume, String owner, Requirements requirements, Instant now) {
    Duration interval = requirements.snapshotInterval();
    if (interval == null) {
      jdbc.sql("delete from snapshot_schedule where volume_id = :volume")
          .param("volume", volume.value())
          .update();
      return;
    }
    Duration retention = requirements.snapshotRetention();
    jdbc.sql(
            """
            insert into snapshot_schedule as s
                   (volume_id, interval_s, retention_s, since, next_run)
            values (:volume, :interval, :retention, :now, :next)
            on conflict (volume_id) do update
               set interval_s = excluded.interval_s,
                   retention_s = excluded.retention_s,
                   since = case when s.interval_s = excluded.interval_s
                                then s.since else excluded.since end,
                   next_run = case when s.interval_s = excluded.interval_s
                                   then least(s.next_run, excluded.next_run)
                                   else excluded.next_run end
            """)
        .param("volume", volume.value())
        .param("interval", interval.toSeconds())
        .param("retention", retention == null ? null : retention.toSeconds())
        .param("now", now.atOffset(ZoneOffset.UTC))
        .param("next", SnapshotGrid.next(owner, interval, now).atOffset(ZoneOffset.UTC))
        .update();
  }

  /// Puts the schedule of a volume, if it has one, onto another grid.
  void move(VolumeId volume, String owner, Instant now) {
    find(volume)
        .ifPresent(
            schedule ->
                jdbc.sql("update snapshot_schedule set next_run = :next where volume_id = :volume")
                    .param("volume", volume.value())
                    .param(
                        "next",
                        SnapshotGrid.next(owner, schedule.interval(), now).atOffset(ZoneOffset.UTC))
                    .update());
  }

  public boolean enable(VolumeId volume, boolean enabled, boolean retentionEnabled) {
    return jdbc.sql(
                """
                update snapshot_schedule
                   set enabled = :enabled, retention_enabled = :retentionEnabled
                 where volume_id = :volume
                """)
            .param("volume", volume.value())
            .param("enabled", enabled)
            .param("retentionEnabled", retentionEnabled)
            .update()
        == 1;
  }

  /// @param due the run that was made; a next run that a new policy has set meanwhile stays
  public void taken(VolumeId volume, Instant at, Instant due, Instant next) {
    jdbc.sql(
            """
            update snapshot_schedule
               set last_run = :at, last_error = null,
                   next_run = case when next_run = :due then :next else next_run end
             where volume_id = :volume
            """)
        .param("volume", volume.value())
        .param("due", due.atOffset(ZoneOffset.UTC))
        .param("at", at.atOffset(ZoneOffset.UTC))
        .param("next", next.atOffset(ZoneOffset.UTC))
        .update();
  }

  public void failed(VolumeId volume, String error, Instant next) {
    jdbc.sql(
            """
            update snapshot_schedule set last_error = :error, next_run = :next
             where volume_id = :volume
            """)
        .param("volume", volume.value())
        .param("error", error)
        .param("next", next.atOffset(ZoneOffset.UTC))
        .update();
  }

  /// Schedules that are due, those of one owner after each other, the longest due owners first.
  ///
  /// @param limit of schedules; only whole owners count against it, so the last owner is complete
  public List<Due> due(Instant now, int limit) {
    return jdbc.sql(
            """
            with due as (
              select s.*, coalesce(m.value, s.volume_id::text) as owner
                from snapshot_schedule s
                left join volume_metadata m on m.volume_id = s.volume_id and m.key = :key
               where s.enabled and s.next_run <= :now
                 and not exists (select 1 from volume v
                                  where v.id = s.volume_id and v.state = 'CARRIER')
            ), owners as (
              select owner, min(next_run) as first, sum(count(*)) over before_it as sum_before
                from due group by owner
              window before_it as (order by min(next_run), owner
                                   rows between unbounded preceding and 1 preceding)
            )
            select due.* from due join owners using (owner)
             where coalesce(sum_before, 0) < :limit
             order by first, owner, volume_id
            """)
        .param("key", SnapshotGrid.MACHINE_KEY)
        .param("now", now.atOffset(ZoneOffset.UTC))
        .param("limit", limit)
        .query((row, number) -> new Due(row.getString("owner"), schedule(row, number)))
        .list();
  }

  /// The time since which the one that is due longest, or next, is due; empty if none is taken.
  public Optional<Instant> firstDue() {
    return Optional.ofNullable(
            jdbc.sql("select min(next_run) from snapshot_schedule where enabled" + IN_USE)
                .query(OffsetDateTime.class)
                .optional()
                .orElse(null))
        .map(OffsetDateTime::toInstant);
  }

  public Optional<SnapshotSchedule> find(VolumeId volume) {
    return jdbc.sql("select * from snapshot_schedule where volume_id = :volume" + IN_USE)
        .param("volume", volume.value())
        .query(ScheduleRepository::schedule)
        .optional();
  }

  /// Schedules by volume; volumes without one are left out.
  public Map<VolumeId, SnapshotSchedule> find(Collection<VolumeId> volumes) {
    return jdbc
        .sql(
            """
            select s.* from unnest(cast(:ids as uuid[])) as p (id)
             cross join lateral (
               select * from snapshot_schedule where volume_id = p.id limit 1) as s
            """)
        .param("ids", ListRepository.ids(volumes))
        .query(ScheduleRepository::schedule)
        .list()
        .stream()
        .collect(Collectors.toMap(SnapshotSchedule::volume, Function.identity()));
  }

  /// The first schedules, by volume.
  ///
  /// @param order by `vvol`, by `interval` or by `next`
  public List<SnapshotSchedule> page(RowOrder order, int limit) {
    return jdbc.sql(
            "select * from snapshot_schedule where true%s%s%s limit %d"
                .formatted(IN_USE, SORTS.behind(order), SORTS.orderBy(order), limit))
        .query(ScheduleRepository::schedule)
        .list();
  }

  public int count() {
    return jdbc.sql("select count(*) from snapshot_schedule where true" + IN_USE)
        .query(Integer.class)
        .single();
  }

  /// A scheduled snapshot whose time is over, and since when: its place in the order.
  public record Expired(VolumeId snapshot, Instant since) {}

  /// Scheduled snapshots whose time is over, the longest first. The parent's schedule decides; if
  /// there is none, the snapshot's own row.
  ///
  /// @param after only snapshots behind it; null for the beginning
  public List<Expired> expired(Instant now, @Nullable Expired after, int limit) {
    Map<String, Object> parameters = new HashMap<>(Map.of("now", now.atOffset(ZoneOffset.UTC)));
    String behind = "";
    if (after != null) {
      behind = " and (kept_until, id) > (:since, :id)";
      parameters.put("since", after.since().atOffset(ZoneOffset.UTC));
      parameters.put("id", after.snapshot().value());
    }
    return jdbc.sql(
            "select id, kept_until from volume where state = 'READY' and kept_until <= :now"
                + behind
                + " order by kept_until, id limit "
                + limit)
        .params(parameters)
        .query(
            (row, _) ->
                new Expired(
                    ListRepository.id(row, "id"),
                    row.getObject("kept_until", OffsetDateTime.class).toInstant()))
        .list();
  }

  /// The time of the oldest scheduled snapshot of each volume; volumes without a scheduled snapshot
  /// are left out. No other snapshot is read.
  public Map<VolumeId, Instant> oldest(Collection<VolumeId> volumes) {
    Map<VolumeId, Instant> found = new HashMap<>();
    jdbc.sql(
            """
            select p.id, oldest.taken
              from unnest(cast(:ids as uuid[])) as p (id)
             cross join lateral (
               select coalesce(seen_at, created_at) as taken from volume
                where parent_id = p.id and origin = 'SCHEDULE' and state = 'READY'
                order by coalesce(seen_at, created_at) limit 1) as oldest
            """)
        .param("ids", ListRepository.ids(volumes))
        .query(
            row -> {
              found.put(
                  ListRepository.id(row, "id"),
                  row.getObject("taken", OffsetDateTime.class).toInstant());
            });
    return found;
  }

  private static SnapshotSchedule schedule(ResultSet row, int number) throws SQLException {
    Long retention = row.getObject("retention_s", Long.class);
    return new SnapshotSchedule(
        ListRepository.id(row, "volume_id"),
        Duration.ofSeconds(row.getLong("interval_s")),
        retention == null ? null : Duration.ofSeconds(retention),
        row.getBoolean("enabled"),
        row.getBoolean("retention_enabled"),
        row.getObject("since", OffsetDateTime.class).toInstant(),
        row.getObject("next_run", OffsetDateTime.class).toInstant(),
        instant(row.getObject("last_run", OffsetDateTime.class)),
        row.getString("last_error"));
  }

  private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
    return time == null ? null : time.toInstant();
  }
}
