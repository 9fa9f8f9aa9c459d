package io.coppice.admin.search;

import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.search.SearchHit;
import io.coppice.api.search.SearchHits;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// The search for objects of every kind.
@RestController
final class SearchController {

  private static final int MOST = 100;

  private final VolumeHits volumes;
  private final NamedHits others;

  SearchController(VolumeHits volumes, NamedHits others) {
    this.volumes = volumes;
    this.others = others;
  }

  /// The objects that match best: equal ones, then those that begin with the text, then those that
  /// have it within.
  ///
  /// @param q what is looked for, in either case
  /// @param limit most objects
  @GetMapping("/search")
  @WithinContainers
  SearchHits search(@RequestParam String q, @RequestParam(defaultValue = "20") int limit) {
    if (limit < 1 || limit > MOST) {
      throw RequestRejectedException.field(
          "limit", "expected 1 to %d, got %d".formatted(MOST, limit));
    }
    SearchedText text = SearchedText.parse(q);
    List<RankedHit> all = new ArrayList<>(volumes.of(text, limit));
    all.addAll(others.of(text));
    Set<String> seen = new HashSet<>();
    List<SearchHit> best =
        all.stream()
            .sorted(RankedHit.BEST)
            .map(RankedHit::hit)
            .filter(hit -> seen.add(hit.type() + " " + hit.id()))
            .limit(limit)
            .toList();
    return new SearchHits(best);
  }
}
