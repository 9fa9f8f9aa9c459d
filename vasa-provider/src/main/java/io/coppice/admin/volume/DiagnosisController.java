package io.coppice.admin.volume;

import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.field.RecentWindow;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.volume.BusyNeighbour;
import io.coppice.api.volume.Diagnosis;
import io.coppice.api.volume.LatencyPart;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.diagnosis.Diagnosed;
import io.coppice.vasa.diagnosis.Diagnoser;
import io.coppice.vasa.diagnosis.Figures;
import io.coppice.vasa.diagnosis.Neighbour;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// The diagnosis of virtual machines and volumes: where their latency comes from.
@RestController
final class DiagnosisController {

  private static final long NANOS_PER_MICRO = 1000;
  private static final double MILLIS_PER_SECOND = 1000;

  private final VirtualVolumes volumes;
  private final Diagnoser diagnoser;

  DiagnosisController(VirtualVolumes volumes, Diagnoser diagnoser) {
    this.volumes = volumes;
    this.diagnoser = diagnoser;
  }

  @GetMapping("/vms/{id}/diagnosis")
  Diagnosis ofVm(@PathVariable String id, @RequestParam(required = false) @Nullable String window) {
    List<VirtualVolume> own = VmId.vvols(volumes, id);
    if (own.isEmpty()) {
      throw RequestRejectedException.notFound("virtual machine", id);
    }
    return view(own.stream().map(VirtualVolume::id).collect(Collectors.toSet()), window);
  }

  /// Of any volume that is no snapshot, a vVol too.
  @GetMapping("/volumes/{id}/diagnosis")
  @WithinContainers
  Diagnosis ofVolume(
      @PathVariable UUID id, @RequestParam(required = false) @Nullable String window) {
    VirtualVolume volume = volumes.require(new VolumeId(id));
    if (volume.snapshot()) {
      throw RequestRejectedException.notFound("volume that is no snapshot,", id);
    }
    return view(Set.of(volume.id()), window);
  }

  private Diagnosis view(Set<VolumeId> asked, @Nullable String window) {
    Diagnosed diagnosed =
        diagnoser.of(asked, RecentWindow.parse(window, diagnoser.settings().kept()));
    Figures figures = diagnosed.figures();
    List<BusyNeighbour> neighbours = neighbours(figures.neighbours());
    return new Diagnosis(
        diagnosed.cause().name().toLowerCase(Locale.ROOT),
        DiagnosisSentence.of(diagnosed, neighbours, diagnoser.settings().slow()),
        Math.round(figures.seconds() * MILLIS_PER_SECOND),
        figures.commands(),
        figures.bytes(),
        figures.nanos() / NANOS_PER_MICRO,
        part(figures.deviceNanos(), figures),
        part(figures.queueNanos(), figures),
        part(figures.limitNanos(), figures),
        figures.networkNanos() == 0 ? null : part(figures.networkNanos(), figures),
        neighbours,
        figures.writtenBytes(),
        figures.movedBytes(),
        figures.scrubbedBytes());
  }

  private static LatencyPart part(long nanos, Figures figures) {
    return new LatencyPart(
        nanos / NANOS_PER_MICRO, nanos == 0 ? 0 : percent((double) nanos / figures.nanos()));
  }

  private static int percent(double share) {
    return (int) Math.round(100 * share);
  }

  /// What a token does not see has no id and no name: that there is something is seen by its load.
  private List<BusyNeighbour> neighbours(List<Neighbour> busy) {
    Map<VolumeId, VirtualVolume> seen =
        volumes.find(busy.stream().map(Neighbour::volume).toList()).stream()
            .collect(Collectors.toMap(VirtualVolume::id, Function.identity()));
    return busy.stream()
        .map(
            one -> {
              VirtualVolume volume = seen.get(one.volume());
              return new BusyNeighbour(
                  volume == null ? null : volume.id().value(),
                  volume == null ? null : VmId.nameOf(volume),
                  volume == null ? null : VmId.of(volume).orElse(null),
                  percent(one.commandsShare()),
                  percent(one.bytesShare()));
            })
        .toList();
  }
}
