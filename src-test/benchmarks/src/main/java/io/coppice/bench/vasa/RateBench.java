package io.coppice.bench.vasa;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.load.Figures;
import io.coppice.load.LoadSite;
import io.coppice.load.ProviderCost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// So many calls a second offered, whether the ones before have ended or not, each timed from the
/// moment it was due; then as many as so many callers get done.
final class RateBench {

  private static final int VOLUMES = 400;
  private static final int BOUND = 150;
  private static final Duration WARM_UP = Duration.ofSeconds(10);

  private final LoadSite site;
  private final Volumes volumes;
  private final int perSecond;
  private final int callers;
  private final Duration length;

  RateBench(LoadSite site, int hosts, int perSecond, int callers, Duration length) {
    this.site = site;
    this.perSecond = perSecond;
    this.callers = callers;
    this.length = length;
    List<EsxiHost> esxi = new ArrayList<>();
    for (int i = 0; i < hosts; i++) {
      esxi.add(site.addHost("esxi-" + i, false));
    }
    volumes = new Volumes(esxi, site.container());
  }

  /// @return whether no call failed
  boolean run() {
    volumes.prepare(VOLUMES, BOUND);
    offered(WARM_UP, new Figures());
    Figures open = new Figures();
    Duration before = ProviderCost.cpuOf(site.provider().pid());
    offered(length, open);
    Duration cpu = ProviderCost.cpuOf(site.provider().pid()).minus(before);
    System.out.printf(
        "%n%d calls a second offered for %d s; CPU of the provider %.0f %% of a core%n",
        perSecond, length.toSeconds(), 100.0 * cpu.toMillis() / length.toMillis());
    open.print(System.out);
    Figures closed = new Figures();
    double rate = closedLoop(closed);
    System.out.printf("%n%d callers without a pause: %.0f calls a second%n", callers, rate);
    closed.print(System.out);
    List<String> errors = new ArrayList<>(open.errors());
    errors.addAll(closed.errors());
    System.out.printf("%d errors%n", errors.size());
    errors.stream().limit(10).forEach(System.out::println);
    return errors.isEmpty();
  }

  private void offered(Duration time, Figures figures) {
    Random random = new Random(1);
    long start = System.nanoTime();
    long calls = time.toSeconds() * perSecond;
    try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < calls; i++) {
        long due = start + i * TimeUnit.SECONDS.toNanos(1) / perSecond;
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
          LockSupport.parkNanos(left);
        }
        String kind = Volumes.draw(random);
        EsxiHost host = volumes.host(i);
        workers.execute(() -> measured(kind, host, due, figures));
      }
    }
  }

  private void measured(String drawn, EsxiHost host, long due, Figures figures) {
    String kind = volumes.fitting(drawn);
    try {
      volumes.run(kind, host);
      long took = System.nanoTime() - due;
      figures.ended(kind, took);
      figures.ended("all of them", took);
    } catch (RuntimeException e) { // the bench reports it at its end
      figures.failed(kind, e);
    }
  }

  private double closedLoop(Figures figures) {
    long start = System.nanoTime();
    long end = start + length.toNanos();
    try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < callers; i++) {
        Random random = new Random(i);
        EsxiHost host = volumes.host(i);
        workers.execute(
            () -> {
              while (System.nanoTime() - end < 0) {
                measured(Volumes.draw(random), host, System.nanoTime(), figures);
              }
            });
      }
    }
    return figures.operations() / 2.0 * 1e9 / (System.nanoTime() - start);
  }
}
