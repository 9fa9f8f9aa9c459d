package io.coppice.vasa.testing;

import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Rows of [#VOLUMES] volumes and what hangs on them, as SQL makes them in a second or two: a
/// profile with a schedule each, [#SCHEDULED] snapshots of it, one snapshot of a host or an
/// administrator, a task, four to a machine. The pool knows none of them.
///
/// Rows of volumes come with their names, as the product names them before they are READY.
///
/// Of what is listed with a filter there are many and few: [#FEW] volumes are of type Swap, in a
/// container of their own and without a profile.
public final class Crowd {

  public static final int VOLUMES = 10_000;
  public static final int SCHEDULED = 3;
  public static final int FEW = 40;

  /// A volume with its snapshots. It and one of them are called `root`, all others `disk`. They
  /// have the label `called` with the same value.
  public static final UUID ONE = UUID.fromString("00000000-0000-4000-8000-000000005000");

  /// The machine of [#ONE].
  public static final String MACHINE = "vm-001250";

  private Crowd() {}

  /// @param many where most of the volumes are
  /// @param few where the others are
  public static void fill(JdbcClient jdbc, UUID many, UUID few) {
    for (String statement :
        STATEMENTS.formatted(many, few, VOLUMES, FEW, SCHEDULED, ONE).split(";\n")) {
      jdbc.sql(statement).update();
    }
  }

  private static final String STATEMENTS =
      """
      insert into volume (id, container_id, type, state, origin, snapshot, size_bytes, thick,
                          profile_id, profile_generation, required_interval_s,
                          required_retention_s, created_at, sort_name)
      select ('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid,
             (case when i < %4$d then '%2$s' else '%1$s' end)::uuid,
             case when i < %4$d then 'SWAP' when i %% 4 = 0 then 'CONFIG' else 'DATA' end,
             'READY', 'HOST', false, 1048576, false,
             case when i >= %4$d then 'p' end, case when i >= %4$d then 1 end,
             3600, 86400, timestamptz '2026-11-20 00:00:00Z' + i * interval '1 second',
             case lpad(i::text, 12, '0') when right('%6$s', 12) then 'root' else 'disk' end
        from generate_series(0, %3$d - 1) i;
      insert into volume_metadata (volume_id, key, value)
      select id, 'VMW_VmID', 'vm-' || lpad((substr(id::text, 25)::int / 4)::text, 6, '0')
        from volume;
      insert into snapshot_schedule (volume_id, interval_s, retention_s, since, next_run, last_run)
      select id, 3600, 86400, created_at, timestamptz '2100-01-01 00:00:00Z', created_at
        from volume;
      insert into volume (id, container_id, type, state, origin, snapshot, size_bytes, thick,
                          parent_id, required_retention_s, created_at, sort_name)
      select ('00000000-0000-4000-9' || lpad(n::text, 3, '0') || '-'
                || substr(v.id::text, 25))::uuid,
             v.container_id, v.type, 'READY',
             case when n > 0 then 'SCHEDULE' when v.type = 'CONFIG' then 'ADMIN' else 'HOST' end,
             true, 1048576, false, v.id, 86400,
             v.created_at + interval '1 day' + n * interval '1 hour',
             case when n > 0 then '' else v.sort_name end
        from volume v cross join generate_series(0, %5$d) n;
      insert into volume_metadata (volume_id, key, value)
      select id, 'VMW_VVolName', case right(id::text, 12) when right('%6$s', 12) then 'root'
                                                    else 'disk' end
        from volume where origin <> 'SCHEDULE';
      insert into volume_metadata (volume_id, key, value)
      select volume_id, 'Coppice_Label.called', value
        from volume_metadata where key = 'VMW_VVolName';
      insert into volume_metadata (volume_id, key, value)
      select id, 'Coppice_SnapshotGroup', substr(id::text, 25)
        from volume where origin = 'ADMIN';
      insert into task (id, name, state, started_at, finished_at)
      select 'listed:' || i, 'listed', 'SUCCESS',
             timestamptz '2026-11-20 00:00:00Z' + i * interval '1 second',
             timestamptz '2100-01-01 00:00:00Z'
        from generate_series(0, %3$d - 1) i;
      analyze
      """;
}
