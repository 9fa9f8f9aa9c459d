package io.coppice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.SequenceRun.Letter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// All sequences of two changes out of [SequenceRun#ALPHABET], with a crash at every operation of
/// the device.
///
/// `-Dsequence.length=3` for all of three.
class SequenceTest {

  private static final int LENGTH = Integer.getInteger("sequence.length", 2);

  @Test
  void everySequenceEndsAsInTheModelWhereverThePowerGoes() {
    SequenceRun run = new SequenceRun();
    List<List<Letter>> sequences = sequences(LENGTH);
    long start = System.nanoTime();
    int crashes = sequences.parallelStream().mapToInt(sequence -> run(run, sequence)).sum();
    System.out.printf(
        "sequences: %d of length %d, %d crashes, %.1f s%n",
        sequences.size(), LENGTH, crashes, (System.nanoTime() - start) / 1e9);
    assertThat(crashes).isGreaterThan(sequences.size());
  }

  private static List<List<Letter>> sequences(int length) {
    int letters = SequenceRun.ALPHABET.size();
    return IntStream.range(0, (int) Math.pow(letters, length))
        .mapToObj(
            number -> {
              List<Letter> sequence = new ArrayList<>();
              for (int i = 0, rest = number; i < length; i++, rest /= letters) {
                sequence.add(SequenceRun.ALPHABET.get(rest % letters));
              }
              return sequence;
            })
        .toList();
  }

  private static int run(SequenceRun run, List<Letter> sequence) {
    try {
      return run.run(sequence);
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError(
          "%s: %s"
              .formatted(
                  sequence.stream().map(Letter::name).collect(Collectors.joining(", then ")),
                  e.getMessage()),
          e);
    }
  }
}
