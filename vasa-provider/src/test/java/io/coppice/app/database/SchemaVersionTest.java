package io.coppice.app.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.testing.TestDatabase;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

class SchemaVersionTest {

  @Test
  void aSchemaOfALaterVersionIsRefusedInOneSentence() {
    DataSource database = TestDatabase.fresh();
    JdbcClient jdbc = JdbcClient.create(database);
    Flyway flyway = Flyway.configure().dataSource(database).load();
    assertThat(
            jdbc.sql("SELECT max(version::int) FROM flyway_schema_history")
                .query(Integer.class)
                .single())
        .isEqualTo(SchemaVersion.newest());
    assertThat(SchemaVersion.newerThanKnown(flyway)).isEmpty();

    jdbc.sql(
            """
            INSERT INTO flyway_schema_history
            VALUES (999, '999', 'later', 'SQL', 'V999__later.sql', 1, 'x', now(), 1, true)
            """)
        .update();

    assertThat(SchemaVersion.newerThanKnown(flyway))
        .hasValueSatisfying(
            sentence ->
                assertThat(sentence)
                    .contains("version 999", "up to " + SchemaVersion.newest(), "newer Coppice"));
  }

  @Test
  void aStepThatFailedIsNamed() {
    DataSource database = TestDatabase.fresh();
    Flyway flyway = Flyway.configure().dataSource(database).load();
    assertThat(SchemaVersion.halfUpgraded(flyway)).isEmpty();

    JdbcClient.create(database)
        .sql("UPDATE flyway_schema_history SET success = false WHERE version = '77'")
        .update();

    assertThat(SchemaVersion.halfUpgraded(flyway))
        .hasValueSatisfying(
            sentence -> assertThat(sentence).contains("step to version 77 failed", "restore"));
  }
}
