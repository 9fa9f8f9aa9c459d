package io.coppice.vasa.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Changes of others to the rows of the trail: each is found, with the first bad entry's number.
class ChainCheckTest {

  private static final int WRITTEN = 12;

  @TempDir Path folder;
  private AuditSite site;

  @BeforeEach
  void write() {
    site = new AuditSite(folder);
    site.trail.start();
    site.write(WRITTEN);
    assertThat(site.verify().isIntact()).as(site.verify().sentence()).isTrue();
  }

  @AfterEach
  void close() {
    site.close();
  }

  private void broken(long first, String sentence) {
    Verdict found = site.verify();
    assertThat(found.sentence()).contains(sentence);
    assertThat(found.isIntact()).isFalse();
    assertThat(found.firstBad()).isEqualTo(first);
  }

  private void change(String sql) {
    assertThat(site.jdbc.sql(sql).update()).isPositive();
  }

  @Test
  void everyColumnOfARowIsCovered() {
    List<String> changes =
        List.of(
            "record_id = gen_random_uuid()",
            "version = 2",
            "key_id = 'other'",
            "at = at + interval '1 microsecond'",
            "channel = 'vasa'",
            "account = account || 'x'",
            "token = null",
            "certificate = ''",
            "address = '192.0.2.8'",
            "action = 'GET'",
            "object = ''",
            "trace_id = null",
            "outcome = 'refused'",
            "code = ''",
            "detail_parts = array['asked', 'asked']",
            "detail_names = array['name', 'other']",
            "detail_values = array['silver', null]",
            "detail_values = array['gold', '']",
            "detail_values = array['gold']",
            "outcome = 'unknown'",
            "object = object || repeat('x', 600)",
            "previous = decode(repeat('ab', 32), 'hex')",
            "hash = decode(repeat('ab', 32), 'hex')",
            "hash = decode('ab', 'hex')");
    for (String change : changes) {
      site.jdbc
          .sql("create table if not exists copy as select * from audit_entry where seq = 5")
          .update();
      change("update audit_entry set %s where seq = 5".formatted(change));
      Verdict found = site.verify();
      assertThat(found.firstBad()).as(change + ": " + found.sentence()).isEqualTo(5L);
      change("delete from audit_entry where seq = 5");
      change("insert into audit_entry select * from copy");
      assertThat(site.verify().isIntact()).as("put back after " + change).isTrue();
    }
  }

  @Test
  void aRowThatIsRemovedInTheMiddleIsMissing() {
    change("delete from audit_entry where seq = 6");
    broken(6, "Entries 6 to 6 are missing.");
  }

  @Test
  void rowsThatAreRemovedAndNumberedAnewAreFound() {
    change("delete from audit_entry where seq = 6");
    change("update audit_entry set seq = seq - 1 where seq = 7");
    broken(6, "Entry 6 does not follow entry 5");
  }

  @Test
  void rowsThatAreRemovedAtTheEndAreMissing() {
    change("delete from audit_entry where seq > 9");
    broken(10, "Entries 10 to 12 are missing: the pool's head is 12.");
  }

  @Test
  void allRowsRemovedAreMissing() {
    change("delete from audit_entry");
    broken(1, "Entries 1 to 12 are missing");
  }

  @Test
  void rowsThatAreRemovedAtTheBeginningAreMissing() {
    change("delete from audit_entry where seq < 4");
    broken(1, "Entries 1 to 3 are missing, and no entry says that they were removed");
  }

  @Test
  void aRowThatIsAddedAtTheEndIsFound() {
    change(
        """
        insert into audit_entry select 13, gen_random_uuid(), version, key_id, at, channel, account,
          token, certificate, address, action, object, trace_id, outcome, code, detail_parts,
          detail_names, detail_values, hash, sha256('guessed') from audit_entry where seq = 12
        """);
    broken(13, "Entry 13 has another hash than its content");
  }

  @Test
  void aTableThatIsWrittenAnewWithoutTheKeyIsFound() {
    rewrite(AuditKey.of(AuditSite.key(8)));
    broken(1, "Entry 1 was written with the key");
    change("update audit_entry set key_id = '%s'".formatted(AuditSite.KEY.id()));
    broken(1, "Entry 1 has another hash than its content");
  }

  @Test
  void aTableThatIsWrittenAnewWithTheKeyIsFoundByTheHeadInThePool() {
    rewrite(AuditSite.KEY);
    broken(WRITTEN, "Entry 12 is another one than the pool's head: the chain was written anew.");
  }

