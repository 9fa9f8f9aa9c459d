package io.coppice.admin.iscsi;

import io.coppice.admin.field.RecentWindow;
import io.coppice.api.iscsi.BusiestObjects;
import io.coppice.api.iscsi.BusyObject;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.diagnosis.LoadRates;
import io.coppice.vasa.diagnosis.LoadRecorder;
import io.coppice.vasa.diagnosis.RecentRates;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// The volumes and virtual machines that hosts use most, by rates that are in memory. The database
/// is asked for names, and for the machines of volumes.
@RestController
final class BusiestController {

  private static final long NANOS_PER_MICRO = 1000;

  private final LoadRecorder recorder;
  private final ReachedNames names;

  BusiestController(LoadRecorder recorder, VirtualVolumes volumes) {
    this.recorder = recorder;
    this.names = new ReachedNames(volumes);
  }

  private record Busy<T>(T id, LoadRates rates) {}

  @GetMapping("/traffic/busiest")
  BusiestObjects busiest(@ParameterObject BusiestQuery query) {
    boolean machines = query.ofMachines();
    Comparator<LoadRates> order = query.order();
    int most = query.most();
    RecentRates rates = recorder.rates(RecentWindow.parse(query.window(), recorder.kept()));
    return new BusiestObjects(
        Duration.ofNanos(rates.nanos()).toMillis(),
        machines
            ? machines(first(byMachine(rates), order, most))
            : volumes(first(byVolume(rates), order, most)));
  }

  private static List<Busy<VolumeId>> byVolume(RecentRates rates) {
    return rates.volumes().stream().map(one -> new Busy<>(one, rates.of(Set.of(one)))).toList();
  }

  private List<Busy<String>> byMachine(RecentRates rates) {
    Map<String, Set<VolumeId>> groups = new HashMap<>();
    names
        .machines(rates.volumes())
        .forEach((volume, vm) -> groups.computeIfAbsent(vm, _ -> new HashSet<>()).add(volume));
    return groups.entrySet().stream()
        .map(group -> new Busy<>(group.getKey(), rates.of(group.getValue())))
        .toList();
  }

  private static <T> List<Busy<T>> first(
      Collection<Busy<T>> all, Comparator<LoadRates> order, int most) {
    return all.stream()
        .sorted(
            Comparator.<Busy<T>, LoadRates>comparing(Busy::rates, order)
                .thenComparing(one -> one.id().toString()))
        .limit(most)
        .toList();
  }

  private List<BusyObject> machines(List<Busy<String>> shown) {
    Map<String, String> named = names.ofMachines(shown.stream().map(Busy::id).toList());
    return shown.stream()
        .map(one -> row(one.id(), named.get(one.id()), one.id(), one.rates()))
        .toList();
  }

  private List<BusyObject> volumes(List<Busy<VolumeId>> shown) {
    Set<VolumeId> ids = shown.stream().map(Busy::id).collect(Collectors.toSet());
    Map<VolumeId, String> named = names.of(ids);
    Map<VolumeId, String> machines = names.machines(ids);
    return shown.stream()
        .map(
            one ->
                row(one.id().toString(), named.get(one.id()), machines.get(one.id()), one.rates()))
        .toList();
  }

  private static BusyObject row(
      String id, @Nullable String name, @Nullable String vm, LoadRates rates) {
    return new BusyObject(
        id,
        name,
        vm,
        rates.iops(),
        rates.bandwidth(),
        rates.nanos() / NANOS_PER_MICRO,
        rates.deviceNanos() / NANOS_PER_MICRO,
        rates.queueNanos() / NANOS_PER_MICRO,
        rates.limitNanos() / NANOS_PER_MICRO);
  }
}
