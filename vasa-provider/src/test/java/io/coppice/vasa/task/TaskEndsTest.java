package io.coppice.vasa.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.audit.AuditEntry;
import io.coppice.vasa.audit.AuditRecord;
import io.coppice.vasa.audit.AuditTrail;
import io.coppice.vasa.audit.Author;
import io.coppice.vasa.audit.ChangeNotes;
import io.coppice.vasa.audit.Channel;
import io.coppice.vasa.audit.Detail;
import io.coppice.vasa.audit.Outcome;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.testing.ControlPlane;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The ends of tasks that outlive their calls, in the audit trail.
class TaskEndsTest {

  private static final String COPY = "copyDiffsToVirtualVolume";

  private final ControlPlane plane = new ControlPlane();
  private final AuditTrail trail = plane.auditTrail();
  private final TaskEnds ends =
      new TaskEnds(plane.jdbc, trail.entries(), trail.rows(), plane.clock);

  @BeforeEach
  void start() {
    trail.start();
  }

  @AfterEach
  void close() {
    trail.close();
  }

  @Test
  void endNamesWhoBeganItAndTheEntryThatSaysSo() {
    String id = begun(true);
    assertThat(ends.writeDue()).as("it runs").isZero();
    plane.tasks.succeed(id, new TaskResult.None());

    assertThat(ends.writeDue()).isEqualTo(1);
    assertThat(ends.writeDue()).isZero();

    AuditRecord end = last();
    assertThat(end.action()).isEqualTo(TaskEnds.ACTION);
    assertThat(end.channel()).isEqualTo(Channel.COPPICE);
    assertThat(end.author()).isEqualTo(Author.COPPICE);
    assertThat(end.outcome()).isEqualTo(Outcome.DONE);
    assertThat(value(end, "job")).isEqualTo(id);
    assertThat(value(end, "begunBy")).isEqualTo("vCenter one");
    assertThat(value(end, "begunEntry")).isEqualTo("1");
    assertThat(trail.verify().isIntact()).isTrue();
  }

  @Test
  void failureAndCancellationAreToldApart() {
    String failed = begun(true);
    plane.tasks.fail(failed, new Fault.OutOfResource(), "the pool is full");
    ends.writeDue();
    AuditRecord failure = last();
    String cancelled = begun(true);
    plane.tasks.cancelled(cancelled);
    ends.writeDue();
    AuditRecord cancellation = last();

    assertThat(failure.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(failure.code()).isEqualTo("OutOfResource");
    assertThat(value(failure, "reason")).isEqualTo("the pool is full");
    assertThat(cancellation.outcome()).isEqualTo(Outcome.REFUSED);
    assertThat(cancellation.code()).isEqualTo("Cancelled");
  }

  @Test
  void endWaitsForTheEntryOfItsCallButNotForGood() {
    String id = begun(false);
    plane.tasks.succeed(id, new TaskResult.None());
    assertThat(ends.writeDue()).as("its call may still answer").isZero();

    plane.clock.advance(Duration.ofSeconds(61));

    assertThat(ends.writeDue()).isEqualTo(1);
    assertThat(value(last(), "begunEntry")).isEqualTo("none");
    assertThat(value(last(), "begunBy")).isEqualTo("vCenter one");
  }

  @Test
  void taskThatLostItsProcessHasAnEndToo() {
    String id = begun(true);
    plane.tasks.failOrphans(
        new Fault.StorageFault("io.coppice.fault.OperationUndone"), "cut short");

    assertThat(ends.writeDue()).isEqualTo(1);

    assertThat(value(last(), "job")).isEqualTo(id);
    assertThat(last().outcome()).isEqualTo(Outcome.FAILED);
  }

  @Test
  void crashBetweenEntryAndMarkWritesNoSecondEntry() {
    String id = begun(true);
    plane.tasks.succeed(id, new TaskResult.None());
    ends.writeDue();
    plane.tasks.endIsDue(id); // as if the process had ended before it took the mark away

    assertThat(ends.writeDue()).isZero();

    assertThat(plane.jdbc.sql("select count(*) from task where end_due").query(Long.class).single())
        .isZero();
    assertThat(trail.lastSeq()).isEqualTo(2);
  }

  @Test
  void dueEndIsKeptWhenItsTaskWouldBeForgotten() {
    String id = begun(true);
    plane.tasks.succeed(id, new TaskResult.None());
    plane.clock.advance(ControlPlane.KEPT.multipliedBy(2));
    plane.tasks.forgetOld(plane.time);

    assertThat(ends.writeDue()).isEqualTo(1);
    assertThat(plane.tasks.forgetOld(plane.time)).isEqualTo(1);
    assertThat(value(last(), "job")).isEqualTo(id);
  }

  @Test
  void taskThatEndedWithinItsCallHasNoEntryOfItsOwn() {
    plane.tasks.done("activateProviderEx");

    assertThat(ends.writeDue()).isZero();
  }

  /// Begins a task as a call does.
  ///
  /// @param answered whether the call has its entry
  private String begun(boolean answered) {
    String id = Tasks.idOf(COPY, UUID.randomUUID());
    ChangeNotes notes = new ChangeNotes();
    notes.call(
        () -> {
          Actor.vasa("vCenter one").run(() -> plane.tasks.beginLong(id, null));
          return true;
        });
    if (answered) {
      trail
          .entries()
          .append(
              new AuditRecord(
                  notes.recordId(),
                  plane.clock.instant(),
                  Channel.VASA,
                  new Author("vCenter one", null, null, null),
                  COPY,
                  null,
                  null,
                  Outcome.ACCEPTED,
                  null,
                  List.of()));
    }
    return id;
  }

  private AuditRecord last() {
    return trail.rows().find(trail.lastSeq()).map(AuditEntry::recorded).orElseThrow();
  }

  private static String value(AuditRecord recorded, String name) {
    return recorded.details().stream()
        .filter(detail -> detail.name().equals(name))
        .map(Detail::value)
        .map(value -> value == null ? "none" : value)
        .findFirst()
        .orElseThrow();
  }
}