  /// Writes all entries anew, with another account in the fifth one and recomputed hashes.
  private void rewrite(AuditKey key) {
    List<AuditEntry> before = site.trail.rows().following(0, 100);
    change("delete from audit_entry");
    ChainHead at = ChainHead.EMPTY;
    List<AuditEntry> after = new ArrayList<>();
    for (AuditEntry entry : before) {
      AuditRecord old = entry.recorded();
      AuditRecord forged =
          new AuditRecord(
              old.id(),
              old.at(),
              old.channel(),
              entry.seq() == 5 ? new Author("innocent", null, null, null) : old.author(),
              old.action(),
              old.object(),
              old.trace(),
              old.outcome(),
              old.code(),
              old.details());
      AuditEntry next = key.seal(at, forged);
      after.add(next);
      at = ChainHead.of(next);
    }
    site.trail.rows().insert(after);
  }

  @Test
  void aChainThatIsAheadOfThePoolIsRight() {
    site.trail.close();
    var record = new io.coppice.engine.RecordChange.Put(HeadRecord.KEY, headAt(7));
    site.engine.records().apply(io.coppice.engine.OperationId.random(), List.of(record));
    assertThat(site.verify().sentence())
        .isEqualTo("The chain is whole: entries 1 to 12, the head in the pool is 7.");

    site.trail = site.open();
    site.trail.start();
    site.write(1);
    assertThat(site.verify().sentence())
        .isEqualTo("The chain is whole: entries 1 to 13, the head in the pool is 13.");
  }

  private String headAt(long seq) {
    return "1 %d %s".formatted(seq, site.trail.rows().headAt(seq).orElseThrow().hash());
  }

  @Test
  void aChainWhoseHeadWasTakenFromThePoolIsBroken() {
    site.engine
        .records()
        .apply(
            io.coppice.engine.OperationId.random(),
            List.of(new io.coppice.engine.RecordChange.Remove(HeadRecord.KEY)));
    broken(1, "The pool has no head of the chain");
  }

  @Test
  void aStartOverLostRowsGoesOnBeyondThemAndSaysSo() {
    site.trail.close();
    change("delete from audit_entry where seq > 9");
    site.trail = site.open();
    site.trail.start();
    site.write(2);

    broken(10, "Entries 10 to 12 are missing.");
    AuditEntry first = site.trail.rows().following(9, 1).getFirst();
    assertThat(first.seq()).isEqualTo(13);
    assertThat(first.recorded().action()).isEqualTo("audit.broken");
    assertThat(site.trail.rows().last().orElseThrow().seq()).isEqualTo(15);
  }

  @Test
  void aStartOverAChainThatWasWrittenAnewKeepsTheEvidence() {
    site.trail.close();
    rewrite(AuditSite.KEY);
    site.trail = site.open();
    site.trail.start();
    site.write(1);
    broken(WRITTEN, "The provider found the chain broken at");
  }

  @Test
  void agedEntriesLeaveAnEntryAndTheRestStaysVerifiable() {
    site.clock.advance(Duration.ofDays(29));
    site.write(3);
    assertThat(site.trail.age()).isZero();
    site.clock.advance(Duration.ofDays(3));
    assertThat(site.trail.age()).isEqualTo(WRITTEN);

    AuditEntry removal = site.trail.rows().following(15, 1).getFirst();
    assertThat(removal.recorded().action()).isEqualTo("audit.age-out");
    assertThat(removal.recorded().details())
        .extracting(Detail::name, Detail::value)
        .contains(
            org.assertj.core.groups.Tuple.tuple("first", "1"),
            org.assertj.core.groups.Tuple.tuple("last", "12"),
            org.assertj.core.groups.Tuple.tuple("count", "12"));
    Verdict found = site.verify();
    assertThat(found.isIntact()).as(found.sentence()).isTrue();
    assertThat(List.of(found.first(), found.last(), found.removed()))
        .containsExactly(13L, 16L, 12L);

    site.clock.advance(Duration.ofDays(40));
    site.write(1);
    site.trail.age();
    assertThat(site.verify().isIntact()).as(site.verify().sentence()).isTrue();
    assertThat(site.verify().first()).isEqualTo(17);

    change("delete from audit_entry where seq = 17");
    broken(17, "Entries 17 to 17 are missing, and no entry says");
  }

  @Test
  void tooManyEntriesAreRemovedByNumber() {
    site.write(1000);
    assertThat(site.trail.age()).isEqualTo(112);
    Verdict found = site.verify();
    assertThat(found.isIntact()).as(found.sentence()).isTrue();
    assertThat(found.entries()).isEqualTo(901);
  }

  @Test
  void entriesThatWereChangedAreStillFoundAfterTheirRemoval() {
    change("update audit_entry set account = 'innocent' where seq = 3");
    site.clock.advance(Duration.ofDays(32));
    site.write(1);
    site.trail.age();
    broken(1, "Entry 3 has another hash than its content");
  }

  @Test
  void timesAreThoseOfTheDatabaseToTheMicrosecond() {
    assertThat(
            site.jdbc
                .sql("select at from audit_entry where seq = 1")
                .query(java.time.OffsetDateTime.class)
                .single()
                .withOffsetSameInstant(ZoneOffset.UTC)
                .toInstant())
        .isEqualTo(site.trail.rows().find(1).orElseThrow().recorded().at());
  }
}
