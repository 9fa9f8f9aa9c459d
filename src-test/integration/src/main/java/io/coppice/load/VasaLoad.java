package io.coppice.load;

import io.coppice.harness.ProviderProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// One vCenter, many hosts and machines against a provider process, with kills at random moments.
///
/// What the hosts know is held against rows and pool after each start and at the end, when the pool
/// is opened without the provider too.
public final class VasaLoad {

  private static final int LOOKS = 4;
  private static final long TICK_NANOS = 20_000_000;

  private final LoadSettings settings;
  private final LoadSite site;
  private final ProviderProcess provider;
  private final Consumer<String> say;
  private final Gate gate = new Gate();
  private final Ledger ledger = new Ledger();
  private final Figures figures = new Figures();
  private final List<LoadedHost> hosts = new ArrayList<>();
  private final List<String> findings = new ArrayList<>();
  private final List<ProviderCost.Memory> memory = new ArrayList<>();
  private final List<Duration> restarts = new ArrayList<>();
  private Duration providerCpu = Duration.ZERO;
  private Duration cpuAtStart = Duration.ZERO;
  private Duration worked = Duration.ZERO;

  private VasaLoad(LoadSettings settings, LoadSite site, Consumer<String> say) {
    this.settings = settings;
    this.site = site;
    this.provider = site.provider();
    this.say = say;
  }

  /// Runs in `folder`, which must be empty; the provider is stopped at the end.
  ///
  /// @param say takes a line about what is going on
  public static LoadReport run(LoadSettings settings, Path folder, Consumer<String> say)
      throws IOException {
    Path home = folder.resolve("home");
    try (LoadSite site =
        new LoadSite(settings.providerJar(), home, settings.providerSettings(), false)) {
      return new VasaLoad(settings, site, say).run(home);
    }
  }

  private LoadReport run(Path home) throws IOException {
    for (int i = 0; i < settings.hosts(); i++) {
      boolean withSession = i < settings.withSessions();
      hosts.add(
          new LoadedHost(
              site.addHost("esxi-" + i, withSession), withSession, gate, ledger, figures));
    }
    Crew crew = new Crew(settings, site.container(), hosts, gate, figures);
    cpuAtStart = cpu();
    Duration databaseCpu = ProviderCost.cpuOf(ProviderRows.serverPid(home));
    long start = System.nanoTime();
    crew.start();
    try {
      workUntilTheEnd();
    } finally {
      gate.open();
      crew.endAndJoin();
    }
    Duration length = Duration.ofNanos(System.nanoTime() - start);
    endOfLife();
    look("the end");
    LoadReport.Totals totals =
        new LoadReport.Totals(
            length,
            crew.machines(),
            ledger.volumes(),
            ledger.bindings(),
            providerCpu,
            ProviderCost.cpuOf(ProviderRows.serverPid(home)).minus(databaseCpu));
    compare("at the end");
    Ledger.Seen rows = seenWhileServed();
    provider.stop();
    comparePool(home, rows);
    return new LoadReport(settings, figures, totals, findings, memory, restarts);
  }

  private Duration cpu() {
    return ProviderCost.cpuOf(provider.pid());
  }

  private void endOfLife() {
    providerCpu = providerCpu.plus(cpu().minus(cpuAtStart));
    cpuAtStart = Duration.ZERO;
  }

  /// Kills and looks at memory at their moments; time in which the gate is closed does not count.
  private void workUntilTheEnd() {
    List<Duration> kills = moments();
    List<Duration> looks = new ArrayList<>();
    for (int i = 1; i < LOOKS; i++) {
      looks.add(settings.length().multipliedBy(i).dividedBy(LOOKS));
    }
    while (worked.compareTo(settings.length()) < 0) {
      long start = System.nanoTime();
      LockSupport.parkNanos(TICK_NANOS);
      worked = worked.plusNanos(System.nanoTime() - start);
      if (!kills.isEmpty() && worked.compareTo(kills.getFirst()) >= 0) {
        kills.removeFirst();
        killAndRestart();
      }
      if (!looks.isEmpty() && worked.compareTo(looks.getFirst()) >= 0) {
        looks.removeFirst();
        look("while it works");
      }
    }
  }

  private List<Duration> moments() {
    Random random = new Random(settings.seed());
    return new ArrayList<>(
        random
            .longs(settings.kills(), 1, settings.length().toNanos())
            .sorted()
            .mapToObj(Duration::ofNanos)
            .toList());
  }

  private void look(String when) {
    gate.close();
    try {
      ProviderCost.Memory now = ProviderCost.memory(worked, restarts.size() + 1, provider.pid());
      memory.add(now);
      say.accept(
          "%s: %d s, %d operations, %d errors, %d MiB resident, %.1f MiB live heap"
              .formatted(
                  when,
                  worked.toSeconds(),
                  figures.operations(),
                  figures.errors().size(),
                  now.resident() >> 20,
                  now.liveHeap() / 1048576.0));
    } finally {
      gate.open();
    }
  }

  private void killAndRestart() {
    endOfLife();
    gate.closeAndKill(provider::kill);
    try {
      long start = System.nanoTime();
      provider.start();
      provider.awaitReady(LoadSite.START);
      restarts.add(Duration.ofNanos(System.nanoTime() - start));
      hosts.forEach(LoadedHost::reconnect);
      int before = findings.size();
      compare("after kill " + restarts.size());
      say.accept(
          "kill %d at %.1f s: back after %.1f s, %d volumes, %d bindings, %d findings"
              .formatted(
                  restarts.size(),
                  worked.toMillis() / 1e3,
                  restarts.getLast().toMillis() / 1e3,
                  ledger.volumes(),
                  ledger.bindings(),
                  findings.size() - before));
    } finally {
      gate.open();
    }
  }

  /// Holds what hosts know against the rows of volumes and the bindings that the provider serves.
  private void compare(String when) {
    try (ProviderRows rows = ProviderRows.of(provider.home())) {
      Ledger.Seen seen = rows.seen(ServedBindings.of(site.rest()));
      List<String> found = new ArrayList<>(ledger.differences("rows", seen));
      found.addAll(rows.leftovers());
      found.forEach(each -> findings.add(when + ": " + each));
    }
  }

  private Ledger.Seen seenWhileServed() {
    try (ProviderRows rows = ProviderRows.of(provider.home())) {
      return rows.seen(ServedBindings.of(site.rest()));
    }
  }

  private void comparePool(Path home, Ledger.Seen rows) {
    Ledger.Seen pool = StoppedPool.of(home);
    List<String> found = new ArrayList<>(ledger.differences("pool", pool));
    if (!pool.ready().equals(rows.ready()) || !pool.bindings().equals(rows.bindings())) {
      found.add(
          "served and in the stopped pool: %d and %d volumes, %d and %d bindings"
              .formatted(
                  rows.ready().size(),
                  pool.ready().size(),
                  rows.bindings().size(),
                  pool.bindings().size()));
    }
    found.forEach(each -> findings.add("after the stop: " + each));
  }
}
