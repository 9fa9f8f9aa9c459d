package io.coppice.vasa.container;

import io.coppice.vasa.viewer.Viewer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Rows of `container`. Reads find what the current [Viewer] is offered.
final class ContainerRepository {

  private final JdbcClient jdbc;

  ContainerRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void insert(StorageContainer container) {
    jdbc.sql(
            """
            insert into container (id, name, quota_bytes, created_at, bin_s)
            values (:id, :name, :quota, :created, :bin)
            """)
        .param("id", container.id())
        .param("name", container.name())
        .param("quota", container.quotaInBytes())
        .param("created", container.created().atOffset(ZoneOffset.UTC))
        .param("bin", seconds(container.binTime()))
        .update();
  }

  /// Sets the time and gives up a lower one that waits.
  boolean setBinTime(UUID id, @Nullable Duration time) {
    return jdbc.sql(
                """
                update container set bin_s = :bin, bin_next_s = null, bin_next_at = null
                 where id = :id
                """)
            .param("id", id)
            .param("bin", seconds(time))
            .update()
        == 1;
  }

  boolean setLowerBinTime(UUID id, LowerBinTime lower) {
    return jdbc.sql("update container set bin_next_s = :bin, bin_next_at = :at where id = :id")
            .param("id", id)
            .param("bin", seconds(lower.time()))
            .param("at", lower.at().atOffset(ZoneOffset.UTC))
            .update()
        == 1;
  }

  /// Lets changes of a container's time take turns, until the transaction ends.
  void lock(UUID id) {
    jdbc.sql("select id from container where id = :id for update")
        .param("id", id)
        .query(UUID.class)
        .optional();
  }

  /// Containers whose lower time counts by now.
  List<UUID> lowered(Instant now) {
    return jdbc.sql("select id from container where bin_next_at <= :now")
        .param("now", now.atOffset(ZoneOffset.UTC))
        .query((row, _) -> Objects.requireNonNull(row.getObject("id", UUID.class)))
        .list();
  }

  private static @Nullable Long seconds(@Nullable Duration time) {
    return time == null ? null : time.toSeconds();
  }

  boolean update(UUID id, String name, long quotaInBytes) {
    return jdbc.sql("update container set name = :name, quota_bytes = :quota where id = :id")
            .param("id", id)
            .param("name", name)
            .param("quota", quotaInBytes)
            .update()
        == 1;
  }

  boolean delete(UUID id) {
    return jdbc.sql("delete from container where id = :id").param("id", id).update() == 1;
  }

  Optional<StorageContainer> find(UUID id) {
    return jdbc.sql("select * from container c where id = :id and " + Viewer.sees("c.id"))
        .param("id", id)
        .query(ContainerRepository::container)
        .optional();
  }

  List<StorageContainer> list() {
    return jdbc.sql(
            "select * from container c where %s order by name".formatted(Viewer.sees("c.id")))
        .query(ContainerRepository::container)
        .list();
  }

  private static StorageContainer container(ResultSet row, int number) throws SQLException {
    Long bin = row.getObject("bin_s", Long.class);
    return new StorageContainer(
        row.getObject("id", UUID.class),
        row.getString("name"),
        row.getLong("quota_bytes"),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        bin == null ? null : Duration.ofSeconds(bin),
        lower(row));
  }

  private static @Nullable LowerBinTime lower(ResultSet row) throws SQLException {
    OffsetDateTime at = row.getObject("bin_next_at", OffsetDateTime.class);
    Long next = row.getObject("bin_next_s", Long.class);
    return at == null
        ? null
        : new LowerBinTime(next == null ? null : Duration.ofSeconds(next), at.toInstant());
  }
}
