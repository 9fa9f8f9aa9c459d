package io.coppice.load;

import io.coppice.kit.Spread;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The result of a run.
///
/// @param findings in what hosts, rows and pool differed, one sentence each; none are wanted
/// @param restarts from the start of the process to its first answer, one for each kill
public record LoadReport(
    LoadSettings settings,
    Figures figures,
    Totals totals,
    List<String> findings,
    List<ProviderCost.Memory> memory,
    List<Duration> restarts) {

  private static final int MOST_SHOWN = 20;

  /// @param length with the time for which the provider was down or looked at
  /// @param machines at the end, with `volumes` and `bindings` of theirs
  public record Totals(
      Duration length,
      int machines,
      int volumes,
      int bindings,
      Duration providerCpu,
      Duration databaseCpu) {}

  public LoadReport {
    findings = List.copyOf(findings);
    memory = List.copyOf(memory);
    restarts = List.copyOf(restarts);
  }

  /// Whether there was no error and nothing differed.
  public boolean good() {
    return findings.isEmpty() && figures.errors().isEmpty();
  }

  public void print(PrintStream out) {
    figures.print(out);
    double seconds = totals.length().toMillis() / 1e3;
    out.printf(
        "%n%d hosts, %d of them with an iSCSI session; %d operations at once; seed %d%n",
        settings.hosts(), settings.withSessions(), settings.atOnce(), settings.seed());
    out.printf(
        "%.0f s, %d operations, %.1f per second; at the end %d machines, %d volumes, %d bindings%n",
        seconds,
        figures.operations(),
        figures.operations() / seconds,
        totals.machines(),
        totals.volumes(),
        totals.bindings());
    out.printf(
        "CPU: provider %.1f s (%.0f %% of a core), its PostgreSQL %.1f s (%.0f %%)%n",
        totals.providerCpu().toMillis() / 1e3,
        100 * totals.providerCpu().toMillis() / 1e3 / seconds,
        totals.databaseCpu().toMillis() / 1e3,
        100 * totals.databaseCpu().toMillis() / 1e3 / seconds);
    printMemory(out);
    if (!restarts.isEmpty()) {
      List<Double> back = restarts.stream().map(each -> each.toMillis() / 1e3).toList();
      out.printf(
          "%d kills; back after %.1f s in the median, %.1f s at most; %d calls settled and"
              + " repeated%n",
          restarts.size(), Spread.median(back), Spread.most(back), figures.repetitions());
    }
    out.printf(
        "%d times VasaProviderBusy; %d operations waited for the provider to be looked at or to"
            + " come back and are not in the table%n",
        figures.busyAnswers(), figures.heldOperations());
    printAll(out, Map.of("errors", figures.errors(), "orphans and losses", findings));
  }

  private void printMemory(PrintStream out) {
    for (ProviderCost.Memory each : memory) {
      out.printf(
          "memory after %d s (process %d): %d MiB resident, %.1f MiB of living objects%n",
          each.at().toSeconds(),
          each.life(),
          each.resident() >> 20,
          each.liveHeap() / (double) (1 << 20));
    }
  }

  private static void printAll(PrintStream out, Map<String, List<String>> kinds) {
    kinds.forEach(
        (kind, sentences) -> {
          out.printf("%d %s%n", sentences.size(), kind);
          sentences.stream().limit(MOST_SHOWN).forEach(each -> out.println("  " + each));
        });
  }
}
