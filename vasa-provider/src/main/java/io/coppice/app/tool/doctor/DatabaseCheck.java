package io.coppice.app.tool.doctor;

import io.coppice.app.database.DatabaseAccess;
import io.coppice.app.database.SchemaVersion;
import io.coppice.engine.check.PoolHead;
import io.coppice.vasa.verdict.Cause;
import io.coppice.vasa.verdict.DatabaseJudge;
import io.coppice.vasa.verdict.Report;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;

/// The check of the database: it is reached, its version is known, and it is this pool's.
final class DatabaseCheck implements Check {

  private static final int OLDEST = 150000;
  private static final List<String> WHOLE =
      List.of("PG_VERSION", "global/pg_control", "postgresql.conf");

  @Override
  public void look(DoctorSubject site, Report report) {
    DatabaseFacts database = site.database();
    if (database.failure().isPresent()) {
      DatabaseJudge.away(
          site.settings().database().url(), site.home(), database.failure().get(), report);
    } else if (!database.reached()) {
      embeddedStopped(site, report);
    } else {
      server(site, database, report);
      schema(database, report);
      link(site, database, report);
    }
  }

  private static void embeddedStopped(DoctorSubject site, Report report) {
    Path data = site.home().resolve("database");
    if (!DatabaseAccess.exists(site.home())) {
      if (Files.exists(site.poolFile())) {
        report.fail(
            "database",
            Cause.DATABASE,
            "There is a pool, but its database %s is gone.".formatted(data),
            "bring that folder back, or restore a backup with \"./coppice restore\", or make it"
                + " anew from the pool with \"./coppice rebuild\".");
      } else {
        report.skip("database", "there is none yet; the first start makes it");
      }
      return;
    }
    for (String file : WHOLE) {
      if (!Files.exists(data.resolve(file))) {
        report.fail(
            "database",
            Cause.DATABASE,
            "The database's folder %s has no %s.".formatted(data, file),
            "bring the whole folder back, or move it away and use \"./coppice rebuild\".");
        return;
      }
    }
    Path password = site.home().resolve("database.password");
    if (!Files.exists(password)) {
      report.fail(
          "database",
          Cause.DATABASE,
          "The password %s is gone, which opens the database beside it.".formatted(password),
          "bring that file back, or move %s away and restore a backup or use \"./coppice rebuild\"."
              .formatted(data));
      return;
    }
    if (site.running()) {
      report.fail(
          "database",
          Cause.DATABASE,
          "The provider runs, but its embedded PostgreSQL does not.",
          "look into %s; the provider starts it again every few seconds."
              .formatted(site.home().resolve("log/postgres.log")));
      return;
    }
    report.ok("database", "whole, and stopped with the provider: what is in it was not looked at");
  }

  private static void server(DoctorSubject site, DatabaseFacts database, Report report) {
    String version = database.value("SHOW server_version").orElse("?");
    int number = database.value("SHOW server_version_num").map(Integer::valueOf).orElse(OLDEST);
    if (number < OLDEST) {
      report.fail(
          "database",
          Cause.DATABASE,
          "The database is PostgreSQL %s, expected 15 or newer.".formatted(version),
          "move it to a newer server.");
      return;
    }
    for (String setting : List.of("fsync", "synchronous_commit", "full_page_writes")) {
      boolean off = database.value("SHOW " + setting).filter("off"::equals).isPresent();
      if (off && site.settings().database().requireDurable()) {
        report.fail(
            "database",
            Cause.DATABASE,
            "The database has %s off, so that a commit there may be lost.".formatted(setting),
            "switch it on at the server.");
        return;
      }
    }
    report.ok("database", "PostgreSQL %s answers", version);
  }

  private static void schema(DatabaseFacts database, Report report) {
    List<String> applied =
        database.rows(
            "SELECT version FROM flyway_schema_history WHERE version IS NOT NULL AND success",
            row -> row.getString(1));
    if (applied.isEmpty()) {
      report.ok("schema", "none yet; the next start makes it");
      return;
    }
    TreeSet<Integer> known = SchemaVersion.known();
    TreeSet<Integer> unknown = new TreeSet<>();
    applied.stream()
        .filter(version -> version.matches("\\d{1,9}"))
        .map(Integer::valueOf)
        .filter(version -> !known.contains(version))
        .forEach(unknown::add);
    if (!unknown.isEmpty()) {
      report.fail(
          "schema",
          Cause.SCHEMA,
          "The database's schema has version %d, which this Coppice does not know: it knows up to %d."
              .formatted(unknown.last(), known.last()),
          "start the newer Coppice that made it, or restore a backup that this one made.");
    } else if (applied.size() < known.size()) {
      report.ok("schema", "older than this Coppice; the next start brings it to %d", known.last());
    } else {
      report.ok("schema", "version %d, as this Coppice needs it", known.last());
    }
  }

  private static void link(DoctorSubject site, DatabaseFacts database, Report report) {
    Optional<UUID> linked = database.value("SELECT pool_id FROM pool_link").map(UUID::fromString);
    Optional<UUID> pool = site.head().map(PoolHead::pool);
    if (linked.isEmpty() || pool.isEmpty()) {
      report.ok("pool link", "the database belongs to no pool yet");
    } else if (linked.equals(pool)) {
      report.ok("pool link", "the database belongs to this pool");
    } else {
      report.fail(
          "pool link",
          Cause.POOL_LINK,
          "The database belongs to the pool %s, but this is the pool %s."
              .formatted(linked.get(), pool.get()),
          "point coppice.database.url or coppice.pool.directory at the right one.");
    }
  }
}
