package io.coppice.vasa.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.audit.ChangeNotes;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.testing.ControlPlane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionOperations;

class AlertBoardTest {

  private static final ControlPlane CONTROL = new ControlPlane();
  private static final AlertSettings SETTINGS =
      new AlertSettings(Duration.ofSeconds(1), Duration.ofSeconds(60), Duration.ofHours(1), 100);

  private final List<String> told = new ArrayList<>();
  private boolean ready = true;
  private boolean failing;
  private long nanos = 5;
  private AlertBoard board = board();

  @BeforeEach
  void empty() {
    CONTROL.jdbc.sql("DELETE FROM alert").update();
    CONTROL.jdbc.sql("DELETE FROM change_event").update();
  }

  private AlertBoard board() {
    return new AlertBoard(
        new AlertBoard.Places(new AlertRows(CONTROL.jdbc), new Breaking(), CONTROL.store.changes()),
        List.of(new Told()),
        SETTINGS,
        CONTROL.clock,
        () -> nanos);
  }

  /// Transactions that are lost at their ends while they are to fail.
  private final class Breaking implements TransactionOperations {
    @Override
    public <T> T execute(TransactionCallback<T> action) {
      return CONTROL.transactions.execute(
          status -> {
            T done = action.doInTransaction(status);
            if (failing) {
              throw new IllegalStateException("lost by the test");
            }
            return done;
          });
    }
  }

  /// A listener that writes down what it hears.
  private final class Told implements AlertListener {
    @Override
    public void load() {
      // nothing is kept
    }

    @Override
    public boolean isReady() {
      return ready;
    }

    @Override
    public void raised(Alert alert) {
      told.add("raised " + alert.key() + " " + alert.severity().text());
    }

    @Override
    public void resolved(Alert alert) {
      told.add("resolved " + alert.key());
    }

    @Override
    public void save() {
      told.add("saved");
    }
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
    CONTROL.clock.advance(time);
  }

  private static AlertFinding finding(String key, AlertSeverity severity) {
    return new AlertFinding(
        key,
        severity,
        new AlertSubject("system", "pool", null, null),
        "PoolSpace",
        Map.of("percent", "85"));
  }

  private void find(AlertSeverity severity) {
    board.take("test", List.of(finding("space", severity)));
  }

  private void findNothing() {
    board.take("test", List.of());
  }

  private Alert only() {
    assertThat(board.all()).hasSize(1);
    return board.all().getFirst();
  }

  private AlertState state() {
    return only().state(CONTROL.clock.instant());
  }

  @Test
  void aCauseThatComesAndGoesWithinTheTimeToSettleIsOneAlert() {
    find(AlertSeverity.WARNING);
    for (int i = 0; i < 5; i++) {
      pass(Duration.ofSeconds(30));
      findNothing();
      pass(Duration.ofSeconds(20));
      find(AlertSeverity.WARNING);
    }

    assertThat(told).containsExactly("raised space warning");
    pass(Duration.ofSeconds(59));
    findNothing();
    assertThat(state()).isEqualTo(AlertState.ACTIVE);
    pass(Duration.ofSeconds(1));
    findNothing();
    assertThat(state()).isEqualTo(AlertState.RESOLVED);
    assertThat(told).containsExactly("raised space warning", "resolved space");
  }

  @Test
  void aClockThatJumpsResolvesNothing() {
    find(AlertSeverity.WARNING);
    CONTROL.clock.advance(Duration.ofHours(5));
    findNothing();

    assertThat(state()).isEqualTo(AlertState.ACTIVE);
  }

  @Test
  void findingsOfOtherSourcesResolveNothing() {
    find(AlertSeverity.WARNING);
    pass(Duration.ofHours(2));
    board.take("another", List.of());

    assertThat(state()).isEqualTo(AlertState.ACTIVE);
  }

  @Test
  void anAcknowledgedAlertThatComesAgainIsANewOne() {
    find(AlertSeverity.WARNING);
    UUID first = only().id();
    board.acknowledge(first, "on it");
    assertThat(state()).isEqualTo(AlertState.ACKNOWLEDGED);

    resolveAll();
    find(AlertSeverity.WARNING);

    assertThat(board.all())
        .extracting(alert -> alert.state(CONTROL.clock.instant()))
        .containsExactlyInAnyOrder(AlertState.ACTIVE, AlertState.RESOLVED);
    assertThat(told)
        .containsExactly("raised space warning", "resolved space", "raised space warning");
    assertThatThrownBy(() -> board.acknowledge(first, null))
        .isInstanceOf(VasaException.class)
        .hasMessageContaining("was gone at");
  }

  private void resolveAll() {
    pass(SETTINGS.settle());
    findNothing();
  }

  @Test
  void anAcknowledgedAlertThatBecomesWorseIsToldAgain() {
    find(AlertSeverity.WARNING);
    board.acknowledge(only().id(), null);
    find(AlertSeverity.CRITICAL);

    assertThat(state()).isEqualTo(AlertState.ACTIVE);
    assertThat(told).containsExactly("raised space warning", "raised space critical");
    find(AlertSeverity.WARNING);
    assertThat(told).hasSize(2);
  }

  @Test
  void aMutedCauseIsToldOfAtTheEndOfItsSilence() {
    find(AlertSeverity.WARNING);
    board.mute(only().id(), CONTROL.clock.instant().plus(Duration.ofMinutes(30)));
    resolveAll();
    find(AlertSeverity.WARNING);
    assertThat(told).containsExactly("raised space warning", "resolved space");

    pass(Duration.ofMinutes(29));
    find(AlertSeverity.WARNING);

    assertThat(told)
        .containsExactly("raised space warning", "resolved space", "raised space warning");
  }

