package io.coppice.vasa.volume.store;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.limit.Limits;
import io.coppice.vasa.policy.PointDemand;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.SpaceEfficiency;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.viewer.Viewer;
import io.coppice.vasa.volume.AppliedProfile;
import io.coppice.vasa.volume.SnapshotChoice;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.VvolState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Rows of `volume` and `volume_metadata`. Reads find what the current [Viewer] is offered and is
/// neither in the recycle bin nor out of use.
public final class VolumeRepository {

  private final JdbcClient jdbc;

  VolumeRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  public void insert(VirtualVolume volume, @Nullable OperationId operation) {
    jdbc.sql(
            """
            insert into volume (id, container_id, type, state, origin, snapshot, size_bytes, thick,
                                parent_id, operation_id, created_at)
            values (:id, :container, :type, :state, :origin, :snapshot, :size, :thick,
                    :parent, :operation, :created)
            """)
        .param("id", volume.id().value())
        .param("container", volume.container())
        .param("type", volume.type().name())
        .param("state", volume.state().name())
        .param("origin", volume.origin().name())
        .param("snapshot", volume.snapshot())
        .param("size", volume.sizeInBytes())
        .param("thick", volume.thick())
        .param("parent", value(volume.parent()))
        .param("operation", operation == null ? null : operation.value())
        .param("created", volume.created().atOffset(ZoneOffset.UTC))
        .update();
    setPolicy(volume.id(), volume.profile(), volume.requirements());
    putMetadata(volume.id(), volume.metadata());
  }

  public void setPolicy(
      VolumeId volume, @Nullable AppliedProfile profile, Requirements requirements) {
    SpaceEfficiency space = requirements.space();
    jdbc.sql(
            """
            update volume
               set profile_id = :profile, profile_generation = :generation, required_space = :space,
                   required_interval_s = :interval, required_retention_s = :retention,
                   required_iops = :iops, required_bandwidth = :bandwidth,
                   required_age_s = :age, required_kept_s = :kept, required_locked_s = :locked
             where id = :id
            """)
        .param("id", volume.value())
        .param("profile", profile == null ? null : profile.id())
        .param("generation", profile == null ? null : profile.generation())
        .param("space", space == null ? null : space.name())
        .param("interval", seconds(requirements.snapshotInterval()))
        .param("retention", seconds(requirements.snapshotRetention()))
        .param("iops", orNull(requirements.limits().maxIops()))
        .param("bandwidth", orNull(requirements.limits().maxBandwidth()))
        .param("age", seconds(requirements.points().age()))
        .param("kept", seconds(requirements.points().kept()))
        .param("locked", seconds(requirements.points().locked()))
        .update();
  }

  void ready(VolumeId volume, long sizeInBytes, boolean thick, Instant created) {
    jdbc.sql(
            """
            update volume
               set state = 'READY', operation_id = null, size_bytes = :size, thick = :thick,
                   created_at = :created, binned_at = null, purge_at = null, binned_why = null,
                   binned_by = null
             where id = :id
            """)
        .param("id", volume.value())
        .param("size", sizeInBytes)
        .param("thick", thick)
        .param("created", created.atOffset(ZoneOffset.UTC))
        .update();
  }

  /// Puts a final row out of use. What refers to it stays: the schedule rests until the volume
  /// comes back into use ([#ready]).
  ///
  /// @return whether the row was final
  boolean carry(VolumeId volume) {
    return jdbc.sql(
                """
                update volume
                   set state = 'CARRIER', operation_id = null, binned_at = null, purge_at = null,
                       binned_why = null, binned_by = null
                 where id = :id and state in ('READY', 'BINNED', 'CARRIER')
                """)
            .param("id", volume.value())
            .update()
        == 1;
  }

  /// Ids of the volumes that are out of use.
  public List<VolumeId> carriers() {
    return jdbc.sql("select id from volume where state = 'CARRIER'")
        .query((row, _) -> ListRepository.id(row, "id"))
        .list();
  }

  /// Sets the time, by the time that has passed, at which an operation made its volumes.
  public void setSeen(OperationId operation, Instant seen) {
    jdbc.sql("update volume set seen_at = :seen where operation_id = :operation")
        .param("seen", seen.atOffset(ZoneOffset.UTC))
        .param("operation", operation.value())
        .update();
  }

