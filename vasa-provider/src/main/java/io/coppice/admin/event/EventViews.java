package io.coppice.admin.event;

import io.coppice.api.system.Occurrence;
import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.event.EventSentences;
import io.coppice.vasa.event.KeptChange;
import org.springframework.stereotype.Component;

/// The form of events in JSON.
@Component
final class EventViews {

  private final EventSentences sentences = new EventSentences();

  Occurrence of(KeptChange change) {
    Actor actor = change.actor();
    return new Occurrence(
        change.id(),
        change.at(),
        sentences.of(change),
        actor == null ? null : new Occurrence.EventActor(actor.kind().text(), actor.name()),
        change.type(),
        change.change(),
        change.objectType(),
        change.objectId(),
        change.messageId(),
        change.parameters(),
        change.virtualVolumes(),
        actor == null ? null : actor.trace());
  }
}
