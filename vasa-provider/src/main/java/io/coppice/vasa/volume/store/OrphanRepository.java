package io.coppice.vasa.volume.store;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.viewer.Viewer;
import io.coppice.vasa.volume.Orphan;
import io.coppice.vasa.volume.OrphanChoice;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Rows of `volume` that may be orphans: as far as the database knows, nobody needs them. What the
/// pool alone knows, such as bindings, it cannot judge. Reads find what the current [Viewer] is
/// offered.
public final class OrphanRepository {

  /// The key, in the metadata of a clone that was made for a temporary export, of that export.
  public static final String EXPORT_KEY = "Coppice_TemporaryExport";

  /// All volumes and snapshots are looked at once, and the pairs that name virtual machines.
  private static final String ALONE =
      """
      (select v.*, 'VOLUME_GONE' as reason from volume v
        where v.state = 'READY' and v.snapshot
          and not exists (select 1 from volume parent where parent.id = v.parent_id)
       union all
       select v.*, case when own.value is null then 'NO_VM' else 'VM_GONE' end as reason
         from volume v
         left join volume_metadata own
           on own.volume_id = v.id and own.key = 'VMW_VmID' and own.value ~ '\\S'
        where v.state = 'READY' and not v.snapshot and v.origin in ('HOST', 'ADOPTED')
          and not exists (
            select 1 from volume_metadata named join volume config on config.id = named.volume_id
             where named.key = 'VMW_VmID' and named.value = own.value
               and config.state = 'READY' and not config.snapshot and config.type = 'CONFIG')
       union all
       select v.*, 'EXPORT_GONE' as reason from volume v
        where v.state = 'READY' and not v.snapshot and v.origin = 'ADMIN'
          and exists (select 1 from volume_metadata made
                       where made.volume_id = v.id and made.key = '%s')) volume
      """
          .formatted(EXPORT_KEY);

  private final JdbcClient jdbc;
  private final VolumeRepository rows;

  OrphanRepository(JdbcClient jdbc, VolumeRepository rows) {
    this.jdbc = jdbc;
    this.rows = rows;
  }

  /// The first of a choice.
  ///
  /// @param before when it was made at the latest
  /// @param order by `created`, by `name` or by `size`
  public List<Orphan> page(OrphanChoice chosen, Instant before, RowOrder order, int limit) {
    Map<String, Object> parameters = new HashMap<>(ListRepository.SORTS.parameters(order));
    parameters.put("before", before.atOffset(ZoneOffset.UTC));
    if (chosen.container() != null) {
      parameters.put("container", chosen.container());
    }
    if (chosen.name() != null) {
      parameters.put("nameKey", VolumeChoice.NAME_KEY);
      parameters.put("name", chosen.name());
    }
    Map<VolumeId, Orphan.Reason> reasons = new HashMap<>();
    List<VirtualVolume> bare =
        jdbc.sql(
                "select * from "
                    + ALONE
                    + where(chosen)
                    + ListRepository.SORTS.behind(order)
                    + ListRepository.SORTS.orderBy(order)
                    + " limit "
                    + limit)
            .params(parameters)
            .query(
                (row, number) -> {
                  reasons.put(
                      ListRepository.id(row, "id"), Orphan.Reason.valueOf(row.getString("reason")));
                  return VolumeRepository.volume(row, number);
                })
            .list();
    return rows.withMetadata(bare).stream()
        .map(volume -> new Orphan(volume, Objects.requireNonNull(reasons.get(volume.id()))))
        .toList();
  }

  private static String where(OrphanChoice chosen) {
    return " where created_at <= :before and "
        + Viewer.sees("volume.container_id")
        + (chosen.container() == null ? "" : " and container_id = :container")
        + (chosen.name() == null ? "" : ListRepository.having("nameKey", "name"));
  }
}
