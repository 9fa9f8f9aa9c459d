package io.coppice.vasa.volume.store;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.viewer.Viewer;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Queries for volumes, snapshots and machines of which only a part of a name or id is known, among
/// those that the current [Viewer] is offered. Letters of ASCII match in either case. The first 200
/// characters of a name count. Each query by name looks at all names.
public final class NameSearch {

  private static final String POOL = "from volume v where v.state = 'READY' and ";

  /// The conditions that a text is, begins or is within another; `%s` is that one.
  private static final String EQUAL = "lower(%s) = lower(cast(:text as text) collate \"C\")";

  private static final String BEGINS = "lower(%s) like lower(cast(:begins as text) collate \"C\")";

  private static final String WITHIN = "lower(%s) like lower(cast(:within as text) collate \"C\")";

  private static final String RANK = "case when %s then 0 when %s then 1 when %s then 2 else 3 end";

  private static final String NAME = "v.sort_name";

  private static final String MACHINE = "(left(m.value, 200) collate \"C\")";

  /// Machines whose id matches, or the name of whose config vVol does.
  private static final String MACHINES =
      """
      select m.value as machine
        from volume_metadata m join volume v on v.id = m.volume_id
       where m.key = 'VMW_VmID' and m.value ~ '\\S' and v.state = 'READY' and not v.snapshot
         and (%1$s or v.type = 'CONFIG' and %2$s) and %3$s
       group by m.value
       order by min(least(%4$s, case when v.type = 'CONFIG' then %5$s else 3 end)),
                length(m.value), m.value
       limit\s""";

  private final JdbcClient jdbc;

  NameSearch(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// Volumes and snapshots whose name has a text in it, the best first: equal names, then those
  /// that begin with it; of each the shortest.
  public List<VolumeId> named(String text, int limit) {
    return matching(
            "select v.id "
                + POOL
                + WITHIN.formatted(NAME)
                + " and "
                + Viewer.sees("v.container_id")
                + " order by "
                + rank(NAME)
                + ", length(v.sort_name), v.sort_name, v.id limit "
                + limit,
            text)
        .query((row, _) -> ListRepository.id(row, "id"))
        .list();
  }

  /// Volumes and snapshots whose ids are within two, both included, in their order.
  public List<VolumeId> between(UUID first, UUID last, int limit) {
    return jdbc.sql(
            "select v.id "
                + POOL
                + "v.id between :first and :last and "
                + Viewer.sees("v.container_id")
                + " order by v.id limit "
                + limit)
        .param("first", first)
        .param("last", last)
        .query((row, _) -> ListRepository.id(row, "id"))
        .list();
  }

  /// Ids of machines that match, the best first, as [#named].
  public List<String> machines(String text, int limit) {
    return matching(
            MACHINES.formatted(
                    WITHIN.formatted(MACHINE),
                    WITHIN.formatted(NAME),
                    Viewer.sees("v.container_id"),
                    rank(MACHINE),
                    rank(NAME))
                + limit,
            text)
        .query((row, _) -> row.getString("machine"))
        .list();
  }

  private static String rank(String of) {
    return RANK.formatted(EQUAL.formatted(of), BEGINS.formatted(of), WITHIN.formatted(of));
  }

  private JdbcClient.StatementSpec matching(String sql, String text) {
    String escaped = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    return jdbc.sql(sql)
        .param("text", text)
        .param("begins", escaped + "%")
        .param("within", "%" + escaped + "%");
  }
}
