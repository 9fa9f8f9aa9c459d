package io.coppice.vasa.event;

import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.testing.ControlPlane;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a client gets that asks for what came after its last event or alarm.
class EventLogTest {

  private static final int KEPT = 100;
  private static final int PER_REPLY = 30;

  private ControlPlane plane;
  private EventLog events;
  private Alarms alarms;

  @BeforeEach
  void open() {
    plane = new ControlPlane();
    var settings = new EventSettings(KEPT, PER_REPLY);
    events = new EventLog(plane.jdbc, plane.transactions, settings, plane.clock);
    alarms = new Alarms(plane.jdbc, plane.transactions, settings, plane.clock);
  }

  @Test
  void clientThatKeepsUpGetsEveryEventOnceAndInOrder() {
    append(2 * PER_REPLY + 5);

    List<Long> first = after(-1);
    List<Long> second = after(first.getLast());
    List<Long> third = after(second.getLast());

    assertThat(first).hasSize(PER_REPLY).startsWith(1L);
    assertThat(second).hasSize(PER_REPLY).startsWith(1L + PER_REPLY);
    assertThat(third).hasSize(5).endsWith(2L * PER_REPLY + 5);
    assertThat(after(third.getLast())).isEmpty();
    assertThat(after(0)).isEqualTo(first);
  }

  @Test
  void clientWhoseLastEventIsTooOldIsToldThatItLostSome() {
    append(4 * KEPT);
    long oldest = after(-1).getFirst();
    long newest = 4 * KEPT;

    assertThat(oldest).isGreaterThan(1);
    assertThat(newest - oldest + 1).isBetween((long) KEPT, 2L * KEPT);
    assertFault("LostEvent", () -> after(0));
    assertFault("LostEvent", () -> after(oldest - 2));
    assertThat(after(oldest - 1)).startsWith(oldest);
    assertThat(after(newest)).isEmpty();
  }

  @Test
  void clientOfAnotherDatabaseIsToldThatItLostSome() {
    append(3);

    assertFault("LostEvent", () -> after(4));
    assertFault("LostEvent", () -> after(Long.MAX_VALUE));
    assertFault("InvalidArgument", () -> after(-2));
    assertFault("InvalidArgument", () -> after(Long.MIN_VALUE));
  }

  @Test
  void alarmsAreLostInTheSameWay() {
    var subject = new Alarms.Subject("SpaceCapacity", "StorageContainer", "c1", "c1");
    plane.transactions.executeWithoutResult(
        _ -> {
          for (int i = 0; i < 4 * KEPT; i++) {
            alarms.report(
                subject,
                i % 2 == 0 ? RaisedAlarm.Status.RED : RaisedAlarm.Status.YELLOW,
                "io.coppice.alarm.test",
                Map.of());
          }
        });
    long oldest = alarms.after(-1).getFirst().id();

    assertThat(oldest).isGreaterThan(1);
    assertFault("LostAlarm", () -> alarms.after(oldest - 2));
    assertFault("LostAlarm", () -> alarms.after(4 * KEPT + 1));
    assertFault("InvalidArgument", () -> alarms.after(-2));
    assertThat(alarms.after(oldest - 1)).hasSize(PER_REPLY);
    assertThat(alarms.after(4 * KEPT)).isEmpty();
  }

  private void append(int count) {
    plane.transactions.executeWithoutResult(
        _ -> {
          for (int i = 0; i < count; i++) {
            events.append(
                NewEvent.config(
                    ChangeKind.NEW, ObjectType.STORAGE_CONTAINER, "c" + i, "io.coppice.event.c"));
          }
        });
  }

  private List<Long> after(long last) {
    return events.after(last, "vc", Set.of()).stream().map(Event::id).toList();
  }
}
