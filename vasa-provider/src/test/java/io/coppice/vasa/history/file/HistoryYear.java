package io.coppice.vasa.history.file;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.TreeMap;

/// A year of history, written within minutes: each step gets the rows of the time for which it is
/// kept, the longest step first. All volumes are busy in every slot, with figures that differ from
/// slot to slot by some ten percent.
final class HistoryYear {

  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");
  private static final FileBounds BOUNDS = new FileBounds(1L << 40, 0);
  private static final double NOISE = 0.2;

  private final HistoryFiles files;
  private final long[] keys;
  private final double[] busy;
  private final Random random = new Random(20_261_126);
  private Duration longestTidy = Duration.ZERO;

  HistoryYear(Path folder, int volumes) throws IOException {
    files = HistoryFiles.open(folder, BOUNDS);
    keys = new long[volumes];
    busy = new double[volumes];
    for (int i = 0; i < volumes; i++) {
      keys[i] = Form.TRAFFIC.key("volume:" + i);
      busy[i] = Math.exp(random.nextGaussian() * 2 + 3);
    }
  }

  /// Writes the year into a folder and prints what it takes.
  ///
  /// @param args a folder and the number of volumes
  public static void main(String[] args) throws IOException {
    HistoryYear year = new HistoryYear(Path.of(args[0]), Integer.parseInt(args[1]));
    System.out.println(year.write());
    System.out.println(year.read());
    System.out.printf(
        Locale.ROOT,
        "largest heap of this process: %d MiB%n",
        Runtime.getRuntime().totalMemory() >> 20);
  }

  String write() throws IOException {
    StringBuilder report = new StringBuilder();
    for (HistoryStep step :
        List.of(
            HistoryStep.HOUR,
            HistoryStep.TEN_MINUTES,
            HistoryStep.MINUTE,
            HistoryStep.TEN_SECONDS)) {
      long before = files.bytes();
      long end = step.slotAt(NOW);
      for (long slot = step.slotAt(NOW.minus(step.kept())); slot < end; slot++) {
        files.add(step, slot, row(step));
        if ((slot + 1) % Math.max(1, step.rowsPerSegment()) == 0 || slot + 1 == end) {
          tidy(step.beginOf(slot + 1));
        }
      }
      report.append(
          String.format(
              Locale.ROOT, "%s: %.1f MiB%n", step.text(), (files.bytes() - before) / 1048576.0));
    }
    return report
        .append(
            String.format(
                Locale.ROOT,
                "all: %.1f MiB, %d bytes for each volume; longest round %d ms",
                files.bytes() / 1048576.0,
                bytesPerVolume(),
                longestTidy.toMillis()))
        .toString();
  }

  private void tidy(Instant now) throws IOException {
    long begin = System.nanoTime();
    files.tidy(now, now);
    Duration took = Duration.ofNanos(System.nanoTime() - begin);
    longestTidy = took.compareTo(longestTidy) > 0 ? took : longestTidy;
  }

  long bytesPerVolume() {
    return files.bytes() / keys.length;
  }

  private Row row(HistoryStep step) {
    TreeMap<Long, short[]> records = new TreeMap<>();
    for (int i = 0; i < keys.length; i++) {
      double reads = noisy(busy[i]);
      double writes = noisy(busy[i] / 2);
      records.put(
          keys[i],
          Record.traffic(
              new double[] {
                reads,
                writes,
                reads * noisy(16_384),
                writes * noisy(8192),
                noisy(300),
                noisy(900),
                noisy(20),
                noisy(40),
                i % 10 == 0 ? noisy(500) : 0,
                i % 10 == 0 ? noisy(500) : 0,
                noisy(1500),
                noisy(4000)
              }));
    }
    return Row.of(step.seconds() * 1000, records);
  }

  private double noisy(double figure) {
    return figure * Math.exp(random.nextGaussian() * NOISE);
  }

  /// Reads one volume and twenty at a time over the whole time of each step.
  String read() {
    StringBuilder report = new StringBuilder();
    for (HistoryStep step : HistoryStep.values()) {
      for (int count : new int[] {1, 20}) {
        List<Long> some = new ArrayList<>();
        for (int i = 0; i < Math.min(count, keys.length); i++) {
          some.add(keys[i * 7 % keys.length]);
        }
        long to = step.slotAt(NOW);
        long from = step.slotAt(NOW.minus(step.kept()));
        long begin = System.nanoTime();
        Stretch found = files.read(step, some, from, to);
        long took = (System.nanoTime() - begin) / 1_000_000;
        report.append(
            String.format(
                Locale.ROOT,
                "%s of %d volumes: %d of %d points known, %d ms%n",
                step.text(),
                some.size(),
                known(found, some),
                found.length() * some.size(),
                took));
      }
    }
    return report.toString().strip();
  }

  private static int known(Stretch found, List<Long> some) {
    int known = 0;
    for (long key : some) {
      for (int i = 0; i < found.length(); i++) {
        known += found.isKnown(key, i) && found.words(key, i) != null ? 1 : 0;
      }
    }
    return known;
  }
}
