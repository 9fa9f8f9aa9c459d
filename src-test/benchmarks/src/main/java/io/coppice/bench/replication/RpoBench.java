package io.coppice.bench.replication;

import io.coppice.bench.replication.KnownWrites.Plan;
import io.coppice.bench.replication.KnownWrites.Run;
import io.coppice.harness.Mismatch;
import io.coppice.kit.Markdown;
import io.coppice.kit.Spread;
import io.coppice.sites.GroupEnd;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import tools.jackson.databind.JsonNode;

/// `--only rpo`: volumes that are written to over iSCSI while they are replicated: how far the
/// other site is behind, what replication costs the writes, and how it catches up.
final class RpoBench {

  private static final long BYTES = 16L << 20;
  private static final int DEPTH = 32;
  private static final double SHARE = 0.25;

  /// A cycle is as usual again if it takes no longer than this many times the usual median.
  private static final double USUAL = 1.5;

  private static final Duration PATIENCE = Duration.ofMinutes(20);

  private final ReplicationOptions options;
  private final TwoSites sites;
  private final ExportedVolumes volumes;
  private final KnownWrites writes;
  private final Duration slice;

  private RpoBench(ReplicationOptions options, TwoSites sites, ExportedVolumes volumes) {
    this.options = options;
    this.sites = sites;
    this.volumes = volumes;
    writes = new KnownWrites(volumes.units(), BYTES, DEPTH);
    slice = Duration.ofSeconds(options.interval());
  }

  static int run(ReplicationOptions options, Path folder) throws IOException {
    String capacity = options.isQuick() ? "4GB" : "12GB";
    try (TwoSites sites =
        TwoSites.start(options.providerJar(), folder, capacity, !options.isQuick())) {
      String container = sites.first().container(TwoSites.CONTAINER, TwoSites.QUOTA);
      sites.second().container(TwoSites.CONTAINER, TwoSites.QUOTA);
      try (ExportedVolumes volumes =
          ExportedVolumes.make(sites.first(), container, options.volumes(), BYTES)) {
        new RpoBench(options, sites, volumes).measure();
      }
      return 0;
    }
  }

  private void measure() {
    System.err.println("filling the volumes ...");
    writes.fill();
    writes.run(Plan.saturated(slice));
    double saturated = writes.run(Plan.saturated(slice)).perSecond();
    double rate = saturated * SHARE;
    System.out.printf(
        "%n%d volumes of %d MiB, all of them stored, stand for as many machines; writes of 4 KiB at random places, depth %d, in one session; a cycle each %d s. Without a target: %,.0f writes a second. A quarter of that is %,.0f.%n%n",
        volumes.ids().size(), BYTES >> 20, DEPTH, options.interval(), saturated, rate);
    long start = System.nanoTime();
    GroupEnd source =
        sites
            .first()
            .replicate(
                sites.second(),
                "rpo",
                options.interval(),
                "volume",
                volumes.ids(),
                TwoSites.CONTAINER);
    source.awaitReplica();
    GroupEnd.Cycles copied = source.cycles();
    System.out.printf(
        "The first copy of %,d bytes took %.1f s, %,d bytes over the link.%n%n",
        copied.dataBytes(), (System.nanoTime() - start) / 1e9, copied.linkBytes());
    double usual = cycles(source, rate);
    pairs(source, rate);
    catchUp(source, rate, usual);
    verify(source);
  }

  // ---- how far it is behind

  /// @return the median of the seconds that cycles took
  private double cycles(GroupEnd source, double rate) {
    System.err.printf("%d minutes at a quarter of the rate ...%n", options.minutes());
    GroupEnd.Cycles before = source.cycles();
    try (CycleWatch watch = new CycleWatch(source)) {
      Run run = writes.run(Plan.at(rate, Duration.ofMinutes(options.minutes())));
      List<CycleWatch.Seen> seen = watch.seen();
      if (seen.isEmpty()) {
        throw new Mismatch(
            "expected cycles within %d min, none ended".formatted(options.minutes()));
      }
      GroupEnd.Cycles cycles = source.cycles().since(before);
      int interval = options.interval();
      System.out.print(
          Markdown.header(
              "Cycles",
              "Writes a second, wanted and kept",
              "Cycle took, s",
              "Age of a replica when it arrived, s",
              "Of these above %d s".formatted(interval),
              "Age of the newest replica just before the next arrived, s",
              "Data / writes",
              "Link / data"));
      System.out.print(
          Markdown.row(
              seen.size(),
              "%,.0f, %,.0f".formatted(rate, run.perSecond()),
              spread(seen, CycleWatch.Seen::took),
              spread(seen, CycleWatch.Seen::age),
              seen.stream().filter(cycle -> cycle.age() > interval).count(),
              spread(seen, CycleWatch.Seen::behind),
              "%.3f".formatted((double) cycles.dataBytes() / run.bytes()),
              "%.3f".formatted((double) cycles.linkBytes() / cycles.dataBytes())));
      return Spread.median(seen.stream().map(CycleWatch.Seen::took).toList());
    }
  }

