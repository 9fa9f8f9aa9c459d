package io.coppice.admin.edition;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.vasa.audit.ChangeNotes;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;

/// The condition of a change: the editions of its object for which the client has asked for it, in
/// the header `If-Match`. A request without the header has none, and is always carried out.
///
/// The controller asks [#require] and makes the change while nobody else changes the object, so of
/// two changes with one tag exactly one happens.
public final class IfMatch {

  static final String HEADER = "If-Match";

  private static final Logger log = LoggerFactory.getLogger(IfMatch.class);

  private final Optional<TagList> tags;

  IfMatch(Optional<TagList> tags) {
    this.tags = tags;
  }

  /// Refuses the change if the object has another edition by now. The audit trail gets the state
  /// before the change, with a condition or without.
  ///
  /// @param now finds the present edition; fails as the change itself would if there is no object.
  ///   Without a condition, what it throws is left to the change itself
  /// @throws RequestRejectedException (412 `changed-meanwhile`) if no tag is the present one; a
  ///   weak tag never is
  public void require(Supplier<Edition> now) {
    if (tags.isEmpty()) {
      noteIfThere(now);
    }
    tags.ifPresent(
        wanted -> {
          Edition edition = now.get();
          String present = edition.tag();
          ChangeNotes.noteBefore(edition.fields());
          if (!wanted.any() && !wanted.strong().contains(present)) {
            throw new RequestRejectedException(
                HttpStatus.PRECONDITION_FAILED,
                "changed-meanwhile",
                HEADER,
                "expected the object with the tag %s, but it has %s by now: read it again"
                    .formatted(wanted.text(), present));
          }
        });
  }

  private static void noteIfThere(Supplier<Edition> now) {
    try {
      ChangeNotes.noteBefore(now.get().fields());
    } catch (RuntimeException e) {
      log.atDebug().setCause(e).log("no state before a change");
    }
  }
}
