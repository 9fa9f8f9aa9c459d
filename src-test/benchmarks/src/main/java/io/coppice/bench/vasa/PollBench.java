package io.coppice.bench.vasa;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.load.Figures;
import io.coppice.load.LoadSite;
import io.coppice.load.ProviderCost;
import io.coppice.load.ProviderRows;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/// Hosts that do nothing but ask for events every 10 s: what that costs.
final class PollBench {

  private static final long PERIOD_NANOS = 10_000_000_000L;

  private PollBench() {}

  /// @return whether no call failed
  static boolean run(LoadSite site, int hosts, Duration length) throws IOException {
    List<EsxiHost> esxi = new ArrayList<>();
    for (int i = 0; i < hosts; i++) {
      esxi.add(site.addHost("poll-" + i, false));
    }
    long pid = site.provider().pid();
    long databasePid = ProviderRows.serverPid(site.provider().home());
    Duration idle = cost(pid, () -> pause(length));
    Figures figures = new Figures();
    Duration databaseBefore = ProviderCost.cpuOf(databasePid);
    Duration polled = cost(pid, () -> poll(esxi, length, figures));
    Duration database = ProviderCost.cpuOf(databasePid).minus(databaseBefore);
    System.out.printf(
        "%n%d hosts that ask for events every 10 s, for %d s: CPU of the provider %.2f %% of a core"
            + " (%.2f %% without them), of its PostgreSQL %.2f %%%n",
        hosts,
        length.toSeconds(),
        100.0 * polled.toMillis() / length.toMillis(),
        100.0 * idle.toMillis() / length.toMillis(),
        100.0 * database.toMillis() / length.toMillis());
    figures.print(System.out);
    figures.errors().stream().limit(10).forEach(System.out::println);
    return figures.errors().isEmpty();
  }

  private static Duration cost(long pid, Runnable work) {
    Duration before = ProviderCost.cpuOf(pid);
    work.run();
    return ProviderCost.cpuOf(pid).minus(before);
  }

  private static void pause(Duration length) {
    long end = System.nanoTime() + length.toNanos();
    for (long left = length.toNanos(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private static void poll(List<EsxiHost> hosts, Duration length, Figures figures) {
    long start = System.nanoTime();
    try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < hosts.size(); i++) {
        EsxiHost host = hosts.get(i);
        long first = start + PERIOD_NANOS * i / hosts.size();
        workers.execute(
            () -> {
              for (long due = first; due - start < length.toNanos(); due += PERIOD_NANOS) {
                pause(Duration.ofNanos(due - System.nanoTime()));
                once(host, figures);
              }
            });
      }
    }
  }

  private static void once(EsxiHost host, Figures figures) {
    long begin = System.nanoTime();
    try {
      host.client().events().getEvents(-1);
      figures.ended("getEvents", System.nanoTime() - begin);
    } catch (RuntimeException e) { // the bench reports it at its end
      figures.failed("getEvents", e);
    }
  }
}