  /// Marks a prepared snapshot as being taken by `operation`, or, with null, as prepared again.
  public void setTaking(VolumeId snapshot, @Nullable OperationId operation) {
    jdbc.sql(
            """
            update volume
               set operation_id = :operation,
                   state = case when :taking then 'CREATING' else 'PREPARED' end
             where id = :id
            """)
        .param("id", snapshot.value())
        .param("operation", operation == null ? null : operation.value())
        .param("taking", operation != null)
        .update();
  }

  /// Sets the session that prepared a snapshot, and when, by the time that has passed.
  public void setPrepared(VolumeId snapshot, UUID session, Instant seen) {
    jdbc.sql("update volume set prepared_in = :session, prepared_at = :seen where id = :id")
        .param("id", snapshot.value())
        .param("session", session)
        .param("seen", seen.atOffset(ZoneOffset.UTC))
        .update();
  }

  /// Notes for prepared snapshots that their sessions have ended.
  ///
  /// @param live numbers of the sessions that have not ended
  public void abandonPrepared(Collection<UUID> live, Instant now) {
    jdbc.sql(
            """
            update volume set abandoned_at = ?
             where state = 'PREPARED' and abandoned_at is null
               and (prepared_in is null or prepared_in::text <> all (?))
            """)
        .param(now.atOffset(ZoneOffset.UTC))
        .param(live.stream().map(UUID::toString).toArray(String[]::new))
        .update();
  }

  /// Prepared snapshots whose session ended before one moment, that were prepared before another
  /// one, or whose volume is gone.
  public List<VolumeId> stalePrepared(Instant abandoned, Instant prepared, int limit) {
    return jdbc.sql(
            """
            select id from volume v
             where state = 'PREPARED'
               and (abandoned_at < :abandoned
                    or coalesce(prepared_at, created_at) < :prepared
                    or not exists (select 1 from volume
                                    where id = v.parent_id
                                      and state not in ('BINNED', 'CARRIER')))
             order by created_at, id limit :limit
            """)
        .param("abandoned", abandoned.atOffset(ZoneOffset.UTC))
        .param("prepared", prepared.atOffset(ZoneOffset.UTC))
        .param("limit", limit)
        .query((row, _) -> ListRepository.id(row, "id"))
        .list();
  }

  /// @return whether it was still only prepared
  public boolean deletePrepared(VolumeId snapshot) {
    return jdbc.sql("delete from volume where id = :id and state = 'PREPARED'")
            .param("id", snapshot.value())
            .update()
        > 0;
  }

  public void delete(VolumeId volume) {
    jdbc.sql("delete from volume where id = :id").param("id", volume.value()).update();
  }

  public void putMetadata(VolumeId volume, Map<String, String> pairs) {
    if (!pairs.isEmpty()) {
      List<Map.Entry<String, String>> entries = List.copyOf(pairs.entrySet());
      jdbc.sql(
              """
              insert into volume_metadata (volume_id, key, value)
              select :volume, p.key, p.value
                from unnest(cast(:keys as text[]), cast(:values as text[])) as p (key, value)
              on conflict (volume_id, key) do update set value = excluded.value
              """)
          .param("volume", volume.value())
          .param("keys", entries.stream().map(Map.Entry::getKey).toArray(String[]::new))
          .param("values", entries.stream().map(Map.Entry::getValue).toArray(String[]::new))
          .update();
    }
  }

  public void replaceMetadata(VolumeId volume, Map<String, String> pairs) {
    jdbc.sql("delete from volume_metadata where volume_id = :volume")
        .param("volume", volume.value())
        .update();
    putMetadata(volume, pairs);
  }

  public void removeMetadata(VolumeId volume, Collection<String> keys) {
    if (!keys.isEmpty()) {
      jdbc.sql("delete from volume_metadata where volume_id = :volume and key in (:keys)")
          .param("volume", volume.value())
          .param("keys", keys)
          .update();
    }
  }

  public Optional<VirtualVolume> find(VolumeId volume) {
    return list("where id = :id", Map.of("id", volume.value())).stream().findFirst();
  }

  public List<VirtualVolume> find(Collection<VolumeId> volumes) {
    return volumes.isEmpty()
        ? List.of()
        : withMetadata(
            jdbc.sql(
                    """
                    select v.* from unnest(cast(:ids as uuid[])) as p (wanted)
                    cross join lateral (select * from %s where id = p.wanted limit 1) as v
                    order by created_at, id
                    """
                        .formatted(offered()))
                .param("ids", ListRepository.ids(volumes.stream().distinct().toList()))
                .query(VolumeRepository::volume)
                .list());
  }

