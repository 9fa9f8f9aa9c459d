package io.coppice.vasa.volume;

import io.coppice.engine.VolumeId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Queries that lists of thousands of volumes make of `volume` and `volume_metadata`: a few
/// statements for a page, whatever the number of its items, and no row that it does not show.
final class ListRepository {

  private static final String MACHINE_KEY = "VMW_VmID";

  private static final String VALUES =
      "select volume_id, value from volume_metadata where key = :key and volume_id = any(:ids)";

  /// Volumes that have the machine's id themselves.
  private static final String OF_MACHINE =
      """
      (select volume_id from volume_metadata
        where key = 'VMW_VmID' and left(value, 200) collate "C" = left(:machine, 200)
          and value = :machine and value ~ '\\S')
      """;

  private static final String MACHINES =
      """
      select distinct left(m.value, 200) collate "C" as start, m.value collate "C" as machine
        from volume_metadata m join volume v on v.id = m.volume_id
       where m.key = 'VMW_VmID' and v.state = 'READY' and not v.snapshot and m.value ~ '\\S'
      """;

  /// The container of a machine is that of its config vVol, or else of its first one. Asked of
  /// those that have a vVol in it at all, one by one until the page is full.
  private static final String OF_CONTAINER =
      """
       where :container = (
         select w.container_id from volume w join volume_metadata o on o.volume_id = w.id
          where o.key = 'VMW_VmID' and left(o.value, 200) collate "C" = machines.start
            and o.value = machines.machine and w.state = 'READY' and not w.snapshot
          order by (w.type <> 'CONFIG'), w.created_at, w.id limit 1)
      """;

  private static final String BEHIND_MACHINE =
      " and (left(m.value, 200) collate \"C\", m.value collate \"C\") > (left(:after, 200),"
          + " :after)";

  private static final String MACHINE_VOLUMES =
      """
      select m.value as machine, v.id, v.container_id, v.type, v.size_bytes, n.value as name
        from volume_metadata m
        join volume v on v.id = m.volume_id
        left join volume_metadata n on n.volume_id = v.id and n.key = 'VMW_VVolName'
       where m.key = 'VMW_VmID' and v.state = 'READY' and not v.snapshot
         and left(m.value, 200) collate "C" = any(:starts) and m.value = any(:machines)
       order by v.created_at, v.id
      """;

  private final JdbcClient jdbc;

  ListRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// What volumes have under a key; those without it are left out.
  Map<VolumeId, String> values(String key, Collection<VolumeId> volumes) {
    Map<VolumeId, String> found = new HashMap<>();
    if (!volumes.isEmpty()) {
      jdbc.sql(VALUES)
          .param("key", key)
          .param("ids", ids(volumes))
          .query(
              row -> {
                found.put(id(row, "volume_id"), row.getString("value"));
              });
    }
    return found;
  }

  /// Ids of all volumes in the pool, in order of creation.
  List<VolumeId> ids() {
    return jdbc.sql("select id from volume where state = 'READY' order by created_at, id")
        .query((row, _) -> id(row, "id"))
        .list();
  }

  /// The condition of a choice of snapshots on `volume`, from `where` on.
  static String where(SnapshotChoice chosen) {
    return "where state = 'READY' and snapshot"
        + (chosen.parents() == null ? "" : " and parent_id = any(:parents)")
        + (chosen.origins() == null ? "" : " and origin = any(:origins)")
        + (chosen.group() == null
            ? ""
            : " and id in (select volume_id from volume_metadata where key = :groupKey"
                + " and left(value, 200) = left(:group, 200) and value = :group)")
        + (chosen.machine() == null
            ? ""
            : " and (id in %1$s or (parent_id in %1$s and not exists (select 1 from volume_metadata o"
                    .formatted(OF_MACHINE)
                + " where o.volume_id = volume.id and o.key = 'VMW_VmID' and o.value ~ '\\S')))");
  }

