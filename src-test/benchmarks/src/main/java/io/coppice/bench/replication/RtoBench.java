package io.coppice.bench.replication;

import io.coppice.driver.esxi.VirtualMachine;
import io.coppice.driver.esxi.VmSpec;
import io.coppice.driver.esxi.VvolDisk;
import io.coppice.driver.scsi.LogicalUnit;
import io.coppice.harness.Mismatch;
import io.coppice.kit.Callers;
import io.coppice.kit.Markdown;
import io.coppice.kit.Spread;
import io.coppice.sites.GroupEnd;
import io.coppice.sites.SiteHost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import tools.jackson.databind.JsonNode;

/// `--only rto`: virtual machines whose provider is killed, until each one's data vVol is read at
/// the other site; then the way home, with the bytes that it takes.
final class RtoBench {

  private static final int INTERVAL_SECONDS = 3600; // cycles run when they are asked for
  private static final long CONFIG_MIB = 64;
  private static final long DATA_MIB = 1024;
  private static final long STORED = 32L << 20;
  private static final int DEPTH = 32;
  private static final int CALLERS = 8;
  private static final int PERCENT = 1;

  private final TwoSites sites;
  private final SiteHost atFirst;
  private final SiteHost atSecond;
  private final List<VirtualMachine> machines = new ArrayList<>();
  private final KnownWrites writes;
  private final List<Way> over = new ArrayList<>();
  private final List<Way> home = new ArrayList<>();
  private final List<Sent> sent = new ArrayList<>();
  private String group = "";
  private GroupEnd.Cycles atSecondSoFar = GroupEnd.Cycles.NONE; // its provider starts once

  /// The times of a fail-over in seconds, from its call.
  ///
  /// @param call until it was answered
  /// @param reads until each data vVol was read, the first one first
  private record Way(double call, double[] reads) {

    double median() {
      return Spread.median(Arrays.stream(reads).boxed().toList());
    }
  }

  /// The bytes of the way home.
  private record Sent(long changed, GroupEnd.Cycles cycles, double reversal, double preparation) {}

  private RtoBench(TwoSites sites, SiteHost atFirst, SiteHost atSecond, int vms) {
    this.sites = sites;
    this.atFirst = atFirst;
    this.atSecond = atSecond;
    String container = sites.first().container(TwoSites.CONTAINER, TwoSites.QUOTA);
    sites.second().container(TwoSites.CONTAINER, TwoSites.QUOTA);
    for (int i = 0; i < vms; i++) {
      VmSpec spec = new VmSpec("rto-" + i, container, CONFIG_MIB, List.of(DATA_MIB), 16, null);
      machines.add(VirtualMachine.create(atFirst.host(), spec));
    }
    writes = new KnownWrites(unitsAtFirst(), STORED, DEPTH);
    writes.fill();
  }

  static int run(ReplicationOptions options, Path folder) throws IOException {
    try (TwoSites sites = TwoSites.start(options.providerJar(), folder, "8GB", !options.isQuick());
        SiteHost atFirst = new SiteHost(sites.first());
        SiteHost atSecond = new SiteHost(sites.second())) {
      RtoBench bench = new RtoBench(sites, atFirst, atSecond, options.vms());
      bench.replicate();
      for (int i = 0; i < options.rounds(); i++) {
        System.err.printf("round %d of %d ...%n", i + 1, options.rounds());
        bench.round();
      }
      bench.report();
      return 0;
    }
  }

  private void replicate() {
    GroupEnd source =
        sites
            .first()
            .replicate(
                sites.second(),
                "rto",
                INTERVAL_SECONDS,
                "vm",
                machines.stream().map(VirtualMachine::vmId).toList(),
                TwoSites.CONTAINER);
    group = source.id();
    source.awaitReplica();
  }

  private List<LogicalUnit> unitsAtFirst() {
    return machines.stream().map(vm -> vm.bindDisks().getFirst().unit()).toList();
  }

  private void round() {
    writes.run(share());
    sites.first().group(group).synchronize("before the loss");
    sites.first().kill();

    List<VvolDisk> there = new ArrayList<>();
    over.add(failOver(there));
    writes.moveTo(there.stream().map(VvolDisk::unit).toList());
    writes.verifyAll();
    int mark = writes.mark();
    writes.run(share());

    sites.first().start();
    sites.first().awaitReady();
    sites.first().group(group).awaitState("REMOTE_FAILEDOVER");
    atFirst.comeBack();
    machines.forEach(VirtualMachine::unbindDisks);
    goHome(there, mark);
  }

  private KnownWrites.Plan share() {
    return KnownWrites.Plan.of(machines.size() * STORED / KnownWrites.BLOCK * PERCENT / 100);
  }

