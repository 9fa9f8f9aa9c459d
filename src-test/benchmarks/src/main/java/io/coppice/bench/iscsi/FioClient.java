package io.coppice.bench.iscsi;

import io.coppice.bench.subject.Load;
import io.coppice.harness.Commands;
import io.coppice.harness.Mismatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// fio with its libiscsi engine: one thread, one session, a session for each run.
final class FioClient implements Client {

  private static final JsonMapper JSON = new JsonMapper();

  private final String program;
  private final long sizeInBytes;

  FioClient(String program, long sizeInBytes) {
    this.program = program;
    this.sizeInBytes = sizeInBytes;
  }

  /// Whether a program is fio and was built with the engine. Debian's own is not.
  static boolean hasEngine(String program) {
    return Commands.exists(program)
        && Commands.run(10, List.of(program, "--enghelp")).output().contains("libiscsi");
  }

  @Override
  public String name() {
    return "fio with libiscsi";
  }

  @Override
  public Run run(Side side, Load load, Duration time) {
    Commands.Outcome outcome = Commands.run((int) time.toSeconds() + 60, command(side, load, time));
    String output = outcome.output();
    if (outcome.exitCode() != 0 || output.indexOf('{') < 0) {
      throw new Mismatch("expected fio to end with 0, got: " + output.strip());
    }
    JsonNode job = JSON.readTree(output.substring(output.indexOf('{'))).get("jobs").get(0);
    JsonNode read = job.get("read");
    JsonNode write = job.get("write");
    long ended = read.get("total_ios").asLong() + write.get("total_ios").asLong();
    if (job.get("error").asInt() != 0 || ended == 0) {
      throw new Mismatch("expected fio to do I/O without an error, got: " + output.strip());
    }
    double share = (job.get("usr_cpu").asDouble() + job.get("sys_cpu").asDouble()) / 100;
    double millis = job.get("job_runtime").asDouble();
    return new Run(
        ended,
        read.get("iops").asDouble() + write.get("iops").asDouble(),
        Duration.ofNanos((long) (share * millis * 1e6)));
  }

  private List<String> command(Side side, Load load, Duration time) {
    String url = "iscsi://127.0.0.1:%d/%s/%d".formatted(side.port(), side.target(), side.lun());
    List<String> command =
        new ArrayList<>(List.of(program, "--name=bench", "--output-format=json", "--thread"));
    command.add("--ioengine=libiscsi");
    command.add("--filename=" + url.replace(":", "\\:"));
    command.add("--rw=" + pattern(load));
    command.add("--rwmixread=" + load.readPercent());
    command.add("--bs=" + load.blockBytes());
    command.add("--iodepth=" + load.depth());
    command.add("--size=" + sizeInBytes);
    command.add("--time_based=1");
    command.add("--runtime=" + time.toMillis() + "ms");
    command.addAll(List.of("--randrepeat=0", "--norandommap=1", "--group_reporting=1"));
    return command;
  }

  private static String pattern(Load load) {
    String way = load.readPercent() == 100 ? "read" : load.readPercent() == 0 ? "write" : "rw";
    return load.sequential() ? way : "rand" + way;
  }

  @Override
  public void close() {
    // Each run ends its process.
  }
}