  static Map<String, Object> parameters(SnapshotChoice chosen) {
    Map<String, Object> parameters = new HashMap<>();
    if (chosen.parents() != null) {
      parameters.put("parents", ids(chosen.parents()));
    }
    if (chosen.origins() != null) {
      parameters.put("origins", chosen.origins().stream().map(Enum::name).toArray(String[]::new));
    }
    if (chosen.group() != null) {
      parameters.put("groupKey", Snapshots.GROUP_KEY);
      parameters.put("group", chosen.group());
    }
    if (chosen.machine() != null) {
      parameters.put("machine", chosen.machine());
    }
    return parameters;
  }

  /// What places a row in the order of creation; `after` belongs to the parameters.
  static String behind(VolumeChoice.@Nullable Place after, Map<String, Object> parameters) {
    if (after == null) {
      return "";
    }
    parameters.put("created", after.created().atOffset(ZoneOffset.UTC));
    parameters.put("id", after.id().value());
    return " and (created_at, id) > (:created, :id)";
  }

  /// Ids of virtual machines, in their order.
  ///
  /// @param after those behind it; empty for the beginning
  List<String> machines(@Nullable UUID container, String after, int limit) {
    Map<String, Object> parameters = new HashMap<>();
    String sql = machines("start, machine", container, after, parameters);
    return jdbc.sql(sql + " order by 1, 2 limit " + limit)
        .params(parameters)
        .query((row, _) -> row.getString("machine"))
        .list();
  }

  int countMachines(@Nullable UUID container) {
    Map<String, Object> parameters = new HashMap<>();
    return jdbc.sql(machines("count(*)", container, "", parameters))
        .params(parameters)
        .query(Integer.class)
        .single();
  }

  private static String machines(
      String columns, @Nullable UUID container, String after, Map<String, Object> parameters) {
    String of = MACHINES;
    if (!after.isEmpty()) {
      of += BEHIND_MACHINE;
      parameters.put("after", after);
    }
    if (container != null) {
      of += " and v.container_id = :container";
      parameters.put("container", container);
    }
    return "select %s from (%s) as machines%s"
        .formatted(columns, of, container == null ? "" : OF_CONTAINER);
  }

  /// The volumes of machines, in order of creation.
  List<MachineVolume> ofMachines(Collection<String> machines) {
    return machines.isEmpty()
        ? List.of()
        : jdbc.sql(MACHINE_VOLUMES)
            .param("starts", machines.stream().map(ListRepository::start).toArray(String[]::new))
            .param("machines", machines.toArray(String[]::new))
            .query(ListRepository::machineVolume)
            .list();
  }

  /// As PostgreSQL's left(value, 200), which counts characters.
  private static String start(String value) {
    return value.codePointCount(0, value.length()) <= 200
        ? value
        : value.substring(0, value.offsetByCodePoints(0, 200));
  }

  private static MachineVolume machineVolume(ResultSet row, int number) throws SQLException {
    return new MachineVolume(
        row.getString("machine"),
        id(row, "id"),
        row.getObject("container_id", UUID.class),
        VolumeType.valueOf(row.getString("type")),
        row.getLong("size_bytes"),
        row.getString("name"));
  }

  /// How many vVols and machines each container has; those without any are left out.
  Map<UUID, VirtualVolumes.Count> perContainer() {
    Map<UUID, VirtualVolumes.Count> counts = new HashMap<>();
    jdbc.sql(
            """
            select v.container_id, count(*) as volumes, count(distinct m.value) as machines
              from volume v left join volume_metadata m
                on m.volume_id = v.id and m.key = :key and m.value ~ '\\S'
             group by v.container_id
            """)
        .param("key", MACHINE_KEY)
        .query(
            row -> {
              counts.put(
                  row.getObject("container_id", UUID.class),
                  new VirtualVolumes.Count(row.getLong("volumes"), row.getLong("machines")));
            });
    return counts;
  }

  private static VolumeId id(ResultSet row, String column) throws SQLException {
    return new VolumeId(row.getObject(column, UUID.class));
  }

  private static UUID[] ids(Collection<VolumeId> volumes) {
    return volumes.stream().map(VolumeId::value).toArray(UUID[]::new);
  }
}
