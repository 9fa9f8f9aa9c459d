package io.coppice.vasa.policy;

import io.coppice.scsi.limit.Limits;
import io.coppice.vasa.viewer.Viewer;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/// Rows of `storage_profile`, `storage_profile_container` and `default_profile`. Reads find what
/// the current [Viewer] is offered; a token that is bound to containers is told of its own only.
final class ProfileRepository {

  private static final String SELECT =
      """
      select p.*, array(select c.container_id from storage_profile_container c
                         where c.profile_id = p.id and %s order by c.container_id) as containers
        from storage_profile p
      """;

  private final JdbcClient jdbc;

  ProfileRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void insert(OfferedProfile profile) {
    bind(
            jdbc.sql(
                """
                insert into storage_profile (id, name, description, generation, author, created_at,
                                             space, interval_s, retention_s, max_iops, max_bandwidth,
                                             point_age_s, points_kept_s, points_locked_s)
                values (:id, :name, :description, :generation, :author, :created,
                        :space, :interval, :retention, :iops, :bandwidth, :age, :kept, :locked)
                """),
            profile)
        .param("author", profile.author())
        .param("created", profile.created().atOffset(ZoneOffset.UTC))
        .update();
    setContainers(profile);
  }

  /// @return whether the row had the generation before this one
  boolean update(OfferedProfile profile) {
    boolean updated =
        bind(
                    jdbc.sql(
                        """
                        update storage_profile
                           set name = :name, description = :description, generation = :generation,
                               space = :space, interval_s = :interval, retention_s = :retention,
                               max_iops = :iops, max_bandwidth = :bandwidth,
                               point_age_s = :age, points_kept_s = :kept, points_locked_s = :locked
                         where id = :id and generation = :generation - 1
                        """),
                    profile)
                .update()
            == 1;
    if (updated) {
      setContainers(profile);
    }
    return updated;
  }

  boolean delete(String id) {
    return jdbc.sql("delete from storage_profile where id = :id").param("id", id).update() == 1;
  }

  Optional<OfferedProfile> find(String id) {
    return jdbc.sql(select() + " where p.id = :id and " + seen())
        .param("id", id)
        .query(ProfileRepository::profile)
        .optional();
  }

  List<OfferedProfile> list() {
    return jdbc.sql(select() + " where %s order by p.name".formatted(seen()))
        .query(ProfileRepository::profile)
        .list();
  }

  private static String select() {
    String told = Viewer.boundToken().isEmpty() ? "true" : Viewer.sees("c.container_id");
    return SELECT.formatted(told);
  }

  /// The condition that a profile is offered everywhere, or in a container that the viewer sees.
  private static String seen() {
    return """
    (not exists (select 1 from storage_profile_container c where c.profile_id = p.id)
      or exists (select 1 from storage_profile_container c where c.profile_id = p.id and %s))
    """
        .formatted(Viewer.sees("c.container_id"));
  }

  void setDefault(UUID container, String type, @Nullable String profile) {
    jdbc.sql("delete from default_profile where container_id = :container and volume_type = :type")
        .param("container", container)
        .param("type", type)
        .update();
    if (profile != null) {
      jdbc.sql(
              """
              insert into default_profile (container_id, volume_type, profile_id)
              values (:container, :type, :profile)
              """)
          .param("container", container)
          .param("type", type)
          .param("profile", profile)
          .update();
    }
  }

  /// Profile ids by volume type.
  Map<String, String> defaults(UUID container) {
    Map<String, String> defaults = new LinkedHashMap<>();
    jdbc.sql(
            """
            select volume_type, profile_id from default_profile
             where container_id = :container order by volume_type
            """)
        .param("container", container)
        .query(
            row -> {
              defaults.put(row.getString("volume_type"), row.getString("profile_id"));
            });
    return defaults;
  }

  private void setContainers(OfferedProfile profile) {
    jdbc.sql("delete from storage_profile_container where profile_id = :id")
        .param("id", profile.id())
        .update();
    for (UUID container : profile.containers()) {
      jdbc.sql(
              """
              insert into storage_profile_container (profile_id, container_id)
              values (:id, :container)
              """)
          .param("id", profile.id())
          .param("container", container)
          .update();
    }
  }

  private static StatementSpec bind(StatementSpec sql, OfferedProfile profile) {
    SpaceEfficiency space = profile.requirements().space();
    return sql.param("id", profile.id())
        .param("name", profile.name())
        .param("description", profile.description())
        .param("generation", profile.generation())
        .param("space", space == null ? null : space.name())
        .param("interval", seconds(profile.requirements().snapshotInterval()))
        .param("retention", seconds(profile.requirements().snapshotRetention()))
        .param("iops", orNull(profile.requirements().limits().maxIops()))
        .param("bandwidth", orNull(profile.requirements().limits().maxBandwidth()))
        .param("age", seconds(profile.requirements().points().age()))
        .param("kept", seconds(profile.requirements().points().kept()))
        .param("locked", seconds(profile.requirements().points().locked()));
  }

  private static OfferedProfile profile(ResultSet row, int number) throws SQLException {
    String space = row.getString("space");
    return new OfferedProfile(
        row.getString("id"),
        row.getString("name"),
        row.getString("description"),
        row.getLong("generation"),
        row.getString("author"),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        new Requirements(
            space == null ? null : SpaceEfficiency.valueOf(space),
            duration(row.getObject("interval_s", Long.class)),
            duration(row.getObject("retention_s", Long.class)),
            new Limits(row.getLong("max_iops"), row.getLong("max_bandwidth")),
            new PointDemand(
                duration(row.getObject("point_age_s", Long.class)),
                duration(row.getObject("points_kept_s", Long.class)),
                duration(row.getObject("points_locked_s", Long.class)))),
        containers(row.getArray("containers")));
  }

  private static @Nullable Long orNull(long limit) {
    return limit == 0 ? null : limit;
  }

  private static Set<UUID> containers(Array array) throws SQLException {
    return Set.of((UUID[]) array.getArray());
  }

  private static @Nullable Duration duration(@Nullable Long seconds) {
    return seconds == null ? null : Duration.ofSeconds(seconds);
  }

  private static @Nullable Long seconds(@Nullable Duration duration) {
    return duration == null ? null : duration.toSeconds();
  }
}
