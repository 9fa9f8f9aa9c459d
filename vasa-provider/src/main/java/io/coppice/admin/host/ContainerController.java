package io.coppice.admin.host;

import io.coppice.admin.access.WithinContainers;
import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
import io.coppice.admin.edition.Turns;
import io.coppice.admin.field.IsoDurations;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.request.ApiFilter;
import io.coppice.api.Page;
import io.coppice.api.Warning;
import io.coppice.api.host.Container;
import io.coppice.api.host.ContainerChange;
import io.coppice.api.host.NewContainer;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.container.LowerBinTime;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.time.SeenTime;
import io.coppice.vasa.time.TimeText;
import io.coppice.vasa.volume.bin.BinTimes;
import io.coppice.vasa.volume.space.ContainerContent;
import io.coppice.vasa.volume.space.ContainerSpace;
import io.coppice.vasa.volume.space.SpaceStatistics;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// Storage containers.
@RestController
final class ContainerController {

  private static final Orders<StorageContainer> ORDERS =
      Orders.<StorageContainer>ofIds("created", StorageContainer::id)
          .time("created", StorageContainer::created)
          .text("name", StorageContainer::name)
          .number("quota", StorageContainer::quotaInBytes);

  private final Containers containers;
  private final SpaceStatistics spaces;
  private final BinTimes bin;
  private final SeenTime time;
  private final Turns turns;

  ContainerController(
      Containers containers, SpaceStatistics spaces, BinTimes bin, SeenTime time, Turns turns) {
    this.time = time;
    this.bin = bin;
    this.turns = turns;
    this.containers = containers;
    this.spaces = spaces;
  }

  @GetMapping("/containers")
  @WithinContainers
  Page<Container> list(
      @ParameterObject @SortedBy({"created", "name", "quota"}) ListQuery query,
      @RequestParam(required = false) @Nullable String name) {
    List<StorageContainer> all = containers.list();
    return query.pageAtOnce(
        all.stream().filter(one -> name == null || one.name().equals(name)).toList(),
        ORDERS,
        shown -> views(shown, all));
  }

  @PostMapping("/containers")
  Edited<Container> create(@RequestBody NewContainer wanted) {
    StorageContainer made =
        containers.create(
            RequestRejectedException.requireField("name", wanted.name()),
            RequestRejectedException.requireField("quota", wanted.quota()),
            binTime(wanted.binTime()));
    Container view = view(made);
    return Edited.made(
        URI.create(ApiFilter.ROOT + "/containers/" + made.id()), view, edition(view));
  }

  @GetMapping("/containers/{id}")
  @WithinContainers
  Edited<Container> get(@PathVariable UUID id) {
    return edited(view(id));
  }

  private static Edited<Container> edited(Container container) {
    return Edited.of(container, edition(container));
  }

  private static Edition edition(Container one) {
    List<UUID> registrations = one.registrations();
    return Edition.of(one.id())
        .with("name", one.name())
        .with("quota", one.quota())
        .with("binTime", one.binTime())
        .with("binTimeNext", one.binTimeNext())
        .with("registrations", registrations == null ? null : Set.copyOf(registrations));
  }

  Container view(UUID id) {
    return view(containers.require(id));
  }

  @PatchMapping("/containers/{id}")
  Edited<Container> change(
      @PathVariable UUID id, @RequestBody ContainerChange wanted, IfMatch ifMatch) {
    return turns.alone("containers", id, () -> edited(changed(id, wanted, ifMatch)));
  }

  private Container changed(UUID id, ContainerChange wanted, IfMatch ifMatch) {
    StorageContainer now = containers.require(id);
    ifMatch.require(() -> edition(view(now)));
    Duration lasting = binTime(wanted.binTime());
    if (wanted.binTime() != null) { // before the first effect
      bin.check(now, lasting);
    }
    StorageContainer changed =
        wanted.name() == null && wanted.quota() == null
            ? now
            : containers.update(
                id,
                Objects.requireNonNullElse(wanted.name(), now.name()),
                Objects.requireNonNullElse(wanted.quota(), now.quotaInBytes()));
    return view(wanted.binTime() == null ? changed : bin.set(id, lasting));
  }

  private static @Nullable Duration binTime(@Nullable String text) {
    return BinTimes.DEFAULT.equals(text) ? null : IsoDurations.parse("binTime", text);
  }

  @DeleteMapping("/containers/{id}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable UUID id, IfMatch ifMatch) {
    turns.doAlone(
        "containers",
        id,
        () -> {
          ifMatch.require(() -> edition(view(id)));
          containers.delete(id);
        });
  }

  private Container view(StorageContainer container) {
    return views(List.of(container), containers.list()).getFirst();
  }

  /// Views in the given order; one pass over the pool, whatever their number.
  private List<Container> views(List<StorageContainer> shown, List<StorageContainer> all) {
    Map<UUID, ContainerContent> contents = spaces.ofContainers(shown);
    long quotas = sumOfQuotas(all);
    Map<UUID, List<UUID>> limits = containers.limits();
    return shown.stream()
        .map(
            one ->
                view(
                    one,
                    Objects.requireNonNull(contents.get(one.id())),
                    quotas,
                    limits.get(one.id())))
        .toList();
  }

  private Container view(
      StorageContainer container,
      ContainerContent inside,
      long quotas,
      @Nullable List<UUID> registrations) {
    ContainerSpace space = inside.space();
    List<Warning> warnings = warnings(container, space, quotas);
    LowerBinTime lower = container.lowerBinTime();
    return new Container(
        container.id(),
        container.name(),
        container.quotaInBytes(),
        container.created(),
        inside.machines(),
        inside.volumes(),
        space.provisioned(),
        space.used(),
        space.free(),
        inside.reclaimable(),
        TimeText.iso(bin.of(container)),
        lower == null ? null : TimeText.iso(bin.of(lower)),
        lower == null ? null : time.onTheClock(lower.at()),
        warnings.isEmpty() ? null : warnings.getFirst().sentence(),
        warnings,
        registrations);
  }

  /// The sum of all quotas. No quota is too large to count.
  private static long sumOfQuotas(List<StorageContainer> all) {
    long sum = 0;
    for (StorageContainer one : all) {
      sum = sum > Long.MAX_VALUE - one.quotaInBytes() ? Long.MAX_VALUE : sum + one.quotaInBytes();
    }
    return sum;
  }

  private static List<Warning> warnings(
      StorageContainer container, ContainerSpace space, long quotas) {
    long pool = space.physicalTotal();
    List<Warning> warnings = new ArrayList<>();
    if (container.quotaInBytes() > pool) {
      warnings.add(
          new Warning(
              "quota-beyond-pool",
              "the quota is more than the %d bytes that the pool has for volumes: what is stored beyond those is refused"
                  .formatted(pool)));
    }
    if (quotas > pool) {
      warnings.add(
          new Warning(
              "quotas-beyond-pool",
              "the quotas of all containers are %d bytes, more than the %d that the pool has for volumes: it may be full before they are"
                  .formatted(quotas, pool)));
    }
    if (space.provisioned() > pool) {
      warnings.add(
          new Warning(
              "volumes-beyond-pool",
              "the volumes are %d bytes, more than the %d that the pool has for them: it may be full before they are"
                  .formatted(space.provisioned(), pool)));
    }
    return List.copyOf(warnings);
  }
}
