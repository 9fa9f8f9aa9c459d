package io.coppice.vasa.event;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A choice of changes; null means any.
///
/// @param actor name or kind of the actor
/// @param object id of the object, with or without `rfc4122.`
/// @param since earliest time
/// @param until first time that is too late
public record ChangeFilter(
    @Nullable String actor,
    @Nullable String object,
    @Nullable ChangeTopic topic,
    @Nullable Instant since,
    @Nullable Instant until) {

  /// All changes.
  public static final ChangeFilter ALL = new ChangeFilter(null, null, null, null, null);
}
