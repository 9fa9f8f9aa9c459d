package io.coppice.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A part of a list.
///
/// @param next cursor of the part that follows; null at the end
/// @param total items in the whole list, if asked for
public record Page<T>(
    List<T> items,
    @Nullable String next,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer total) {

  public Page {
    items = List.copyOf(items);
  }
}
