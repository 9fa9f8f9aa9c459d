package io.coppice.vasa.volume.store;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.sort.SortColumns;
import io.coppice.vasa.sort.SortKind;
import io.coppice.vasa.viewer.Viewer;
import io.coppice.vasa.volume.LabelFilter;
import io.coppice.vasa.volume.ListedMachine;
import io.coppice.vasa.volume.SnapshotChoice;
import io.coppice.vasa.volume.VirtualMachineVolume;
import io.coppice.vasa.volume.VirtualVolume;
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

  /// What volumes and snapshots are sorted by.
  static final SortColumns SORTS =
      SortColumns.of("id", SortKind.ID)
          .with("created", "created_at", SortKind.TIME)
          .with("name", "sort_name", SortKind.TEXT)
          .with("size", "size_bytes", SortKind.NUMBER);

  private static final SortColumns MACHINE_SORTS =
      SortColumns.of("machine", SortKind.TEXT)
          .with("id", "machine", SortKind.TEXT)
          .with("name", "name", SortKind.TEXT)
          .with("provisioned", "provisioned", SortKind.NUMBER);

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
  static final String OF_MACHINE =
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

  /// Machines with what they are sorted by. Their names and containers are those of their config
  /// vVols, or else of their first ones.
  private static final String SORTED_MACHINES =
      """
      (select own.machine, own.provisioned, main.sort_name as name, main.container_id
         from (select m.value collate "C" as machine,
                      sum(v.size_bytes)::bigint as provisioned,
                      (array_agg(v.id order by v.type <> 'CONFIG', v.created_at, v.id))[1] as main
                 from volume v
                cross join lateral (select value from volume_metadata
                                     where volume_id = v.id and key = 'VMW_VmID' limit 1) as m
                where v.state = 'READY' and not v.snapshot and m.value ~ '\\S'
                group by m.value collate "C") as own
         join volume main on main.id = own.main) as machines
      """;

  private static final String MACHINES_NAMED =
      """
      select distinct of.value as machine
        from volume_metadata called join volume_metadata of on of.volume_id = called.volume_id
       where called.key = 'VMW_VVolName' and left(called.value, 200) = left(:name, 200)
         and called.value = :name and of.key = 'VMW_VmID' and of.value ~ '\\S'
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

  /// The condition of a choice of volumes on `volume`, from `where` on.
  static String where(VolumeChoice chosen) {
    return "where state = 'READY' and not snapshot"
        + (chosen.container() == null ? "" : " and container_id = :container")
        + (chosen.type() == null ? "" : " and type = :type")
        + (chosen.origin() == null ? "" : " and origin = '" + chosen.origin().name() + "'")
        + (chosen.name() == null ? "" : having("nameKey", "name"))
        + (chosen.policy() == null ? "" : " and profile_id = :policy")
        + labelled(chosen.labels())
        + (chosen.judged() ? " and profile_id is not null" : "");
  }

  static Map<String, Object> parameters(VolumeChoice chosen) {
    Map<String, Object> parameters = new HashMap<>();
    if (chosen.container() != null) {
      parameters.put("container", chosen.container());
    }
    if (chosen.type() != null) {
      parameters.put("type", chosen.type().name());
    }
    if (chosen.name() != null) {
      parameters.put("nameKey", VolumeChoice.NAME_KEY);
      parameters.put("name", chosen.name());
    }
    if (chosen.policy() != null) {
      parameters.put("policy", chosen.policy());
    }
    putLabels(chosen.labels(), parameters);
    return parameters;
  }

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

  /// The volume with the name that it was sorted by. If it was renamed before its metadata was
  /// read, its new name is no place in this part.
  static VirtualVolume named(VirtualVolume volume, String sorted) {
    if (SortKind.key(volume.metadata().get(VolumeChoice.NAME_KEY)).equals(sorted)) {
      return volume;
    }
    Map<String, String> metadata = new HashMap<>(volume.metadata());
    metadata.remove(VolumeChoice.NAME_KEY);
    if (!sorted.isEmpty()) {
      metadata.put(VolumeChoice.NAME_KEY, sorted);
    }
    return volume.withMetadata(metadata);
  }

  /// As [VirtualVolumes#machines]. In the order of their ids, nothing is read that is not shown.
  public List<ListedMachine> machines(@Nullable UUID container, RowOrder order, int limit) {
    return order.field().equals("id") && !order.descending()
        ? machines(container, order.after(), limit)
        : sortedMachines(container, order, limit);
  }

  /// Reads all volumes.
  private List<ListedMachine> sortedMachines(@Nullable UUID container, RowOrder order, int limit) {
    Map<String, Object> parameters = new HashMap<>(MACHINE_SORTS.parameters(order));
    String inside = "";
    if (container != null) {
      parameters.put("container", container);
      inside = " and container_id = :container";
    }
    return jdbc.sql(
            "select machine, %s as place from %s where true%s%s%s limit %d"
                .formatted(
                    MACHINE_SORTS.expression(order),
                    SORTED_MACHINES,
                    inside,
                    MACHINE_SORTS.behind(order),
                    MACHINE_SORTS.orderBy(order),
                    limit))
        .params(parameters)
        .query((row, _) -> new ListedMachine(row.getString("machine"), place(row, order)))
        .list();
  }

  private static String place(ResultSet row, RowOrder order) throws SQLException {
    return order.field().equals("provisioned")
        ? SortKind.key(row.getLong("place"))
        : row.getString("place");
  }

  /// Ids of the machines that have a volume of a name, a snapshot perhaps.
  public List<String> machinesNamed(String name) {
    return jdbc.sql(MACHINES_NAMED)
        .param("name", name)
        .query((row, _) -> row.getString("machine"))
        .list();
  }

  private List<ListedMachine> machines(
      @Nullable UUID container, RowOrder.@Nullable Mark after, int limit) {
    Map<String, Object> parameters = new HashMap<>();
    String behind = "";
    if (after != null) {
      parameters.put("after", after.id());
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
    return jdbc.sql(sql)
        .params(parameters)
        .query((row, _) -> ListedMachine.byId(row.getString("machine")))
        .list();
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
            .param("starts", machines.stream().map(SortKind::key).toArray(String[]::new))
            .param("machines", machines.toArray(String[]::new))
            .query(ListRepository::machineVolume)
            .list();
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
