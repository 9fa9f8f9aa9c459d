package io.coppice.admin.iscsi;

import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.api.Page;
import io.coppice.api.iscsi.TrafficCount;
import io.coppice.api.iscsi.TrafficTotal;
import io.coppice.api.iscsi.VolumeTraffic;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.unit.Traffic;
import io.coppice.vasa.statistics.Sample;
import io.coppice.vasa.statistics.Statistics;
import io.coppice.vasa.statistics.Statistics.Reached;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/// Counters of the data that hosts read and write. Two answers give the rates between them.
@RestController
final class TrafficController {

  private static final long NANOS_PER_MICRO = 1000;

  private static final Orders<Reached> ORDERS =
      Orders.<Reached>ofIds("vvol", Reached::volume).text("vvol", Reached::volume);

  private final Statistics statistics;
  private final ReachedNames reached;

  TrafficController(Statistics statistics, VirtualVolumes volumes) {
    this.statistics = statistics;
    this.reached = new ReachedNames(volumes);
  }

  @GetMapping("/traffic")
  Page<VolumeTraffic> list(
      @ParameterObject @SortedBy({"vvol", "name"}) ListQuery query,
      @RequestParam(required = false) @Nullable String name) {
    List<Reached> all = statistics.reached();
    Map<VolumeId, String> names =
        name == null && !query.isSortedBy("name") ? Map.of() : namesOf(all);
    return query.pageAtOnce(
        all.stream().filter(one -> name == null || name.equals(names.get(one.volume()))).toList(),
        ORDERS.text("name", one -> names.get(one.volume())),
        this::views);
  }

  @GetMapping("/traffic/total")
  TrafficTotal total() {
    Sample all = statistics.ofArray();
    return new TrafficTotal(all.at(), reads(all.traffic()), writes(all.traffic()));
  }

  private List<VolumeTraffic> views(List<Reached> shown) {
    Map<VolumeId, String> names = namesOf(shown);
    return shown.stream()
        .map(
            one ->
                new VolumeTraffic(
                    one.volume().value(),
                    names.get(one.volume()),
                    one.at(),
                    reads(one.traffic()),
                    writes(one.traffic())))
        .toList();
  }

  private Map<VolumeId, String> namesOf(List<Reached> some) {
    return reached.of(some.stream().map(Reached::volume).collect(Collectors.toSet()));
  }

  private static TrafficCount reads(Traffic traffic) {
    return new TrafficCount(
        traffic.reads(), traffic.bytesRead(), traffic.readNanos() / NANOS_PER_MICRO);
  }

  private static TrafficCount writes(Traffic traffic) {
    return new TrafficCount(
        traffic.writes(), traffic.bytesWritten(), traffic.writeNanos() / NANOS_PER_MICRO);
  }
}