  @Test
  void whatWasMutedAndWentIsNotToldOf() {
    find(AlertSeverity.WARNING);
    board.mute(only().id(), CONTROL.clock.instant().plus(Duration.ofMinutes(30)));
    resolveAll();
    find(AlertSeverity.WARNING);
    resolveAll();

    assertThat(told).containsExactly("raised space warning", "resolved space");
  }

  @Test
  void aRestartKeepsAlertsWithWhatPeopleSaidAndTellsNothingTwice() {
    find(AlertSeverity.WARNING);
    board.load();
    board.acknowledge(only().id(), "the disk comes on Monday");
    board.save();
    told.clear();
    Alert before = only();

    board = board();
    find(AlertSeverity.WARNING); // before the database is there
    board.load();
    find(AlertSeverity.WARNING);

    assertThat(only().id()).isEqualTo(before.id());
    assertThat(only().acknowledgement()).isNotNull();
    assertThat(only().acknowledgement().note()).isEqualTo("the disk comes on Monday");
    resolveAll();
    board.save();
    board = board();
    board.load();
    assertThat(state()).isEqualTo(AlertState.RESOLVED);
  }

  @Test
  void whatCouldNotBeSavedIsSavedLater() {
    find(AlertSeverity.WARNING);
    board.save(); // nothing is known of the rows yet
    assertThat(rows()).isZero();
    board.load();
    board.save();

    assertThat(rows()).isEqualTo(1);
    assertThat(told).containsExactly("raised space warning", "saved");
  }

  private static int rows() {
    return CONTROL.jdbc.sql("SELECT count(*) FROM alert").query(Integer.class).single();
  }

  @Test
  void anAlertHasItsEventsOnceWhateverIsSavedAndHoweverOftenTheProviderStarts() {
    board.load();
    find(AlertSeverity.WARNING);
    assertThat(events()).isEmpty();
    board.save();
    assertThat(events()).containsExactly("AlertRaised coppice New " + only().id());

    find(AlertSeverity.CRITICAL);
    board.save();
    board = board();
    find(AlertSeverity.CRITICAL); // before its row is read
    board.load();
    board.save();
    assertThat(events()).hasSize(1);
    resolveAll();
    board.save();
    board.save();
    board = board();
    board.load();
    board.save();

    assertThat(events())
        .containsExactly(
            "AlertRaised coppice New " + only().id(),
            "AlertResolved coppice Update " + only().id());
  }

  @Test
  void whatWasRaisedWhileTheDatabaseWasAwayHasItsEventOnceItIsBack() {
    board.load();
    failing = true;
    find(AlertSeverity.WARNING);
    assertThatThrownBy(board::save).isInstanceOf(IllegalStateException.class);
    resolveAll();
    find(AlertSeverity.WARNING);
    assertThatThrownBy(board::save).isInstanceOf(IllegalStateException.class);
    assertThat(events()).isEmpty();

    failing = false;
    board.save();

    assertThat(events())
        .extracting(event -> event.substring(0, event.indexOf(' ')))
        .containsExactly("AlertRaised", "AlertResolved", "AlertRaised");
    assertThat(rows()).isEqualTo(2);
  }

  @Test
  void anAlertThatSomebodyKnowsOfBeforeItIsSavedWasRaisedByTheProvider() {
    board.load();
    find(AlertSeverity.WARNING);
    ChangeNotes notes = new ChangeNotes();
    Actor.rest("anna", "a-trace")
        .run(() -> notes.call(() -> board.acknowledge(only().id(), "yes")));
    board.save();

    assertThat(events())
        .containsExactly(
            "AlertRaised coppice New " + only().id(),
            "AlertAcknowledged anna Update " + only().id());
    assertThat(notes.details()).noneMatch(detail -> detail.name().contains("AlertRaised"));
  }

  /// Last part of the message, actor, kind of change and object of each event, in their order.
  private static List<String> events() {
    return CONTROL
        .jdbc
        .sql("SELECT message_id, actor_name, change, object_id FROM change_event ORDER BY seq")
        .query(
            (row, _) ->
                "%s %s %s %s"
                    .formatted(
                        row.getString("message_id").substring("io.coppice.change.".length()),
                        row.getString("actor_name"),
                        row.getString("change"),
                        row.getString("object_id")))
        .list();
  }

  @Test
  void resolvedAlertsAreForgottenAfterTheirTimeAndBeyondTheirNumber() {
    board.load();
    for (int i = 0; i < 105; i++) {
      board.take("test", List.of(finding("space-" + i, AlertSeverity.WARNING)));
      resolveAll();
    }
    assertThat(board.all()).hasSizeLessThanOrEqualTo(SETTINGS.entries());
    board.save();
    assertThat(rows()).isEqualTo(board.all().size());

    pass(SETTINGS.kept().plusSeconds(1));
    findNothing();
    board.save();
    assertThat(board.all()).isEmpty();
    assertThat(rows()).isZero();
  }

  @Test
  void whatIsFoundBeforeTheListenersAreReadyIsToldOfThen() {
    ready = false;
    find(AlertSeverity.WARNING);
    assertThat(told).isEmpty();

    ready = true;
    find(AlertSeverity.WARNING);
    assertThat(told).containsExactly("raised space warning");
  }

  @Test
  void aTimeThatIsOverMutesNothing() {
    find(AlertSeverity.WARNING);

    assertThatThrownBy(() -> board.mute(only().id(), CONTROL.clock.instant()))
        .hasMessageContaining("expected a time to come");
    assertThatThrownBy(() -> board.unmute(UUID.randomUUID())).hasMessageContaining("no alert");
  }
}
