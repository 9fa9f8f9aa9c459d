package io.coppice.vasa.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.coppice.vasa.testing.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The writing of the trail: many callers, a database that is away, a disk without room.
class AuditLogTest {

  @TempDir Path folder;

  @Test
  void manyCallersGetNumbersWithoutGapsAndShareCommits() throws Exception {
    HikariDataSource database = new HikariDataSource();
    database.setDataSource(TestDatabase.fresh());
    database.setMaximumPoolSize(4);
    try (AuditSite site = new AuditSite(folder, database, 100_000)) {
      site.trail.start();
      Set<String> answered = new TreeSet<>();
      try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<List<String>>> all = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
          int caller = i;
          all.add(callers.submit(() -> calls(site, caller)));
        }
        for (Future<List<String>> one : all) {
          answered.addAll(one.get());
        }
      }
      List<AuditEntry> entries = site.trail.rows().following(0, 10_000);
      assertThat(entries)
          .extracting(AuditEntry::seq)
          .isEqualTo(LongStream.rangeClosed(1, 32 * 25).boxed().toList());
      assertThat(entries)
          .extracting(entry -> entry.recorded().object())
          .containsExactlyInAnyOrderElementsOf(answered);
      assertThat(site.verify().isIntact()).isTrue();
      assertThat(site.trail.entries().missed()).isZero();
    } finally {
      database.close();
    }
  }

  private static List<String> calls(AuditSite site, int caller) {
    List<String> done = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      String object = "%d-%d".formatted(caller, i);
      site.trail.entries().append(site.call(object));
      assertThat(
              site.jdbc
                  .sql("select count(*) from audit_entry where object = ?")
                  .param(object)
                  .query(Integer.class)
                  .single())
          .as("the answer waits for the record")
          .isOne();
      done.add(object);
    }
    return done;
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + 60_000_000_000L;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      java.util.concurrent.locks.LockSupport.parkNanos(10_000_000);
    }
  }

  private static List<String> objects(AuditSite site) {
    return site.trail.rows().following(0, 1000).stream()
        .map(entry -> entry.recorded().object())
        .toList();
  }

  @Test
  void recordsWaitOnDiskWhileTheDatabaseIsAwayAndComeInTheirOrder() {
    try (AuditSite site = new AuditSite(folder)) {
      site.trail.start();
      site.trail.entries().append(site.call("before"));
      site.usable.set(false);
      site.trail.entries().append(site.call("first away"));
      site.trail.entries().append(site.call("second away"));
      assertThat(objects(site)).containsExactly("before");
      assertThat(site.trail.entries().spooled()).isPositive();

      site.usable.set(true);
      site.trail.entries().append(site.call("after"));
      await(() -> objects(site).size() == 4);
      assertThat(objects(site)).containsExactly("before", "first away", "second away", "after");
      await(() -> site.trail.entries().spooled() == 0);
      assertThat(site.verify().isIntact()).isTrue();
    }
  }

  @Test
  void recordsOnDiskOutliveTheProcessAndAreWrittenOnce() throws IOException {
    AuditSite site = new AuditSite(folder);
    site.usable.set(false);
    site.trail.start();
    for (int i = 0; i < 350; i++) {
      site.trail.entries().append(site.call("away-" + i));
    }
    byte[] spool = Files.readAllBytes(folder.resolve("spool"));
    site.trail.close(); // what a kill leaves is the same: each record was stable before its answer

    site.usable.set(true);
    site.trail = site.open();
    site.trail.start();
    await(() -> objects(site).size() == 350);
    site.trail.close();

    // As if the process had ended between the commit and the emptying of the file, and within a
    // write.
    Files.write(folder.resolve("spool"), spool);
    Files.write(folder.resolve("spool"), new byte[] {0, 0, 1, 0, 9, 9}, StandardOpenOption.APPEND);
    site.trail = site.open();
    site.trail.start();
    site.trail.entries().append(site.call("after"));
    await(() -> site.trail.entries().spooled() == 0);
    assertThat(objects(site)).hasSize(351).doesNotHaveDuplicates().endsWith("after");
    assertThat(site.verify().isIntact()).isTrue();
    site.close();
  }

  @Test
  void aDatabaseThatFailsInTheMiddleLosesNothing() {
    HikariDataSource database = new HikariDataSource();
    database.setDataSource(TestDatabase.fresh());
    try (AuditSite site = new AuditSite(folder, database, 1000)) {
      site.trail.start();
      site.write(3);
      site.jdbc.sql("alter table audit_entry rename to hidden").update();
      site.trail.entries().append(site.call("while it failed"));
      site.jdbc.sql("alter table hidden rename to audit_entry").update();
      await(() -> objects(site).size() == 4);
      assertThat(objects(site)).endsWith("while it failed");
      assertThat(site.verify().isIntact()).isTrue();
    }
    database.close();
  }

  @Test
  void whatFindsNoPlaceIsCountedAndTheCountFollows() throws IOException {
    try (AuditSite site = new AuditSite(folder)) {
      site.usable.set(false);
      Files.createDirectory(folder.resolve("spool")); // no file can be made there
      site.trail.start();
      site.trail.entries().append(site.call("lost"));
      site.trail.entries().append(site.call("lost, too"));
      assertThat(site.trail.entries().missed()).isEqualTo(2);

      Files.delete(folder.resolve("spool"));
      site.usable.set(true);
      await(() -> !site.trail.rows().following(0, 10).isEmpty());
      AuditRecord note = site.trail.rows().following(0, 10).getFirst().recorded();
      assertThat(note.action()).isEqualTo("audit.missed");
      assertThat(note.details()).containsExactly(Detail.after("count", "2"));
      assertThat(site.verify().isIntact()).isTrue();
    }
  }

  @Test
  void theSpoolHasALimit() throws IOException {
    AuditSpool spool = new AuditSpool(folder, 2000);
    try (AuditSite site = new AuditSite(folder.resolve("other"))) {
      int fitting = 0;
      try {
        while (true) {
          spool.append(List.of(site.call("one")));
          fitting++;
        }
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("expected room for");
      }
      assertThat(spool.size()).isPositive().isLessThanOrEqualTo(2000);
      assertThat(spool.all()).hasSize(fitting);
    }
  }

  @Test
  void aToolLeavesARecordThatTheProviderTakes() throws IOException {
    try (AuditSite site = new AuditSite(folder)) {
      AuditSpool.leave(folder, site.call("restored"));
      site.trail.start();
      await(() -> objects(site).contains("restored"));
      await(() -> noRecordIsLeft());
      assertThat(site.verify().isIntact()).isTrue();
    }
  }

  private boolean noRecordIsLeft() {
    try (var files = Files.list(folder)) {
      return files.noneMatch(file -> file.toString().endsWith(".record"));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
