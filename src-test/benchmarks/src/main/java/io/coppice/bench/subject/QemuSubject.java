package io.coppice.bench.subject;

import io.coppice.harness.Commands;
import io.coppice.harness.Mismatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A qcow2 image under `qemu-img bench`, which cannot go to random places: it walks with a stride
/// that puts every I/O into another cluster, from another place each time. Writes are stable when
/// they end (`directsync`).
public final class QemuSubject implements Subject {

  private static final Pattern SECONDS = Pattern.compile("completed in ([0-9.]+) seconds");

  /// A prime number of blocks: 4 MiB and a little.
  private static final long STRIDE = 1031L * 4096;

  private static final int FIRST_GUESS = 400;
  private static final int LIMIT_SECONDS = 120;
  private static final double TICKS_PER_SECOND = 100;

  private final String name;
  private final Path image;
  private final long sizeInBytes;
  private final Map<Load, Double> rates = new HashMap<>();

  public QemuSubject(String name, Path image, long sizeInBytes) {
    this.name = name;
    this.image = image;
    this.sizeInBytes = sizeInBytes;
  }

  @Override
  public String name() {
    return name;
  }

  public Path image() {
    return image;
  }

  @Override
  public boolean knows(Load load) {
    return load.readPercent() == 0 || load.readPercent() == 100;
  }

  @Override
  public Reading run(Load load, Duration time) {
    double guess = rates.getOrDefault(load, (double) FIRST_GUESS);
    long count = Math.max(50, (long) (guess * time.toMillis() / 1e3));
    double cpuBefore = childSeconds();
    double seconds = bench(load, count);
    double rate = count / seconds;
    rates.put(load, rate);
    long written = load.readPercent() == 0 ? count * load.blockBytes() : 0;
    return new Reading(rate, written, (childSeconds() - cpuBefore) * 1e6 / count, 0);
  }

  private double bench(Load load, long count) {
    long places = sizeInBytes / load.blockBytes();
    long start = ThreadLocalRandom.current().nextLong(places) * load.blockBytes();
    boolean writes = load.readPercent() == 0;
    List<String> command =
        new ArrayList<>(
            List.of(
                "qemu-img", "bench", "-f", "qcow2", "-n", "-t", writes ? "directsync" : "none"));
    if (writes) {
      command.addAll(List.of("-w", "--pattern=" + (1 + count % 255)));
    }
    command.addAll(
        List.of(
            "-c" + count,
            "-d" + load.depth(),
            "-s" + load.blockBytes(),
            "-S" + (load.sequential() ? load.blockBytes() : STRIDE),
            "-o" + start,
            image.toString()));
    String output = Commands.require(LIMIT_SECONDS, command.toArray(String[]::new));
    Matcher seconds = SECONDS.matcher(output);
    if (!seconds.find()) {
      throw new Mismatch("expected qemu-img bench to print its time, got: " + output.strip());
    }
    return Math.max(1e-3, Double.parseDouble(seconds.group(1)));
  }

  /// CPU time of all programs that this process has waited for, in seconds.
  private static double childSeconds() {
    try {
      return childSeconds(Files.readString(Path.of("/proc/self/stat")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// @param line the kernel's counters of a process (proc(5), `cutime` and `cstime`)
  public static double childSeconds(String line) {
    String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) / TICKS_PER_SECOND;
  }
}
