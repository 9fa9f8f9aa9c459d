package io.coppice.app.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationState;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;

/// The versions of the database's schema that this build knows.
public final class SchemaVersion {

  private static final Pattern MIGRATION = Pattern.compile("V(\\d+)__.*\\.sql");

  private SchemaVersion() {}

  /// Versions of all migrations, ascending; not empty.
  public static TreeSet<Integer> known() {
    try {
      var versions = new TreeSet<Integer>();
      Arrays.stream(
              new PathMatchingResourcePatternResolver(SchemaVersion.class.getClassLoader())
                  .getResources("classpath*:db/migration/V*.sql"))
          .map(resource -> MIGRATION.matcher(String.valueOf(resource.getFilename())))
          .filter(Matcher::matches)
          .forEach(migration -> versions.add(Integer.valueOf(migration.group(1))));
      return versions;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Detects a schema of a later Coppice: this version would write what that one does not expect.
  ///
  /// @return what to do, as one sentence, if it is such a schema
  public static Optional<String> newerThanKnown(Flyway flyway) {
    return Arrays.stream(flyway.info().applied())
        .filter(applied -> applied.getState() == MigrationState.FUTURE_SUCCESS)
        .map(applied -> String.valueOf(applied.getVersion()))
        .reduce((_, last) -> last)
        .map(
            version ->
                ("The database's schema has version %s, which this Coppice does not know (it knows"
                        + " up to %d): start the newer Coppice that made it.")
                    .formatted(version, newest()));
  }

  /// Detects a schema whose upgrade has failed on the way: nobody knows what of that step was done.
  ///
  /// @return what to do, as one sentence, if it is such a schema
  public static Optional<String> halfUpgraded(Flyway flyway) {
    return Arrays.stream(flyway.info().applied())
        .filter(applied -> applied.getState().isFailed())
        .map(applied -> String.valueOf(applied.getVersion()))
        .findFirst()
        .map(
            ("The database's schema is half upgraded: the step to version %s failed. Nothing was"
                    + " changed now: restore the database from before the upgrade, or take an empty"
                    + " one and rebuild it from the pool.")
                ::formatted);
  }

  /// Newest version.
  public static int newest() {
    return known().last();
  }
}
