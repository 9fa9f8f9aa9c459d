package io.coppice.vasa.history.file;

import java.util.Arrays;
import java.util.List;

/// The words of one object in one slot, [#WORDS] for each form.
///
/// Of traffic, rates are commands and bytes a second of the time that was covered; latencies are
/// means of a command in microseconds, and the largest mean of 10 s that the slot has.
public final class Record {

  /// Words of a record.
  public static final int WORDS = 12;

  static final int READS = 0;
  static final int WRITES = 1;
  static final int BYTES_READ = 2;
  static final int BYTES_WRITTEN = 3;
  static final int FIRST_LATENCY = 4;

  /// Latencies of reads and writes in turn: device, queue, limit.
  static final int FIRST_WORST = 10;

  private static final int LONG_WORDS = 4;

  private Record() {}

  /// A record of traffic.
  ///
  /// @param figures rates of reads, writes, bytes read, bytes written; then the latencies of reads
  ///   and writes in the device, the queue and the limit; then the largest of reads and writes
  public static short[] traffic(double[] figures) {
    short[] words = new short[WORDS];
    for (int i = 0; i < WORDS; i++) {
      words[i] = Scale.encode(figures[i]);
    }
    return words;
  }

  /// The figures of a record of traffic or of a change of space.
  public static double[] figures(short[] words) {
    double[] figures = new double[WORDS];
    for (int i = 0; i < WORDS; i++) {
      figures[i] = Scale.decode(words[i]);
    }
    return figures;
  }

  /// A record of exact space.
  ///
  /// @param numbers three
  public static short[] exact(long... numbers) {
    short[] words = new short[WORDS];
    for (int i = 0; i < numbers.length; i++) {
      for (int word = 0; word < LONG_WORDS; word++) {
        words[LONG_WORDS * i + word] = (short) (numbers[i] >>> 48 - 16 * word);
      }
    }
    return words;
  }

  /// A number of a record of exact space.
  ///
  /// @param which 0 to 2
  public static long exact(short[] words, int which) {
    long number = 0;
    for (int word = 0; word < LONG_WORDS; word++) {
      number = number << 16 | Short.toUnsignedLong(words[LONG_WORDS * which + word]);
    }
    return number;
  }

  /// A record of a change of space.
  ///
  /// @param words codes of what is stored and unique after it, then before it
  public static short[] change(short... words) {
    return Arrays.copyOf(words, WORDS);
  }

  static short[] joinChanges(short[] first, short[] last) {
    return change(last[0], last[1], first[2], first[3]);
  }

  static short[] joinTraffic(List<short[]> parts, List<Integer> millis, long all) {
    double[] sum = new double[WORDS];
    double[] commands = new double[2];
    for (int part = 0; part < parts.size(); part++) {
      add(sum, commands, figures(parts.get(part)), millis.get(part));
    }
    for (int i = 0; i < FIRST_LATENCY; i++) {
      sum[i] /= all;
    }
    for (int i = FIRST_LATENCY; i < FIRST_WORST; i++) {
      sum[i] = commands[i % 2] == 0 ? 0 : sum[i] / commands[i % 2];
    }
    return traffic(sum);
  }

  private static void add(double[] sum, double[] commands, double[] part, int millis) {
    for (int i = 0; i < FIRST_LATENCY; i++) {
      sum[i] += part[i] * millis;
    }
    commands[0] += part[READS] * millis;
    commands[1] += part[WRITES] * millis;
    for (int i = FIRST_LATENCY; i < FIRST_WORST; i++) {
      sum[i] += part[i] * part[i % 2] * millis;
    }
    for (int i = FIRST_WORST; i < WORDS; i++) {
      sum[i] = Math.max(sum[i], part[i]);
    }
  }

  /// The traffic of several objects in one slot as that of one: rates are added, latencies weighted
  /// with their commands, of the largest ones the largest remains.
  ///
  /// @param some figures of each
  public static double[] together(List<double[]> some) {
    double[] sum = new double[WORDS];
    double[] commands = new double[2];
    for (double[] one : some) {
      add(sum, commands, one, 1);
    }
    for (int i = FIRST_LATENCY; i < FIRST_WORST; i++) {
      sum[i] = commands[i % 2] == 0 ? 0 : sum[i] / commands[i % 2];
    }
    return sum;
  }
}
