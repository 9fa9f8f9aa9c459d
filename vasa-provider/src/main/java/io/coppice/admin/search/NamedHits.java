package io.coppice.admin.search;

import io.coppice.api.search.SearchHit;
import io.coppice.vasa.binding.KnownHosts;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.export.PlainHost;
import io.coppice.vasa.export.PlainHosts;
import io.coppice.vasa.policy.Profiles;
import io.coppice.vasa.protection.ProtectedGroups;
import io.coppice.vasa.protection.ProtectionPolicies;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The objects that a search finds among those of which there are few: each list is read whole, as
/// the caller may see it.
@Component
final class NamedHits {

  private final Containers containers;
  private final Profiles profiles;
  private final ProtectionPolicies policies;
  private final ProtectedGroups groups;
  private final KnownHosts known;
  private final PlainHosts plain;

  NamedHits(
      Containers containers,
      Profiles profiles,
      ProtectionPolicies policies,
      ProtectedGroups groups,
      KnownHosts known,
      PlainHosts plain) {
    this.containers = containers;
    this.profiles = profiles;
    this.policies = policies;
    this.groups = groups;
    this.known = known;
    this.plain = plain;
  }

  List<RankedHit> of(SearchedText text) {
    Hits hits = new Hits(text, new ArrayList<>());
    containers.list().forEach(one -> hits.add("container", one.id(), one.name()));
    profiles.list().forEach(one -> hits.add("policy", UUID.fromString(one.id()), one.name()));
    policies.list().forEach(one -> hits.add("protectionPolicy", one.id(), one.name()));
    groups.list().forEach(one -> hits.add("protectionGroup", one.id(), one.name()));
    plain.groups().forEach(one -> hits.add("hostGroup", one.id(), one.name()));
    for (PlainHost one : plain.hosts()) {
      if (!hits.add("host", one.id(), one.name())) {
        hits.addByInitiator(one.id().toString(), one.name(), one.initiators());
      }
    }
    known
        .initiators()
        .forEach(
            (host, initiators) -> {
              String id = host.value();
              if (!hits.add("host", id, null, "id", text.rank(id))) {
                hits.addByInitiator(id, null, initiators);
              }
            });
    return hits.all();
  }

  /// The hits so far.
  private record Hits(SearchedText text, List<RankedHit> all) {

    /// Adds an object if its name or its id matches.
    ///
    /// @return whether it does
    boolean add(String type, UUID id, String name) {
      return add(type, id.toString(), name, "name", text.rank(name))
          || add(type, id.toString(), name, "id", text.rankOfId(id));
    }

    boolean add(String type, String id, @Nullable String name, String why, int rank) {
      if (rank == SearchedText.NONE) {
        return false;
      }
      all.add(new RankedHit(new SearchHit(type, id, name, why, null), rank));
      return true;
    }

    void addByInitiator(String host, @Nullable String name, Collection<String> initiators) {
      int best = initiators.stream().mapToInt(text::rank).min().orElse(SearchedText.NONE);
      add("host", host, name, "initiator", best);
    }
  }
}
