package io.coppice.api.search;

import java.util.List;

/// The objects that a search found, the best first.
public record SearchHits(List<SearchHit> items) {

  public SearchHits {
    items = List.copyOf(items);
  }
}
