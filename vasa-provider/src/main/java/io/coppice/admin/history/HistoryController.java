package io.coppice.admin.history;

import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.volume.VmId;
import io.coppice.api.history.RecordedHistory;
import io.coppice.api.history.SpaceForecast;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.InitiatorNames;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.history.Forecasts;
import io.coppice.vasa.history.History;
import io.coppice.vasa.history.KnownVolume;
import io.coppice.vasa.history.ObjectHistory;
import io.coppice.vasa.history.Series;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/// The history of the array, of containers, volumes, virtual machines and hosts, and the forecasts
/// from it.
@RestController
final class HistoryController {

  private final History history;
  private final Forecasts forecasts;
  private final HistoryViews views;
  private final Containers containers;
  private final VirtualVolumes volumes;
  private final HostInitiators hosts;

  HistoryController(
      History history,
      Forecasts forecasts,
      HistoryViews views,
      Containers containers,
      VirtualVolumes volumes,
      HostInitiators hosts) {
    this.hosts = hosts;
    this.history = history;
    this.forecasts = forecasts;
    this.views = views;
    this.containers = containers;
    this.volumes = volumes;
  }

  /// Needs no database.
  @GetMapping("/system/history")
  RecordedHistory system(@ParameterObject HistoryQuery query) {
    return views.of(null, history.ofPool(query.window(history.now()), query.of(Series.ofPool())));
  }

  /// Needs no database.
  @GetMapping("/system/forecast")
  SpaceForecast forecast() {
    return views.of(forecasts.ofPool());
  }

  @GetMapping("/containers/{id}/history")
  @WithinContainers
  RecordedHistory container(@PathVariable UUID id, @ParameterObject HistoryQuery query) {
    UUID container = containers.require(id).id();
    return views.of(
        container.toString(),
        history.ofContainer(
            container, query.window(history.now()), query.of(Series.ofContainers())));
  }

  @GetMapping("/containers/{id}/forecast")
  @WithinContainers
  SpaceForecast containerForecast(@PathVariable UUID id) {
    StorageContainer container = containers.require(id);
    return views.of(forecasts.ofContainer(container.id(), container.name()));
  }

  @GetMapping("/volumes/{id}/history")
  @WithinContainers
  RecordedHistory volume(
      @PathVariable UUID id, @ParameterObject HistoryQuery query, HttpServletRequest request) {
    return ofVolume(id, query, request);
  }

  @GetMapping("/vvols/{id}/history")
  @WithinContainers
  RecordedHistory vvol(
      @PathVariable UUID id, @ParameterObject HistoryQuery query, HttpServletRequest request) {
    return ofVolume(id, query, request);
  }

  private RecordedHistory ofVolume(UUID id, HistoryQuery query, HttpServletRequest request) {
    VolumeId volume = new VolumeId(id);
    boolean isThere = volumes.find(List.of(volume)).stream().anyMatch(one -> !one.snapshot());
    if (!isThere && !isRemembered(volume, AdminCaller.of(request).orElseThrow())) {
      throw RequestRejectedException.notFound("volume", id);
    }
    return views.of(
        id.toString(),
        history.ofVolumes(
            Set.of(volume), query.window(history.now()), query.of(Series.ofVolumes())));
  }

  /// Whether a volume that is gone has records that the caller may see.
  private boolean isRemembered(VolumeId volume, AdminCaller caller) {
    return history
        .volume(volume)
        .map(KnownVolume::container)
        .filter(container -> !caller.isBound() || caller.containers().contains(container))
        .isPresent();
  }

  @GetMapping("/vms/{id}/history")
  RecordedHistory vm(@PathVariable String id, @ParameterObject HistoryQuery query) {
    Set<VolumeId> own = new TreeSet<>();
    VmId.vvols(volumes, id).stream().map(VirtualVolume::id).forEach(own::add);
    own.addAll(history.ofMachine(id));
    if (own.isEmpty()) {
      throw RequestRejectedException.notFound("virtual machine", id);
    }
    return views.of(
        id, history.ofVolumes(own, query.window(history.now()), query.of(Series.ofVolumes())));
  }

  /// Needs no database, as the next one.
  @GetMapping("/hosts/{id}/history")
  RecordedHistory host(@PathVariable String id, @ParameterObject HistoryQuery query) {
    return views.of(id, ofInitiators(hosts.require(id), query));
  }

  @GetMapping("/initiators/{name}/history")
  RecordedHistory initiator(@PathVariable String name, @ParameterObject HistoryQuery query) {
    String initiator = RequestRejectedException.about("name", () -> InitiatorNames.one(name));
    if (!hosts.isKnown(initiator) && !history.hasInitiator(initiator)) {
      throw RequestRejectedException.notFound("initiator", name);
    }
    return views.of(initiator, ofInitiators(Set.of(initiator), query));
  }

  private ObjectHistory ofInitiators(Set<String> initiators, HistoryQuery query) {
    return history.ofInitiators(
        initiators, query.window(history.now()), query.of(Series.ofHosts()));
  }
}