  private static <T> String spread(List<T> all, ToDoubleFunction<T> figure) {
    return Spread.text("%.2f (%.2f-%.2f)", all.stream().map(figure::applyAsDouble).toList());
  }

  // ---- what it costs

  /// A time of writes, and what it cost both providers.
  private record Slice(Run run, TwoSites.Cost cost) {

    double cpu(ToDoubleFunction<TwoSites.Cost> seconds) {
      return seconds.applyAsDouble(cost) * 1e6 / run.writes();
    }
  }

  private record Pair(Slice without, Slice with) {

    double ratio(ToDoubleFunction<Slice> figure) {
      return figure.applyAsDouble(with) / figure.applyAsDouble(without);
    }
  }

  private void pairs(GroupEnd source, double rate) {
    System.err.println("alternating pairs without and with cycles ...");
    List<Pair> quarter = new ArrayList<>();
    List<Pair> full = new ArrayList<>();
    for (int i = 0; i < options.rounds(); i++) {
      quarter.add(pair(source, rate, i % 2 == 0));
      full.add(pair(source, 0, i % 2 == 0));
    }
    System.out.print(
        "\n"
            + Markdown.header(
                "Writes", "Figure", "Without cycles", "With cycles", "Ratio of pairs"));
    row("a quarter", "a second", "%,.0f (%,.0f-%,.0f)", quarter, s -> s.run().perSecond());
    row("a quarter", "median, ms", "%.2f (%.2f-%.2f)", quarter, s -> millis(s, 50));
    row("a quarter", "99 %, ms", "%.2f (%.2f-%.2f)", quarter, s -> millis(s, 99));
    row("saturated", "a second", "%,.0f (%,.0f-%,.0f)", full, s -> s.run().perSecond());
    row("saturated", "99 %, ms", "%.2f (%.2f-%.2f)", full, s -> millis(s, 99));
    costs("a quarter", quarter);
    costs("saturated", full);
  }

  private static void costs(String what, List<Pair> pairs) {
    row(
        what,
        "CPU of the source, µs a write",
        "%.1f (%.1f-%.1f)",
        pairs,
        slice -> slice.cpu(cost -> cost.first().cpu().toNanos() / 1e9));
    row(
        what,
        "CPU of the target, µs a write",
        "%.1f (%.1f-%.1f)",
        pairs,
        slice -> slice.cpu(cost -> cost.second().cpu().toNanos() / 1e9));
    row(
        what,
        "device bytes of the source, a byte written",
        "%.2f (%.2f-%.2f)",
        pairs,
        slice -> (double) slice.cost().first().written() / slice.run().bytes());
    row(
        what,
        "device bytes of the target, a byte written",
        "%.2f (%.2f-%.2f)",
        pairs,
        slice -> (double) slice.cost().second().written() / slice.run().bytes());
  }

  private static double millis(Slice slice, double percent) {
    return slice.run().latencies().millis(percent);
  }

  private static void row(
      String writes, String figure, String form, List<Pair> pairs, ToDoubleFunction<Slice> value) {
    List<Double> without = pairs.stream().map(p -> value.applyAsDouble(p.without())).toList();
    List<Double> with = pairs.stream().map(p -> value.applyAsDouble(p.with())).toList();
    // A target that idles does next to nothing: there is no ratio to that.
    boolean isOfTarget = figure.contains("target");
    System.out.print(
        Markdown.row(
            writes,
            figure,
            Spread.text(form, without),
            Spread.text(form, with),
            isOfTarget ? "" : spread(pairs, pair -> pair.ratio(value))));
  }

