package io.coppice.bench;

import io.coppice.driver.iscsi.IscsiPath;
import io.coppice.driver.iscsi.LoginSettings;
import io.coppice.driver.iscsi.WireCounters;
import io.coppice.driver.scsi.Lun;
import io.coppice.harness.Mismatch;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import io.coppice.kit.Spread;
import io.coppice.kit.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/// `coppice bench`: 4 KiB random reads and writes over iSCSI beside the raw file on the same disk,
/// interleaved, medians and ratios; every write of both is stable when it is answered.
public final class Bench {

  private static final String INITIATOR = "iqn.2026-11.test.bench:client";
  private static final long SIZE = 1L << 30;
  private static final int ROUNDS = 5;
  private static final Duration RUN = Duration.ofSeconds(2);
  private static final Duration RAMP = Duration.ofMillis(500);

  private Bench() {}

  public static void main(String[] arguments) throws IOException {
    Tool.main(
        "coppice bench",
        new BenchOptions(),
        arguments,
        options -> options.inFolder(folder -> run(options, folder)));
  }

  private static int run(BenchOptions options, Path folder) throws IOException {
    ProviderProcess provider =
        new ProviderProcess(
            options.providerJar(),
            folder.resolve("home"),
            List.of("--coppice.pool.capacity=16GB", "--coppice.pool.thin=false"));
    Path image = folder.resolve("raw.img");
    try {
      System.out.println("filling 1 GiB of random data twice ...");
      provider.start();
      provider.awaitReady(Duration.ofSeconds(120));
      try (RawFile raw = new RawFile(image, SIZE);
          OverIscsi iscsi = overIscsi(provider, image)) {
        measure(List.of(iscsi, raw), "");
      }
      provider.stop();
      DiskFiles.writeOver(folder.resolve("home").resolve("pool").resolve("pool"));
      provider.start();
      provider.awaitReady(Duration.ofSeconds(120));
      try (RawFile raw = new RawFile(image, SIZE);
          OverIscsi iscsi = overIscsi(provider, image)) {
        measure(List.of(iscsi, raw), ", 2nd lap");
      }
      return 0;
    } finally {
      provider.stop();
    }
  }

  private static OverIscsi overIscsi(ProviderProcess provider, Path image) {
    RestClient rest = new RestClient(provider.management(), provider.adminToken());
    String container =
        rest.post(
                "containers",
                "{\"name\": \"bench-%s\", \"quota\": %d}".formatted(UUID.randomUUID(), 8 * SIZE))
            .get("id")
            .asString();
    String volume =
        rest.post(
                "volumes",
                "{\"name\": \"bench\", \"size\": %d, \"container\": \"%s\"}"
                    .formatted(SIZE, container))
            .get("id")
            .asString();
    JsonNode export =
        rest.post(
            "exports",
            "{\"vvol\": \"%s\", \"initiators\": [\"%s\"], \"readOnly\": false}"
                .formatted(volume, INITIATOR));
    IscsiPath path =
        IscsiPath.open(
            provider.portal(),
            export.get("target").asString(),
            LoginSettings.of(INITIATOR, 1),
            new WireCounters());
    return new OverIscsi(path, Lun.flat(export.get("lun").asInt()), SIZE, image);
  }

  /// @param lap what is added to the names of rows
  private static void measure(List<Peer> peers, String lap) {
    System.out.printf("%-24s", "4 KiB random, median of 5");
    peers.forEach(peer -> System.out.printf(" %22s", peer.name() + " /s (range)"));
    System.out.printf(" %8s%n", "ratio");
    for (Peer.Work work : Peer.Work.values()) {
      for (int depth : new int[] {1, 32}) {
        measure(peers, work, depth, lap);
      }
    }
  }

  private static void measure(List<Peer> peers, Peer.Work work, int depth, String lap) {
    List<List<Double>> rates = new ArrayList<>();
    peers.forEach(
        peer -> {
          peer.perSecond(work, depth, RAMP.toNanos());
          rates.add(new ArrayList<>());
        });
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < peers.size(); i++) {
        rates.get(i).add(peers.get(i).perSecond(work, depth, RUN.toNanos()));
      }
    }
    String name = work.name().toLowerCase(java.util.Locale.ROOT) + " depth " + depth + lap;
    System.out.printf("%-24s", name);
    List<Double> medians = new ArrayList<>();
    for (List<Double> measured : rates) {
      medians.add(Spread.median(measured));
      System.out.print(Spread.text(" %8.0f (%5.0f-%6.0f)", measured));
    }
    if (medians.getLast() == 0) {
      throw new Mismatch("expected the peer to do something, it did nothing");
    }
    System.out.printf(" %8.2f%n", medians.getFirst() / medians.getLast());
  }
}
