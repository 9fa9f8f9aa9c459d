package io.coppice.it;

import static io.coppice.it.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.soap.EventCalls;
import io.coppice.driver.soap.StorageEvent;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Events and alarms as clients poll for them, of a provider that keeps as few as it may.
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class VasaEventsIT {

  /// Fewest events that a provider can be told to keep.
  private static final int KEPT = 100;

  @RegisterExtension
  private static final SharedSite shared = new SharedSite("--coppice.vasa.events.kept=" + KEPT);

  @Test
  @Order(1)
  void eventsTellOfContainersInTheOrderOfTheirChanges() {
    EventCalls events = shared.site().vcenter().client().events();
    List<StorageEvent> before = events.getEvents(-1);
    assertThat(before)
        .filteredOn(event -> shared.site().container().equals(event.objectId()))
        .singleElement()
        .satisfies(event -> assertContainerEvent(event, "New"));
    long last = before.getLast().id();
    assertThat(events.getEvents(last)).isEmpty();

    String container = addContainer("told");
    shared.provider().rest().delete("containers/" + container);

    List<StorageEvent> after = events.getEvents(last);
    assertThat(after).hasSize(2).isSortedAccordingTo((a, b) -> Long.compare(a.id(), b.id()));
    assertThat(after).extracting(StorageEvent::objectId).containsOnly(container);
    assertContainerEvent(after.getFirst(), "New");
    assertContainerEvent(after.getLast(), "Delete");
    assertThat(events.getEvents(after.getFirst().id())).containsExactly(after.getLast());
    assertThat(events.getEvents(-1)).endsWith(after.getFirst(), after.getLast());
  }

  @Test
  @Order(2)
  void aHostGetsOnlyTheEventsThatItSubscribedTo() {
    assertThat(shared.site().host().client().events().getEvents(-1))
        .extracting(StorageEvent::type)
        .isSubsetOf("ConfigProtocolEndpoint", "Rebind");
  }

  @Test
  @Order(3)
  void eventsThatNeverWereAreRefused() {
    EventCalls events = shared.site().vcenter().client().events();
    long last = events.getEvents(-1).getLast().id();

    assertFault("an id below -1", "InvalidArgument", () -> events.getEvents(-2));
    assertFault("an id of the future", "LostEvent", () -> events.getEvents(last + 1000));
  }

  @Test
  @Order(4)
  void aClientThatStayedAwayTooLongLearnsThatItLostEvents() {
    EventCalls events = shared.site().vcenter().client().events();
    long seen = events.getEvents(-1).getFirst().id();

    for (int i = 0; i < KEPT; i++) {
      shared.provider().rest().delete("containers/" + addContainer("passing " + i));
    }

    assertFault("events that are gone", "LostEvent", () -> events.getEvents(seen));
    List<StorageEvent> kept = events.getEvents(-1);
    assertThat(kept).hasSizeGreaterThanOrEqualTo(KEPT);
    assertThat(kept.getFirst().id()).isGreaterThan(seen);
    assertThat(events.getEvents(kept.getFirst().id())).hasSize(kept.size() - 1);
  }

  @Test
  @Order(5)
  void thereAreNoAlarmsAndOnesThatNeverWereAreRefused() {
    EventCalls alarms = shared.site().vcenter().client().events();

    assertThat(alarms.getAlarms(-1)).isEmpty();
    assertFault("an id below -1", "InvalidArgument", () -> alarms.getAlarms(-2));
    assertFault("an id of the future", "LostAlarm", () -> alarms.getAlarms(1000));
  }

  private static void assertContainerEvent(StorageEvent event, String change) {
    assertThat(event.type()).isEqualTo("Config");
    assertThat(event.objectType()).isEqualTo("StorageContainer");
    assertThat(event.configType()).isEqualTo(change);
    assertThat(event.arrayId())
        .isEqualTo(
            shared.site().vcenter().client().inventory().queryArrays(List.of()).getFirst().id());
    assertThat(event.messageId()).isEqualTo("io.coppice.event.Container" + change);
  }

  private static String addContainer(String name) {
    return shared
        .provider()
        .rest()
        .post("containers", "{\"name\": \"%s\", \"quota\": 1073741824}".formatted(name))
        .get("id")
        .asString();
  }
}
