package io.coppice.app.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.coppice.engine.StorageEngine;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/// A pool and a database that do not belong together are told apart, and neither is changed.
class PoolLinkTest {

  private ControlPlane mine;
  private ControlPlane other;

  @BeforeEach
  void link() {
    mine = new ControlPlane();
    other = new ControlPlane();
    establish(mine.engine, mine.jdbc);
    establish(other.engine, other.jdbc);
  }

  @Test
  void linkIsMadeOnceAndHolds() {
    List<String> before = state(mine.engine, mine.jdbc);

    establish(mine.engine, mine.jdbc);

    assertThat(state(mine.engine, mine.jdbc)).isEqualTo(before).doesNotContain("none");
  }

  @Test
  void databaseOfAnotherPoolIsRefused() {
    assertRefused(
        mine.engine,
        other.jdbc,
        "The database belongs to the pool %s, but this is the pool %s: point coppice.database.url or"
            + " coppice.pool.directory at the right one.",
        other.engine.pool().id(),
        mine.engine.pool().id());
  }

  @Test
  void newDatabaseForAKnownPoolIsRefused() {
    assertRefused(
        mine.engine,
        JdbcClient.create(TestDatabase.fresh()),
        "The pool %s belongs to the database %s, but this database is new: point"
            + " coppice.database.url at the right one, or, if that one is lost, start once with"
            + " \"coppice rebuild\".",
        mine.engine.pool().id(),
        mine.engine.records().find(PoolLink.RECORD).orElseThrow());
  }

  @Test
  void secondDatabaseThatNamesThePoolIsRefused() {
    JdbcClient copy = JdbcClient.create(TestDatabase.fresh());
    java.util.UUID id = java.util.UUID.randomUUID();
    copy.sql("INSERT INTO pool_link (pool_id, database_id, since) VALUES (?, ?, now())")
        .params(mine.engine.pool().id(), id)
        .update();

    assertRefused(
        mine.engine,
        copy,
        "The pool %s belongs to the database %s, but this is the database %s: point"
            + " coppice.database.url at the right one, or, if that one is lost, start once with"
            + " \"coppice rebuild\".",
        mine.engine.pool().id(),
        mine.engine.records().find(PoolLink.RECORD).orElseThrow(),
        id);
  }

  @Test
  void crashBetweenRowAndRecordIsMended() {
    ControlPlane third = new ControlPlane();
    java.util.UUID id = java.util.UUID.randomUUID();
    third
        .jdbc
        .sql("INSERT INTO pool_link (pool_id, database_id, since) VALUES (?, ?, now())")
        .params(third.engine.pool().id(), id)
        .update();

    establish(third.engine, third.jdbc);

    assertThat(third.engine.records().find(PoolLink.RECORD)).contains(id.toString());
  }

  @Test
  void rebuildGivesThePoolToANewDatabase() {
    JdbcClient fresh = JdbcClient.create(TestDatabase.fresh());

    new PoolLink(mine.engine, fresh, mine.clock).establish(true);

    assertThat(state(mine.engine, fresh).getFirst())
        .isEqualTo(mine.engine.pool().id() + " " + state(mine.engine, fresh).getLast());
    establish(mine.engine, fresh);
    assertThatExceptionOfType(PoolLink.MismatchException.class)
        .isThrownBy(() -> establish(mine.engine, mine.jdbc));
  }

  @Test
  void rebuildGivesThePoolToAnOlderCopyOfItsDatabase() {
    JdbcClient copy = JdbcClient.create(TestDatabase.fresh());
    java.util.UUID id = java.util.UUID.randomUUID();
    copy.sql("INSERT INTO pool_link (pool_id, database_id, since) VALUES (?, ?, now())")
        .params(mine.engine.pool().id(), id)
        .update();

    new PoolLink(mine.engine, copy, mine.clock).establish(true);

    assertThat(mine.engine.records().find(PoolLink.RECORD)).contains(id.toString());
  }

  @Test
  void rebuildDoesNotTakeTheDatabaseOfAnotherPool() {
    List<String> before = state(mine.engine, other.jdbc);

    assertThatExceptionOfType(PoolLink.MismatchException.class)
        .isThrownBy(() -> new PoolLink(mine.engine, other.jdbc, mine.clock).establish(true))
        .withMessageStartingWith("The database belongs to the pool " + other.engine.pool().id());
    assertThat(state(mine.engine, other.jdbc)).isEqualTo(before);
  }

  private void assertRefused(
      StorageEngine engine, JdbcClient jdbc, String sentence, Object... values) {
    List<String> before = state(engine, jdbc);
    assertThatExceptionOfType(PoolLink.MismatchException.class)
        .isThrownBy(() -> establish(engine, jdbc))
        .withMessage(sentence.formatted(values));
    assertThat(state(engine, jdbc)).isEqualTo(before);
  }

  private void establish(StorageEngine engine, JdbcClient jdbc) {
    new PoolLink(engine, jdbc, mine.clock).establish(false);
  }

  private static List<String> state(StorageEngine engine, JdbcClient jdbc) {
    String row =
        jdbc.sql("SELECT pool_id || ' ' || database_id FROM pool_link")
            .query(String.class)
            .optional()
            .orElse("none");
    return List.of(row, engine.records().find(PoolLink.RECORD).orElse("none"));
  }
}