  /// The members of `volumes` in containers that the current [Viewer] may see.
  public Set<VolumeId> seen(Collection<VolumeId> volumes) {
    return volumes.isEmpty()
        ? Set.of()
        : Set.copyOf(
            jdbc.sql("select id from %s where id = any(:ids)".formatted(offered()))
                .param("ids", ListRepository.ids(volumes))
                .query((row, _) -> ListRepository.id(row, "id"))
                .list());
  }

  /// The members of `volumes` whose rows are final, in the bin or not.
  public Set<VolumeId> ready(Collection<VolumeId> volumes) {
    return volumes.isEmpty()
        ? Set.of()
        : Set.copyOf(
            jdbc.sql("select id from volume where state in ('READY', 'BINNED') and id = any(:ids)")
                .param("ids", ListRepository.ids(volumes))
                .query((row, _) -> ListRepository.id(row, "id"))
                .list());
  }

  public List<VirtualVolume> madeBy(OperationId operation) {
    return list("where operation_id = :operation", Map.of("operation", operation.value()));
  }

  /// Ids of the snapshots of a volume that are in the pool.
  public List<VolumeId> snapshotIds(VolumeId parent) {
    return jdbc.sql(
            "select id from volume where parent_id = :parent and snapshot and state = 'READY'")
        .param("parent", parent.value())
        .query((row, _) -> ListRepository.id(row, "id"))
        .list();
  }

  public List<VirtualVolume> snapshotsOf(VolumeId parent) {
    return list(
        "where parent_id = :parent and snapshot order by created_at, id",
        Map.of("parent", parent.value()));
  }

  public List<VirtualVolume> all() {
    return list("order by created_at, id", Map.of());
  }

  /// As [VirtualVolumes#page].
  public List<VirtualVolume> page(VolumeChoice chosen, int limit) {
    return list(page(chosen) + limit, ListRepository.parameters(chosen));
  }

  /// As [VirtualVolumes#page] in an order.
  public List<VirtualVolume> page(VolumeChoice chosen, RowOrder order, int limit) {
    return sorted(ListRepository.where(chosen), ListRepository.parameters(chosen), order, limit);
  }

  private List<VirtualVolume> sorted(
      String where, Map<String, Object> parameters, RowOrder order, int limit) {
    Map<String, Object> all = new HashMap<>(parameters);
    all.putAll(ListRepository.SORTS.parameters(order));
    String part = where + ListRepository.SORTS.behind(order) + ListRepository.SORTS.orderBy(order);
    Map<VolumeId, String> names = new HashMap<>();
    List<VirtualVolume> bare =
        jdbc.sql("select * from " + offered() + " " + part + " limit " + limit)
            .params(all)
            .query(
                (row, number) -> {
                  names.put(ListRepository.id(row, "id"), row.getString("sort_name"));
                  return volume(row, number);
                })
            .list();
    return withMetadata(bare).stream()
        .map(volume -> ListRepository.named(volume, names.getOrDefault(volume.id(), "")))
        .toList();
  }

  /// The volumes of [#page] without their metadata.
  public List<VirtualVolume> bare(VolumeChoice chosen, int limit) {
    return bare(page(chosen) + limit, ListRepository.parameters(chosen));
  }

  private static String page(VolumeChoice chosen) {
    return ListRepository.where(chosen)
        + ListRepository.behind(chosen.after())
        + " order by created_at, id limit ";
  }

  /// As [VirtualVolumes#snapshots].
  public List<VirtualVolume> page(SnapshotChoice chosen, RowOrder order, int limit) {
    return sorted(ListRepository.where(chosen), ListRepository.parameters(chosen), order, limit);
  }

  /// The number of snapshots.
  public int count(SnapshotChoice chosen) {
    return jdbc.sql("select count(*) from " + offered() + " " + ListRepository.where(chosen))
        .params(ListRepository.parameters(chosen))
        .query(Integer.class)
        .single();
  }

  /// The number of volumes, wherever the choice begins.
  public int count(VolumeChoice chosen) {
    return jdbc.sql("select count(*) from " + offered() + " " + ListRepository.where(chosen))
        .params(ListRepository.parameters(chosen))
        .query(Integer.class)
        .single();
  }

