package io.coppice.admin.host;

import io.coppice.admin.IdentityFacts;
import io.coppice.admin.edition.Turns;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.Page;
import io.coppice.api.host.Container;
import io.coppice.api.host.Offer;
import io.coppice.api.host.Registered;
import io.coppice.api.host.RegistrationForm;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.vasa.binding.Bindings;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.session.TrustSet;
import io.coppice.vasa.session.TrustSets;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Registrations of vCenters, and the offers of storage containers to them.
@RestController
final class RegistrationController {

  private static final Orders<TrustSets.Known> ORDERS =
      Orders.<TrustSets.Known>ofIds("id", TrustSets.Known::id)
          .text("id", TrustSets.Known::id)
          .time("registered", TrustSets.Known::registered)
          .text("address", TrustSets.Known::address)
          .number("hosts", TrustSets.Known::hosts);

  private final TrustSets trust;
  private final Containers containers;
  private final VirtualVolumes volumes;
  private final Bindings bindings;
  private final ContainerController views;
  private final IdentityFacts identity;
  private final Turns turns;

  RegistrationController(
      TrustSets trust,
      Containers containers,
      VirtualVolumes volumes,
      Bindings bindings,
      ContainerController views,
      IdentityFacts identity,
      Turns turns) {
    this.turns = turns;
    this.identity = identity;
    this.trust = trust;
    this.containers = containers;
    this.volumes = volumes;
    this.bindings = bindings;
    this.views = views;
  }

  @GetMapping("/registrations")
  Page<Registered> registrations(
      @ParameterObject @SortedBy({"id", "registered", "address", "hosts"}) ListQuery query) {
    Map<UUID, TrustSet> sets =
        trust.all().stream().collect(Collectors.toMap(TrustSet::id, Function.identity()));
    return query.page(
        trust.known(),
        ORDERS,
        one ->
            new Registered(
                one.id(),
                one.registered(),
                one.address(),
                one.vcenters(),
                Optional.ofNullable(sets.get(one.id()))
                    .map(TrustSet::roots)
                    .orElse(List.of())
                    .stream()
                    .map(root -> root.getSubjectX500Principal().getName())
                    .toList(),
                one.hosts()));
  }

  /// What a person enters in vCenter. The password itself is never shown. Needs no database.
  @GetMapping("/registrations/form")
  RegistrationForm form() {
    return identity.form();
  }

  /// Offers a container to these registrations only. Refused while hosts of other registrations
  /// have volumes of it bound: these volumes would go on, but neither the hosts nor their vCenter
  /// could name them.
  @PutMapping("/containers/{id}/registrations")
  Container limit(@PathVariable UUID id, @RequestBody Offer wanted) {
    Set<UUID> offered =
        RequestRejectedException.requireField("registrations", wanted.registrations());
    return turns.alone(
        "containers",
        id,
        () -> {
          containers.require(id);
          requireUnusedByOthers(id, offered);
          containers.limit(id, offered);
          return views.view(id);
        });
  }

  @DeleteMapping("/containers/{id}/registrations")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void offerToAll(@PathVariable UUID id) {
    turns.doAlone("containers", id, () -> containers.offerToAll(id));
  }

  private void requireUnusedByOthers(UUID container, Set<UUID> offered) {
    Set<String> own = new HashSet<>();
    offered.forEach(registration -> own.addAll(trust.hostsOf(registration)));
    List<Binding> others =
        bindings.list().stream().filter(one -> !own.contains(one.host().value())).toList();
    Set<VolumeId> inside =
        volumes.find(others.stream().map(Binding::volume).toList()).stream()
            .filter(volume -> volume.container().equals(container))
            .map(VirtualVolume::id)
            .collect(Collectors.toSet());
    List<String> hosts =
        others.stream()
            .filter(one -> inside.contains(one.volume()))
            .map(one -> one.host().value())
            .distinct()
            .sorted()
            .limit(10)
            .toList();
    if (!hosts.isEmpty()) {
      throw RequestRejectedException.conflict(
          "in-use",
          container.toString(),
          "expected no bindings of hosts of other registrations in container %s, but they are of hosts %s"
              .formatted(container, hosts));
    }
  }
}
