package io.coppice.admin.edition;

import io.coppice.admin.problem.RequestRejectedException;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.http.HttpStatus;

/// The condition of a change: the editions of its object for which the client has asked for it, in
/// the header `If-Match`. A request without the header has none, and is always carried out.
///
/// The controller asks [#require] and makes the change while nobody else changes the object, so of
/// two changes with one tag exactly one happens.
public final class IfMatch {

  static final String HEADER = "If-Match";

  private final Optional<TagList> tags;

  IfMatch(Optional<TagList> tags) {
    this.tags = tags;
  }

  /// Refuses the change if the object has another edition by now.
  ///
  /// @param now finds the present edition; fails as the change itself would if there is no object.
  ///   Not called without a condition
  /// @throws RequestRejectedException (412 `changed-meanwhile`) if no tag is the present one; a
  ///   weak tag never is
  public void require(Supplier<Edition> now) {
    tags.ifPresent(
        wanted -> {
          String present = now.get().tag();
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
}