  /// Virtual volumes in the pool that have all of the pairs; an empty value stands for any. The
  /// array's own snapshots are left out.
  public List<VolumeId> search(Map<String, Optional<String>> pairs) {
    StringBuilder sql =
        new StringBuilder(
            "select id from volume v where state = 'READY'"
                + " and not (snapshot and origin in ('SCHEDULE', 'ADMIN')) and "
                + Viewer.sees("v.container_id"));
    Map<String, Object> parameters = new HashMap<>();
    int number = 0;
    for (Map.Entry<String, Optional<String>> pair : pairs.entrySet()) {
      sql.append(" and exists (select 1 from volume_metadata m where m.volume_id = v.id");
      sql.append(" and m.key = :k").append(number);
      parameters.put("k" + number, pair.getKey());
      if (pair.getValue().isPresent()) {
        sql.append(" and left(m.value, 200) = left(:v").append(number).append(", 200)");
        sql.append(" and m.value = :v").append(number);
        parameters.put("v" + number, pair.getValue().get());
      }
      sql.append(')');
      number++;
    }
    return jdbc.sql(sql + " order by created_at, id")
        .params(parameters)
        .query((row, _) -> ListRepository.id(row, "id"))
        .list();
  }

  /// The volumes that the current [Viewer] is offered, as a table, without those in the bin or out
  /// of use.
  private static String offered() {
    String condition = Viewer.sees("volume.container_id");
    return "(select * from volume where state not in ('BINNED', 'CARRIER') and %s) volume"
        .formatted(condition);
  }

  private List<VirtualVolume> bare(String where, Map<String, ?> parameters) {
    return jdbc.sql("select * from " + offered() + " " + where)
        .params(parameters)
        .query(VolumeRepository::volume)
        .list();
  }

  private List<VirtualVolume> list(String where, Map<String, ?> parameters) {
    return withMetadata(bare(where, parameters));
  }

  List<VirtualVolume> withMetadata(List<VirtualVolume> bare) {
    if (bare.isEmpty()) {
      return bare;
    }
    Map<VolumeId, Map<String, String>> metadata =
        metadata(bare.stream().map(VirtualVolume::id).toList());
    return bare.stream()
        .map(volume -> volume.withMetadata(metadata.getOrDefault(volume.id(), Map.of())))
        .toList();
  }

  private Map<VolumeId, Map<String, String>> metadata(List<VolumeId> volumes) {
    Map<VolumeId, Map<String, String>> found = new HashMap<>();
    jdbc.sql(
            """
            select m.* from unnest(cast(:ids as uuid[])) as p (id)
             cross join lateral (
               select volume_id, key, value from volume_metadata
                where volume_id = p.id offset 0) as m
            """)
        .param("ids", ListRepository.ids(volumes))
        .query(
            row -> {
              found
                  .computeIfAbsent(ListRepository.id(row, "volume_id"), _ -> new LinkedHashMap<>())
                  .put(row.getString("key"), row.getString("value"));
            });
    return found;
  }

  static VirtualVolume volume(ResultSet row, int number) throws SQLException {
    UUID parent = row.getObject("parent_id", UUID.class);
    String profile = row.getString("profile_id");
    return new VirtualVolume(
        ListRepository.id(row, "id"),
        row.getObject("container_id", UUID.class),
        VolumeType.valueOf(row.getString("type")),
        VvolState.valueOf(row.getString("state")),
        VolumeOrigin.valueOf(row.getString("origin")),
        row.getBoolean("snapshot"),
        row.getLong("size_bytes"),
        row.getBoolean("thick"),
        parent == null ? null : new VolumeId(parent),
        profile == null ? null : new AppliedProfile(profile, row.getLong("profile_generation")),
        requirements(row),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        Map.of());
  }

  private static Requirements requirements(ResultSet row) throws SQLException {
    String space = row.getString("required_space");
    return new Requirements(
        space == null ? null : SpaceEfficiency.valueOf(space),
        duration(row.getObject("required_interval_s", Long.class)),
        duration(row.getObject("required_retention_s", Long.class)),
        new Limits(row.getLong("required_iops"), row.getLong("required_bandwidth")),
        new PointDemand(
            duration(row.getObject("required_age_s", Long.class)),
            duration(row.getObject("required_kept_s", Long.class)),
            duration(row.getObject("required_locked_s", Long.class))));
  }

  private static @Nullable Duration duration(@Nullable Long seconds) {
    return seconds == null ? null : Duration.ofSeconds(seconds);
  }

  private static @Nullable Long seconds(@Nullable Duration duration) {
    return duration == null ? null : duration.toSeconds();
  }

  private static @Nullable Long orNull(long limit) {
    return limit == 0 ? null : limit;
  }

  private static @Nullable UUID value(@Nullable VolumeId volume) {
    return volume == null ? null : volume.value();
  }
}
