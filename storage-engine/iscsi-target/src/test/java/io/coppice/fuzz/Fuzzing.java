package io.coppice.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Every decoder with many inputs. Not part of the build: `./coppice test fuzz [INPUTS] [--seed N]
/// [--only NAME]`.
///
/// Without a seed it takes the one after that of the last run, which stands in `target/fuzz.seed`.
class Fuzzing {

  private static final Path LAST_SEED = Path.of("target/fuzz.seed");
  private static final String INPUTS = "100000";

  @Test
  void noDecoderIsBrokenByBadInput() throws Exception {
    long inputs = Long.parseLong(System.getProperty("fuzz.inputs", INPUTS));
    String only = System.getProperty("fuzz.only", "");
    long seed = seed();
    List<String> findings = new ArrayList<>();
    long done = 0;
    int run = 0;
    for (FuzzTarget each : FuzzTargets.all()) {
      try (each) {
        if (only.isEmpty() || each.name().equals(only)) {
          Fuzzer.Summary summary = Fuzzer.run(each, each.share(inputs), seed);
          System.out.println(summary);
          summary.findings().forEach(it -> System.out.println("  " + it));
          summary.findings().forEach(it -> findings.add(each.name() + ": " + it));
          done += summary.inputs();
          run++;
        }
      }
    }
    System.out.printf(
        "fuzz: %d decoders, %,d inputs, %d findings; repeat with: ./coppice test fuzz %d --seed"
            + " %d%n",
        run, done, findings.size(), inputs, seed);
    assertThat(run).as("decoders named " + only).isPositive();
    assertThat(findings).isEmpty();
  }

  private static long seed() throws IOException {
    String given = System.getProperty("fuzz.seed", "");
    if (!given.isEmpty()) {
      return Long.parseLong(given);
    }
    long last = Files.exists(LAST_SEED) ? Long.parseLong(Files.readString(LAST_SEED).strip()) : 0;
    Files.writeString(LAST_SEED, Long.toString(last + 1));
    return last + 1;
  }
}
