package io.coppice.vasa.volume.store;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.viewer.Viewer;
import io.coppice.vasa.volume.LabelFilter;
import io.coppice.vasa.volume.SnapshotChoice;
import io.coppice.vasa.volume.VirtualMachineVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Queries on `volume` and `volume_metadata` for lists of thousands of volumes. A page takes a few
/// statements, whatever the number of its items, and reads no row that it does not show.
public final class ListRepository {

  /// One look into the primary key for each volume, whatever the planner counts: its other way
  /// reads the values of all volumes.
  private static final String VALUES =
      """
      select p.id as volume_id, m.value
        from unnest(cast(:ids as uuid[])) as p (id)
       cross join lateral (
         select value from volume_metadata where volume_id = p.id and key = :key limit 1) as m
      """;

  /// Volumes that have the machine's id themselves.
  private static final String OF_MACHINE =
      """
      (select volume_id from volume_metadata
        where key = 'VMW_VmID' and left(value, 200) collate "C" = left(:machine, 200)
          and value = :machine and value ~ '\\S')
      """;

  /// The next machine behind another that has a vVol in the pool; `%s` is the place of the other.
  private static final String NEXT_MACHINE =
      """
      select left(m.value, 200) collate "C" as start, m.value collate "C" as machine
        from volume_metadata m
       where m.key = 'VMW_VmID' and m.value ~ '\\S' %s
         and exists (select 1 from volume v
                      where v.id = m.volume_id and v.state = 'READY' and not v.snapshot)
       order by left(m.value, 200) collate "C", m.value collate "C" limit 1
      """;

  private static final String BEHIND =
      "and (left(m.value, 200) collate \"C\", m.value collate \"C\") > (%s, %s)";

  /// One step for each machine, in their order. Nothing behind the page is looked at.
  private static final String STEPS =
      """
      with recursive machines (start, machine) as (
        (%s)
        union all
        select following.start, following.machine from machines
         cross join lateral (%s) as following
      )
      select machine from machines limit %d
      """;

  /// Machines with a vVol, and those of them with one in a container.
  private static final String MACHINES =
      """
      select distinct left(m.value, 200) collate "C" as start, m.value collate "C" as machine
        from volume v
       cross join lateral (select value from volume_metadata
                            where volume_id = v.id and key = 'VMW_VmID' limit 1) as m
       where v.state = 'READY' and not v.snapshot and m.value ~ '\\S'
      """;

  private static final String IN_CONTAINER = " and v.container_id = :container";

  /// The container of a machine is that of its config vVol, or else of its first one. The query
  /// looks only at machines with a vVol in the container, one by one until the page is full.
  private static final String OF_CONTAINER =
      """
       where :container = (
         select w.container_id from volume w join volume_metadata o on o.volume_id = w.id
          where o.key = 'VMW_VmID' and left(o.value, 200) collate "C" = machines.start
            and o.value = machines.machine and w.state = 'READY' and not w.snapshot
          order by (w.type <> 'CONFIG'), w.created_at, w.id limit 1)
      """;

  private static final String MACHINE_VOLUMES =
      """
      select wanted.machine, v.id, v.container_id, v.type, v.size_bytes, n.value as name
        from unnest(cast(:starts as text[]), cast(:machines as text[])) as wanted (start, machine)
       cross join lateral (
         select volume_id from volume_metadata
          where key = 'VMW_VmID' and left(value, 200) collate "C" = wanted.start
            and value = wanted.machine offset 0) as m
       cross join lateral (
         select * from volume
          where id = m.volume_id and state = 'READY' and not snapshot limit 1) as v
        left join lateral (
         select value from volume_metadata
          where volume_id = v.id and key = 'VMW_VVolName' limit 1) as n on true
       order by v.created_at, v.id
      """;

  private final JdbcClient jdbc;

  ListRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// The values of a key, by volume. Volumes without the key are left out.
  public Map<VolumeId, String> values(String key, Collection<VolumeId> volumes) {
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

  /// Ids of all volumes in the pool that the current [Viewer] is offered, in order of creation.
  public List<VolumeId> ids() {
    return jdbc.sql("select id " + inPool() + " order by created_at, id")
        .query((row, _) -> id(row, "id"))
        .list();
  }

  /// The number of [#ids].
  public int count() {
    return jdbc.sql("select count(*) " + inPool()).query(Integer.class).single();
  }

  private static String inPool() {
    return "from volume v where state = 'READY' and " + Viewer.sees("v.container_id");
  }

  /// Snapshots of a machine: those that name it, and those that name none, of its volumes.
  private static final String SNAPSHOTS_OF_MACHINE =
      """
       and id in (
         select volume_id from %1$s as own
         union all
         select taken.id from volume taken
          where taken.state = 'READY' and taken.snapshot and taken.parent_id in %1$s
            and not exists (select 1 from volume_metadata o where o.volume_id = taken.id
                               and o.key = 'VMW_VmID' and o.value ~ '\\S'))
      """
          .formatted(OF_MACHINE);

  /// The condition of a choice of snapshots on `volume`, from `where` on. Origins stand in it in
  /// the form of the indexes' conditions: the planner would not know that a parameter meets these.
  static String where(SnapshotChoice chosen) {
    return "where state = 'READY' and snapshot"
        + (chosen.parents() == null ? "" : " and parent_id = any(:parents)")
        + (chosen.origins() == null ? "" : origins(chosen.origins()))
        + (chosen.group() == null ? "" : having("groupKey", "group"))
        + (chosen.name() == null ? "" : having("nameKey", "name"))
        + labelled(chosen.labels())
        + (chosen.machine() == null ? "" : SNAPSHOTS_OF_MACHINE);
  }

  /// The condition that a volume has a pair of metadata; its parts are names of parameters.
  static String having(String key, String value) {
    return (" and id in (select volume_id from volume_metadata where key = :%1$s"
            + " and left(value, 200) = left(:%2$s, 200) and value = :%2$s)")
        .formatted(key, value);
  }

  /// The conditions that a volume has labels; [#putLabels] sets their parameters.
  static String labelled(List<LabelFilter> labels) {
    StringBuilder conditions = new StringBuilder();
    for (int i = 0; i < labels.size(); i++) {
      conditions.append(
          labels.get(i).value() == null
              ? " and id in (select volume_id from volume_metadata where key = :labelKey%d)"
                  .formatted(i)
              : having("labelKey" + i, "label" + i));
    }
    return conditions.toString();
  }

  static void putLabels(List<LabelFilter> labels, Map<String, Object> parameters) {
    for (int i = 0; i < labels.size(); i++) {
      parameters.put("labelKey" + i, labels.get(i).metadataKey());
      String value = labels.get(i).value();
      if (value != null) {
        parameters.put("label" + i, value);
      }
    }
  }

  private static String origins(Set<VolumeOrigin> origins) {
    return origins.stream()
        .sorted()
        .map(origin -> "'" + origin.name() + "'")
        .collect(Collectors.joining(", ", " and origin in (", ")"));
  }

  static Map<String, Object> parameters(SnapshotChoice chosen) {
    Map<String, Object> parameters = new HashMap<>();
    if (chosen.parents() != null) {
      parameters.put("parents", ids(chosen.parents()));
    }
    if (chosen.group() != null) {
      parameters.put("groupKey", SnapshotChoice.GROUP_KEY);
      parameters.put("group", chosen.group());
    }
    if (chosen.name() != null) {
      parameters.put("nameKey", VolumeChoice.NAME_KEY);
      parameters.put("name", chosen.name());
    }
    putLabels(chosen.labels(), parameters);
    if (chosen.machine() != null) {
      parameters.put("machine", chosen.machine());
    }
    return parameters;
  }

  /// The condition that a row of `volume` comes behind a place in the order of creation. The place
  /// stands in the text: a plan that the server keeps for all places sorts all rows that may be
  /// behind one, instead of reading on in an index.
  static String behind(VolumeChoice.@Nullable Place after) {
    return after == null
        ? ""
        : " and (created_at, id) > (timestamptz '%s', uuid '%s')"
            .formatted(after.created(), after.id());
  }

  /// Ids of virtual machines, in their order.
  ///
  /// @param after those behind it; empty for the beginning
  public List<String> machines(@Nullable UUID container, String after, int limit) {
    Map<String, Object> parameters = new HashMap<>();
    String behind = "";
    if (!after.isEmpty()) {
      parameters.put("after", after);
      behind = BEHIND.formatted("left(:after, 200)", ":after");
    }
    String sql =
        container == null
            ? STEPS.formatted(
                NEXT_MACHINE.formatted(behind),
                NEXT_MACHINE.formatted(BEHIND.formatted("machines.start", "machines.machine")),
                limit)
            : machines("machine", container, behind, parameters)
                + " order by start, machine limit "
                + limit;
    return jdbc.sql(sql).params(parameters).query((row, _) -> row.getString("machine")).list();
  }

  public int countMachines(@Nullable UUID container) {
    Map<String, Object> parameters = new HashMap<>();
    return jdbc.sql(machines("count(*)", container, "", parameters))
        .params(parameters)
        .query(Integer.class)
        .single();
  }

  /// Reads all volumes, or those of the container.
  private static String machines(
      String columns, @Nullable UUID container, String behind, Map<String, Object> parameters) {
    String of = MACHINES + behind;
    if (container != null) {
      of += IN_CONTAINER;
      parameters.put("container", container);
    }
    return "select %s from (%s) as machines%s"
        .formatted(columns, of, container == null ? "" : OF_CONTAINER);
  }

  /// The volumes of machines, in order of creation.
  public List<VirtualMachineVolume> ofMachines(Collection<String> machines) {
    return machines.isEmpty()
        ? List.of()
        : jdbc.sql(MACHINE_VOLUMES)
            .param("starts", machines.stream().map(ListRepository::start).toArray(String[]::new))
            .param("machines", machines.toArray(String[]::new))
            .query(ListRepository::machineVolume)
            .list();
  }

  /// The start of a value, as PostgreSQL's left(value, 200), which counts characters.
  private static String start(String value) {
    return value.codePointCount(0, value.length()) <= 200
        ? value
        : value.substring(0, value.offsetByCodePoints(0, 200));
  }

  private static VirtualMachineVolume machineVolume(ResultSet row, int number) throws SQLException {
    return new VirtualMachineVolume(
        row.getString("machine"),
        id(row, "id"),
        row.getObject("container_id", UUID.class),
        VolumeType.valueOf(row.getString("type")),
        row.getLong("size_bytes"),
        row.getString("name"));
  }

  /// The number of snapshots in each container that are only prepared, so that the pool does not
  /// know them. Containers without any are left out.
  public Map<UUID, Long> preparedPerContainer() {
    Map<UUID, Long> counts = new HashMap<>();
    jdbc.sql(
            "select container_id, count(*) as prepared from volume where state = 'PREPARED'"
                + " group by container_id")
        .query(
            row -> {
              counts.put(row.getObject("container_id", UUID.class), row.getLong("prepared"));
            });
    return counts;
  }

  static VolumeId id(ResultSet row, String column) throws SQLException {
    return new VolumeId(row.getObject(column, UUID.class));
  }

  static UUID[] ids(Collection<VolumeId> volumes) {
    return volumes.stream().map(VolumeId::value).toArray(UUID[]::new);
  }
}
