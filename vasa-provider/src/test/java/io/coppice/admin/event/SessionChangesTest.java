package io.coppice.admin.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.api.iscsi.IscsiSession;
import io.coppice.api.system.ChangedObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Changes of iSCSI sessions between two looks, and how seldom they are told.
class SessionChangesTest {

  private static final String ONE = "iqn.2026-11.test:one";
  private static final String TWO = "iqn.2026-11.test:two";

  private final List<IscsiSession> open = new ArrayList<>();
  private long nanos;
  private final SessionChanges changes = new SessionChanges(() -> List.copyOf(open), () -> nanos);

  private static IscsiSession session(String initiator, int port) {
    return new IscsiSession(
        initiator,
        "00023d000001",
        "iqn:lun",
        "192.0.2.10:3260",
        "192.0.2.1:" + port,
        Instant.parse("2026-11-01T12:00:00Z"),
        false,
        false,
        null);
  }

  private List<ChangedObject> after(long millis) {
    long before = changes.last();
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
    boolean found = changes.look();
    List<ChangedObject> told = changes.after(before);
    assertThat(found).isEqualTo(!told.isEmpty());
    return told;
  }

  private static ChangedObject changed(String initiator, String kind) {
    return new ChangedObject("IscsiSession", initiator, kind);
  }

  @Test
  void whatWasThereBeforeIsNotTold() {
    open.add(session(ONE, 1));
    changes.begin();

    assertThat(after(0)).isEmpty();
    assertThat(after(5000)).isEmpty();
  }

  @Test
  void beginsEndsAndNewLoginsAreTold() {
    changes.begin();
    open.add(session(ONE, 1));
    open.add(session(TWO, 1));
    assertThat(after(500)).containsExactly(changed(ONE, "New"), changed(TWO, "New"));
    assertThat(after(500)).isEmpty();

    open.set(0, session(ONE, 2));
    assertThat(after(1000)).containsExactly(changed(ONE, "Update"));

    open.add(session(ONE, 3));
    assertThat(after(1000)).containsExactly(changed(ONE, "New"));

    open.clear();
    assertThat(after(1000)).containsExactly(changed(ONE, "Delete"), changed(TWO, "Delete"));
    assertThat(after(5000)).isEmpty();
  }

  @Test
  void aStormIsOneMessageASecondAndEndsWithTheTruth() {
    changes.begin();
    int told = 0;
    for (int i = 0; i < 100; i++) {
      open.clear();
      if (i % 2 == 0) {
        open.add(session(ONE, i));
      }
      told += after(100).size();
    }
    assertThat(told).isBetween(1, 11);

    open.clear();
    after(1000);
    assertThat(after(1000)).isEmpty();
    open.add(session(ONE, 1000));
    assertThat(after(1000)).containsExactly(changed(ONE, "New"));
    open.clear();
    assertThat(after(1)).as("too soon").isEmpty();
    assertThat(after(999)).as("but not forgotten").containsExactly(changed(ONE, "Delete"));
  }
}
