package io.coppice.bench.vasa;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.soap.BatchStatus;
import io.coppice.driver.soap.BindingCalls;
import io.coppice.driver.soap.VvolHandle;
import io.coppice.harness.Mismatch;
import io.coppice.kit.Callers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Single calls to the control plane, each on a volume that no other call works on.
final class Volumes {

  private static final Duration TASK = Duration.ofMinutes(1);
  private static final long SIZE_MB = 64;
  private static final int CALLERS = 16;
  private static final List<String> KINDS =
      List.of("bind", "unbind", "bind", "unbind", "query", "query", "query", "metadata", "create");

  private final List<EsxiHost> hosts;
  private final String container;
  private final ConcurrentLinkedDeque<String> free = new ConcurrentLinkedDeque<>();
  private final ConcurrentLinkedDeque<Bound> bound = new ConcurrentLinkedDeque<>();
  private final AtomicInteger names = new AtomicInteger();

  private record Bound(EsxiHost host, VvolHandle handle) {}

  Volumes(List<EsxiHost> hosts, String container) {
    this.hosts = List.copyOf(hosts);
    this.container = container;
  }

  /// What a run draws from, in the shares of a busy day: mostly binds and queries.
  static String draw(Random random) {
    return KINDS.get(random.nextInt(KINDS.size()));
  }

  void run(String kind, EsxiHost host) {
    switch (kind) {
      case "bind" -> bind(host);
      case "unbind" -> unbind();
      case "query" -> onFree(id -> host.client().volumes().queryVirtualVolumeInfo(List.of(id)));
      case "metadata" ->
          onFree(
              id ->
                  host.client()
                      .volumes()
                      .updateVirtualVolumeMetaData(
                          id, Map.of("VMW_GosType", "guest-" + names.incrementAndGet())));
      case "create" -> create(host);
      default -> throw new IllegalArgumentException("expected a kind of call, got " + kind);
    }
  }

  EsxiHost host(int number) {
    return hosts.get(Math.floorMod(number, hosts.size()));
  }

  void create(EsxiHost host) {
    String name = "rate-" + names.incrementAndGet();
    free.add(create(host, container, "Data", Map.of("VMW_VVolName", name, "VMW_VmID", name)));
  }

  static String create(EsxiHost host, String container, String type, Map<String, String> metadata) {
    var task =
        host.client().volumes().createVirtualVolume(container, type, null, SIZE_MB, metadata);
    return host.client().tasks().await(task, TASK).requireResult();
  }

  private void bind(EsxiHost host) {
    onFreeTaken(
        id ->
            bound.add(
                new Bound(
                    host,
                    host.client()
                        .bindings()
                        .bindVirtualVolume(List.of(id), BindingCalls.NORMAL)
                        .getFirst()
                        .requireHandle())));
  }

  private void unbind() {
    @Nullable Bound one = bound.poll();
    if (one == null) {
      throw new Mismatch("expected a bound volume, there is none");
    }
    BatchStatus.requireAllGood(
        one.host()
            .client()
            .bindings()
            .unbindVirtualVolume(List.of(one.handle()), BindingCalls.NORMAL));
    free.add(one.handle().vvolId());
  }

  private interface OnVolume {
    void apply(String id);
  }

  private void onFreeTaken(OnVolume action) {
    @Nullable String id = free.poll();
    if (id == null) {
      throw new Mismatch("expected a volume that is not bound, there is none");
    }
    action.apply(id);
  }

  private void onFree(OnVolume action) {
    onFreeTaken(
        id -> {
          action.apply(id);
          free.add(id);
        });
  }

  /// Makes volumes and binds some, so that unbinds find something.
  void prepare(int volumes, int bindings) {
    Callers.run(CALLERS, volumes, i -> create(host(i)));
    Callers.run(CALLERS, bindings, i -> bind(host(i)));
  }

  /// `unbind` where few are free, `bind` where few are bound, else `kind`.
  String fitting(String kind) {
    int bindings = bound.size();
    int left = free.size();
    if (kind.equals("unbind") && bindings < 32) {
      return "bind";
    }
    return kind.equals("bind") && left < 64 ? "unbind" : kind;
  }
}
