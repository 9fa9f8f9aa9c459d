package io.coppice.bench.subject;

import io.coppice.harness.Commands;
import io.coppice.harness.Mismatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A file that is driven by fio with `libaio` (at depth 1 `psync`) and `O_DIRECT`; each write is
/// stable when it ends (`O_DSYNC`).
public final class FioSubject implements Subject {

  private static final JsonMapper JSON = new JsonMapper();

  private final String name;
  private final Path file;
  private final long sizeInBytes;

  public FioSubject(String name, Path file, long sizeInBytes) {
    this.name = name;
    this.file = file;
    this.sizeInBytes = sizeInBytes;
  }

  @Override
  public String name() {
    return name;
  }

  public Path file() {
    return file;
  }

  /// Writes the whole file once, so that no later write allocates.
  public void fill() {
    fio(
        Load.sequential(0),
        List.of("--size=" + sizeInBytes, "--end_fsync=1"),
        Duration.ofMinutes(10));
  }

  @Override
  public Reading run(Load load, Duration time) {
    return run(load, time, "--zero_buffers=0");
  }

  /// As [#run], but writes zeros.
  public Reading runWithZeros(Load load, Duration time) {
    return run(load, time, "--zero_buffers=1");
  }

  private Reading run(Load load, Duration time, String content) {
    JsonNode job =
        fio(
            load,
            List.of(
                content,
                "--size=" + sizeInBytes,
                "--sync=dsync",
                "--time_based=1",
                "--runtime=" + time.toMillis() + "ms"),
            time.plusMinutes(1));
    JsonNode ios = job.get("mixed");
    double iops = ios.get("iops").asDouble();
    double cpuShare = (job.get("usr_cpu").asDouble() + job.get("sys_cpu").asDouble()) / 100;
    long writes = ios.get("total_ios").asLong() * (100 - load.readPercent()) / 100;
    JsonNode percentiles = ios.get("clat_ns").get("percentile");
    double p99 = percentiles == null ? 0 : percentiles.get("99.000000").asDouble() / 1e3;
    return new Reading(iops, writes * load.blockBytes(), cpuShare * 1e6 / iops, p99);
  }

  private JsonNode fio(Load load, List<String> more, Duration limit) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "fio",
                "--name=bench",
                "--output-format=json",
                "--filename=" + file,
                "--ioengine=" + (load.depth() == 1 ? "psync" : "libaio"),
                "--direct=1",
                "--rw=" + pattern(load),
                "--rwmixread=" + load.readPercent(),
                "--bs=" + load.blockBytes(),
                "--iodepth=" + load.depth(),
                "--randrepeat=0",
                "--norandommap=1",
                "--unified_rw_reporting=mixed",
                "--group_reporting=1"));
    command.addAll(more);
    Commands.Outcome outcome = Commands.run((int) limit.toSeconds(), command);
    if (outcome.exitCode() != 0) {
      throw new Mismatch("expected fio to end with 0, got: " + outcome.output().strip());
    }
    String output = outcome.output();
    return JSON.readTree(output.substring(output.indexOf('{'))).get("jobs").get(0);
  }

  private static String pattern(Load load) {
    String way = load.readPercent() == 100 ? "read" : load.readPercent() == 0 ? "write" : "rw";
    return load.sequential() ? way : "rand" + way;
  }
}
