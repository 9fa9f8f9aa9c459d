package io.coppice.vasa.volume.store;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.sort.SortColumns;
import io.coppice.vasa.sort.SortKind;
import io.coppice.vasa.viewer.Viewer;
import io.coppice.vasa.volume.BinChoice;
import io.coppice.vasa.volume.BinnedVolume;
import io.coppice.vasa.volume.Binning;
import io.coppice.vasa.volume.SnapshotChoice;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Rows of `volume` in the recycle bin, and rows in every state for the recovery. Reads find what
/// the current [Viewer] is offered. No other repository finds what is in the bin.
public final class BinRepository {

  /// What the bin is sorted by.
  private static final SortColumns SORTS =
      SortColumns.of("id", SortKind.ID)
          .with("deleted", "binned_at", SortKind.TIME)
          .with("until", "purge_at", SortKind.TIME)
          .with("name", "sort_name", SortKind.TEXT)
          .with("size", "size_bytes", SortKind.NUMBER);

  /// What belongs to a machine in the bin: what names it, and snapshots that name none, of volumes
  /// that do.
  private static final String OF_MACHINE =
      """
       and id in (
         select volume_id from %1$s as own
         union all
         select taken.id from volume taken
          where taken.state = 'BINNED' and taken.snapshot and taken.parent_id in %1$s
            and not exists (select 1 from volume_metadata o where o.volume_id = taken.id
                               and o.key = 'VMW_VmID' and o.value ~ '\\S'))
      """
          .formatted(ListRepository.OF_MACHINE);

  private final JdbcClient jdbc;
  private final VolumeRepository rows;

  BinRepository(JdbcClient jdbc, VolumeRepository rows) {
    this.jdbc = jdbc;
    this.rows = rows;
  }

  /// Makes a row that of a volume in the bin. It keeps what the volume's snapshot schedule had
  /// switched on, because the schedule goes.
  void put(VolumeId volume, Binning binning) {
    jdbc.sql(
            """
            update volume
               set state = 'BINNED', operation_id = null, binned_at = :since, purge_at = :until,
                   binned_why = :why, binned_by = :author,
                   binned_taking = coalesce(
                     (select enabled from snapshot_schedule where volume_id = :id), binned_taking),
                   binned_deleting = coalesce(
                     (select retention_enabled from snapshot_schedule where volume_id = :id),
                     binned_deleting)
             where id = :id
            """)
        .param("id", volume.value())
        .param("since", binning.since().atOffset(ZoneOffset.UTC))
        .param("until", binning.until().atOffset(ZoneOffset.UTC))
        .param("why", binning.reason().name())
        .param("author", binning.author())
        .update();
    jdbc.sql("delete from snapshot_schedule where volume_id = :id")
        .param("id", volume.value())
        .update();
  }

  /// Gives the snapshot schedule of a volume that was restored back what it had switched on.
  public void resumeSchedule(VolumeId volume) {
    jdbc.sql(
            """
            update snapshot_schedule s
               set enabled = v.binned_taking, retention_enabled = v.binned_deleting
              from volume v
             where v.id = :id and s.volume_id = v.id and v.binned_taking is not null
            """)
        .param("id", volume.value())
        .update();
    jdbc.sql("update volume set binned_taking = null, binned_deleting = null where id = :id")
        .param("id", volume.value())
        .update();
  }

  public Optional<BinnedVolume> find(VolumeId volume) {
    return read("state = 'BINNED' and id = :id", Map.of("id", volume.value())).stream().findFirst();
  }

  /// The safety copies of one revert, in order of their ids.
  ///
  /// @param group the value of [SnapshotChoice#GROUP_KEY] in their metadata
  public List<BinnedVolume> safetyCopies(String group) {
    return read(
        "state = 'BINNED' and "
            + condition(BinChoice.Kind.SAFETY_COPY)
            + ListRepository.having("groupKey", "group")
            + " order by id",
        Map.of("groupKey", SnapshotChoice.GROUP_KEY, "group", group));
  }

