package io.coppice.bench.engine;

import io.coppice.harness.Commands;
import io.coppice.harness.Mismatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The baseline: a file that is driven by fio with `libaio` and `O_DIRECT`; each write is stable
/// when it ends (`O_DSYNC`).
final class FioSubject implements Subject {

  private static final JsonMapper JSON = new JsonMapper();

  private final String name;
  private final Path file;
  private final long sizeInBytes;

  FioSubject(String name, Path file, long sizeInBytes) {
    this.name = name;
    this.file = file;
    this.sizeInBytes = sizeInBytes;
  }

  @Override
  public String name() {
    return name;
  }

  /// Writes the whole file once, so that no later write allocates.
  void fill() {
    fio(
        Load.sequential(0),
        List.of("--size=" + sizeInBytes, "--end_fsync=1"),
        Duration.ofMinutes(10));
  }

  @Override
  public Reading run(Load load, Duration time) {
    JsonNode job =
        fio(
            load,
            List.of(
                "--size=" + sizeInBytes,
                "--sync=dsync",
                "--time_based=1",
                "--runtime=" + time.toMillis() + "ms"),
            time.plusMinutes(1));
    double iops = job.get("read").get("iops").asDouble() + job.get("write").get("iops").asDouble();
    double cpuShare = (job.get("usr_cpu").asDouble() + job.get("sys_cpu").asDouble()) / 100;
    long writes = job.get("write").get("total_ios").asLong();
    return new Reading(iops, writes == 0 ? 0 : load.blockBytes(), cpuShare * 1e6 / iops);
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
                "--group_reporting=1"));
    command.addAll(more);
    Commands.Outcome outcome = Commands.run((int) limit.toSeconds(), command);
    if (outcome.exitCode() != 0) {
      throw new Mismatch("expected fio to end with 0, it says: " + outcome.output().strip());
    }
    String output = outcome.output();
    return JSON.readTree(output.substring(output.indexOf('{'))).get("jobs").get(0);
  }

  private static String pattern(Load load) {
    String way = load.readPercent() == 100 ? "read" : load.readPercent() == 0 ? "write" : "rw";
    return load.sequential() ? way : "rand" + way;
  }
}
