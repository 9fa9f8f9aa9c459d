package io.coppice.vasa.alert;

import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Changes of alerts, as the history of changes has them.
final class AlertEvents {

  private AlertEvents() {}

  /// What the rows of alerts do not tell yet, in the order in which it happened.
  ///
  /// @param known the alerts that have rows, and whether these are resolved
  static List<NewChange> since(Map<UUID, Boolean> known, Collection<Alert> alerts) {
    record Timed(Instant at, NewChange change) {}
    List<Timed> news = new ArrayList<>();
    for (Alert alert : alerts) {
      Boolean before = known.get(alert.id());
      Instant resolved = alert.resolved();
      if (before == null) {
        news.add(new Timed(alert.since(), raised(alert)));
      }
      if (resolved != null && !Boolean.TRUE.equals(before)) {
        news.add(new Timed(resolved, resolved(alert, resolved)));
      }
    }
    return news.stream().sorted(Comparator.comparing(Timed::at)).map(Timed::change).toList();
  }

  private static NewChange raised(Alert alert) {
    Map<String, String> parameters =
        Map.of("severity", alert.severity().text(), "since", alert.since().toString());
    return of(alert, ChangeKind.NEW, "AlertRaised", parameters);
  }

  private static NewChange resolved(Alert alert, Instant at) {
    return of(alert, ChangeKind.UPDATE, "AlertResolved", Map.of("at", at.toString()));
  }

  /// Somebody said something of an alert.
  static NewChange updated(Alert alert, String message, Map<String, String> parameters) {
    return of(alert, ChangeKind.UPDATE, message, parameters);
  }

  private static NewChange of(
      Alert alert, ChangeKind kind, String message, Map<String, String> parameters) {
    Map<String, String> all = new HashMap<>(parameters);
    all.put("alert", alert.message());
    String name = alert.about().name();
    all.put("object", name == null ? alert.about().id() : name);
    NewChange change =
        NewChange.of(
            ChangeTopic.SYSTEM,
            kind,
            new NewChange.Subject(ObjectType.ALERT, alert.id().toString(), message),
            all);
    UUID container = alert.about().container();
    return container == null ? change : change.in(container);
  }
}