  private Way failOver(List<VvolDisk> there) {
    long start = System.nanoTime();
    sites.second().group(group).post("fail-over", "");
    double call = seconds(start);
    Map<String, String> data = new HashMap<>();
    for (JsonNode vvol : sites.second().rest().get("vvols?type=Data&limit=1000").get("items")) {
      data.put(vvol.get("vm").asString(), "rfc4122." + vvol.get("id").asString());
    }
    VvolDisk[] disks = new VvolDisk[machines.size()];
    double[] reads =
        firstReads(
            start,
            i -> {
              String id = data.get(machines.get(i).vmId());
              if (id == null) {
                throw new Mismatch(
                    "expected a data vVol of machine %d at b, got none".formatted(i));
              }
              disks[i] = atSecond.host().bind(id);
              return disks[i].unit();
            });
    there.addAll(List.of(disks));
    return new Way(call, reads);
  }

  private double[] firstReads(long start, IntFunction<LogicalUnit> bind) {
    double[] reads = new double[machines.size()];
    Callers.run(
        CALLERS,
        reads.length,
        i -> {
          writes.verifyFirst(i, bind.apply(i));
          reads[i] = seconds(start);
        });
    Arrays.sort(reads);
    return reads;
  }

  private void goHome(List<VvolDisk> there, int mark) {
    GroupEnd source = sites.second().group(group);
    GroupEnd.Cycles before = atSecondSoFar;
    long start = System.nanoTime();
    source.post("reverse", "");
    source.awaitCycle(before);
    double reversal = seconds(start);
    atSecond.host().unbind(there);
    long prepare = System.nanoTime();
    source.post("prepare", "");
    double preparation = seconds(prepare);
    atSecondSoFar = source.cycles();
    sent.add(
        new Sent(writes.changedSince(mark), atSecondSoFar.since(before), reversal, preparation));

    long call = System.nanoTime();
    sites.first().group(group).post("fail-over", "{\"planned\": true}");
    double answered = seconds(call);
    home.add(
        new Way(answered, firstReads(call, i -> machines.get(i).bindDisks().getFirst().unit())));
    writes.moveTo(unitsAtFirst());
    writes.verifyAll();
    GroupEnd first = sites.first().group(group);
    first.post("reverse", "");
    first.awaitCycle(GroupEnd.Cycles.NONE); // its provider has started in this round
  }

  private static double seconds(long since) {
    return (System.nanoTime() - since) / 1e9;
  }

  // ---- the report

  private void report() {
    System.out.printf(
        "%n%d machines in one group, each with a config vVol of %d MiB and a data vVol of %d MiB of which %d MiB are stored; %d rounds. Seconds from the call, the median of the rounds with their range:%n%n",
        machines.size(), CONFIG_MIB, DATA_MIB, STORED >> 20, over.size());
    System.out.print(
        Markdown.header(
            "Way",
            "Call answered",
            "First data vVol read",
            "Median of the data vVols",
            "Last data vVol read"));
    row("fail-over, the source is killed", over);
    row("planned fail-over home", home);
    System.out.print(
        "\n"
            + Markdown.header(
                "The way home",
                "Bytes that changed",
                "Sent",
                "Over the link",
                "Link / changed",
                "Reversal and first cycle",
                "Preparation"));
    System.out.print(
        Markdown.row(
            "after writes of %d %%".formatted(PERCENT),
            "%,.0f".formatted(median(sent.stream().map(s -> (double) s.changed()).toList())),
            "%,.0f"
                .formatted(
                    median(sent.stream().map(s -> (double) s.cycles().dataBytes()).toList())),
            "%,.0f"
                .formatted(
                    median(sent.stream().map(s -> (double) s.cycles().linkBytes()).toList())),
            Spread.text(
                "%.3f (%.3f-%.3f)",
                sent.stream().map(s -> (double) s.cycles().linkBytes() / s.changed()).toList()),
            Spread.text("%.2f s (%.2f-%.2f)", sent.stream().map(Sent::reversal).toList()),
            Spread.text("%.2f s (%.2f-%.2f)", sent.stream().map(Sent::preparation).toList())));
  }

  private static double median(List<Double> figures) {
    return Spread.median(figures);
  }

  private static void row(String name, List<Way> ways) {
    String form = "%.2f (%.2f-%.2f)";
    System.out.print(
        Markdown.row(
            name,
            Spread.text(form, ways.stream().map(Way::call).toList()),
            Spread.text(form, ways.stream().map(way -> way.reads()[0]).toList()),
            Spread.text(form, ways.stream().map(Way::median).toList()),
            Spread.text(
                form, ways.stream().map(way -> way.reads()[way.reads().length - 1]).toList())));
  }
}