  /// The first of a choice.
  ///
  /// @param order by `deleted`, by `until`, by `name` or by `size`
  public List<BinnedVolume> page(BinChoice chosen, RowOrder order, int limit) {
    Map<String, Object> parameters = parameters(chosen);
    parameters.putAll(SORTS.parameters(order));
    return read(
        where(chosen) + SORTS.behind(order) + SORTS.orderBy(order) + " limit " + limit, parameters);
  }

  /// The number of a choice.
  public int count(BinChoice chosen) {
    return jdbc.sql("select count(*) from %s where %s".formatted(offered(), where(chosen)))
        .params(parameters(chosen))
        .query(Integer.class)
        .single();
  }

  /// Ids of what is in the bin longest.
  public List<VolumeId> oldest(int limit) {
    return jdbc.sql(
            "select id from volume where state = 'BINNED' order by binned_at, id limit :limit")
        .param("limit", limit)
        .query((row, _) -> ListRepository.id(row, "id"))
        .list();
  }

  /// Ids of what is to be purged by a moment of the time that has passed, the longest due first.
  public List<VolumeId> due(Instant now, int limit) {
    return jdbc.sql(
            """
            select id from volume where state = 'BINNED' and purge_at <= :now
             order by purge_at, id limit :limit
            """)
        .param("now", now.atOffset(ZoneOffset.UTC))
        .param("limit", limit)
        .query((row, _) -> ListRepository.id(row, "id"))
        .list();
  }

  /// The rows of volumes in every state.
  public List<VirtualVolume> inEveryState(Collection<VolumeId> volumes) {
    return rows.withMetadata(
        jdbc.sql("select * from %s where id = any(:ids)".formatted(offered()))
            .param("ids", ListRepository.ids(volumes))
            .query(VolumeRepository::volume)
            .list());
  }

  /// All rows in every state.
  public List<VirtualVolume> allInEveryState() {
    return rows.withMetadata(
        jdbc.sql("select * from " + offered()).query(VolumeRepository::volume).list());
  }

  private List<BinnedVolume> read(String where, Map<String, ?> parameters) {
    Map<VolumeId, Binning> stays = new HashMap<>();
    List<VirtualVolume> bare =
        jdbc.sql("select * from %s where %s".formatted(offered(), where))
            .params(parameters)
            .query(
                (row, number) -> {
                  stays.put(ListRepository.id(row, "id"), binning(row));
                  return VolumeRepository.volume(row, number);
                })
            .list();
    return rows.withMetadata(bare).stream()
        .map(volume -> new BinnedVolume(volume, Objects.requireNonNull(stays.get(volume.id()))))
        .toList();
  }

  private static Binning binning(ResultSet row) throws SQLException {
    return new Binning(
        row.getObject("binned_at", OffsetDateTime.class).toInstant(),
        row.getObject("purge_at", OffsetDateTime.class).toInstant(),
        Binning.Reason.valueOf(row.getString("binned_why")),
        row.getString("binned_by"));
  }

  private static String offered() {
    return "(select * from volume where %s) volume".formatted(Viewer.sees("volume.container_id"));
  }

  private static String where(BinChoice chosen) {
    return "state = 'BINNED'"
        + (chosen.container() == null ? "" : " and container_id = :container")
        + (chosen.machine() == null ? "" : OF_MACHINE)
        + (chosen.name() == null ? "" : ListRepository.having("nameKey", "name"))
        + (chosen.kind() == null ? "" : " and " + condition(chosen.kind()));
  }

  private static String condition(BinChoice.Kind kind) {
    return switch (kind) {
      case VOLUME -> "not snapshot and origin = 'ADMIN'";
      case VVOL -> "not snapshot and origin <> 'ADMIN'";
      case SNAPSHOT -> "snapshot and binned_why = 'DELETED'";
      case SAFETY_COPY -> "binned_why = 'REVERTED'";
    };
  }

  private static Map<String, Object> parameters(BinChoice chosen) {
    Map<String, Object> parameters = new HashMap<>();
    if (chosen.container() != null) {
      parameters.put("container", chosen.container());
    }
    if (chosen.machine() != null) {
      parameters.put("machine", chosen.machine());
    }
    if (chosen.name() != null) {
      parameters.put("nameKey", VolumeChoice.NAME_KEY);
      parameters.put("name", chosen.name());
    }
    return parameters;
  }
}