  private Pair pair(GroupEnd source, double rate, boolean isWithoutFirst) {
    Slice first = slice(source, rate, !isWithoutFirst);
    Slice second = slice(source, rate, isWithoutFirst);
    return isWithoutFirst ? new Pair(first, second) : new Pair(second, first);
  }

  /// With cycles: two intervals, so that two of them begin.
  private Slice slice(GroupEnd source, double rate, boolean withCycles) {
    Duration time = withCycles ? slice.multipliedBy(2) : slice;
    if (withCycles) {
      source.resume();
    } else {
      source.pause();
    }
    TwoSites.Cost before = sites.cost();
    Run run = writes.run(rate > 0 ? Plan.at(rate, time) : Plan.saturated(time));
    return new Slice(run, sites.cost().since(before));
  }

  // ---- how it catches up

  private void catchUp(GroupEnd source, double rate, double usual) {
    System.err.println("writing while cycles are paused ...");
    source.resume();
    source.synchronize("before the pause");
    source.pause();
    int mark = writes.mark();
    long written = writes.run(Plan.of(options.catchUp() / KnownWrites.BLOCK)).bytes();
    long changed = writes.changedSince(mark);
    GroupEnd.Cycles before = source.cycles();
    List<CycleWatch.Seen> seen;
    double seconds;
    AtomicBoolean ending = new AtomicBoolean();
    try (CycleWatch watch = new CycleWatch(source)) {
      Thread beside =
          Thread.ofPlatform()
              .name("bench-writes")
              .start(() -> writes.run(Plan.at(rate, PATIENCE), ending::get));
      long start = System.nanoTime();
      source.resume();
      do {
        nap();
        seen = watch.seen();
        seconds = (System.nanoTime() - start) / 1e9;
      } while (beside.isAlive() && !isUsual(seen, usual));
      ending.set(true);
      join(beside);
    }
    if (!isUsual(seen, usual)) {
      throw new Mismatch(
          "expected a cycle of %.1f s at most within %d s, got %s"
              .formatted(USUAL * usual, PATIENCE.toSeconds(), seen));
    }
    GroupEnd.Cycles cycles = source.cycles().since(before);
    System.out.print(
        "\n"
            + Markdown.header(
                "Catching up",
                "Written while paused",
                "Bytes of the places",
                "Cycles took, s",
                "Until one was as usual",
                "Data that was sent",
                "Over the link"));
    System.out.print(
        Markdown.row(
            "beside a quarter of the rate",
            "%,d".formatted(written),
            "%,d".formatted(changed),
            seen.stream().map(cycle -> "%.2f".formatted(cycle.took())).toList(),
            "%.1f s".formatted(seconds),
            "%,d".formatted(cycles.dataBytes()),
            "%,d".formatted(cycles.linkBytes())));
  }

  private static boolean isUsual(List<CycleWatch.Seen> seen, double usual) {
    return seen.size() > 1 && seen.getLast().took() <= Math.max(USUAL * usual, usual + 0.5);
  }

  private static void nap() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Mismatch("interrupted while the bench ran", e);
    }
  }

  // ---- what the other site holds

  private void verify(GroupEnd source) {
    System.err.println("reading the last replica at the target ...");
    writes.verifyAll();
    source.synchronize("the end");
    GroupEnd target = sites.second().group(source.id());
    JsonNode test = target.post("test", "");
    Map<String, String> byName = new HashMap<>();
    for (String id : GroupEnd.volumes(test)) {
      byName.put(sites.second().rest().get("vvols/" + id).get("name").asString(), id);
    }
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < volumes.ids().size(); i++) {
      String name = ExportedVolumes.nameOf(i) + " (test)";
      String id = byName.get(name);
      if (id == null) {
        throw new Mismatch("expected a volume %s at b, got %s".formatted(name, byName.keySet()));
      }
      ids.add(id);
    }
    try (ExportedVolumes shown = ExportedVolumes.open(sites.second(), ids)) {
      writes.moveTo(shown.units());
      writes.verifyAll();
    }
    System.out.printf(
        "%nThe last replica holds what was written, in each of %d volumes.%n", ids.size());
  }
}
