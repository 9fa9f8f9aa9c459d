package io.coppice.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Feeds a target with inputs: its seeds, then changed ones. An input that reaches a new place, or
/// one so often as none before, is kept and changed further.
final class Fuzzer {

  /// What an input did that none may.
  ///
  /// @param what the exception, or the bound that was broken
  record Finding(String what, byte[] input) {
    @Override
    public String toString() {
      return what + ", input " + HexFormat.of().formatHex(input);
    }
  }

  /// What came of a run.
  ///
  /// @param outcomes how many different ones there were
  /// @param kept inputs that reached something new
  /// @param findings one for each kind
  record Summary(
      String decoder, long inputs, int outcomes, int kept, List<Finding> findings, long seed) {
    @Override
    public String toString() {
      return "%-18s %,11d inputs %5d outcomes %5d kept %3d findings  seed %d"
          .formatted(decoder, inputs, outcomes, kept, findings.size(), seed);
    }
  }

  private static final int FINDINGS_MAX = 10;
  private static final int TRIES = 4;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final FuzzTarget target;
  private final long seed;
  private final byte[] seen = new byte[Coverage.PLACES];
  private final List<byte[]> corpus = new ArrayList<>();
  private final Set<String> outcomes = new HashSet<>();
  private final Map<String, Finding> findings = new LinkedHashMap<>();

  private Fuzzer(FuzzTarget target, long seed) {
    this.target = target;
    this.seed = seed;
  }

  /// Runs a target with so many inputs, its seeds among them.
  static Summary run(FuzzTarget target, long inputs, long seed) {
    return new Fuzzer(target, seed).run(inputs);
  }

  private Summary run(long inputs) {
    List<byte[]> seeds = target.seeds();
    Mutator mutator = new Mutator(seed, target.tokens(), target.lengthMax());
    corpus.addAll(seeds);
    long done = 0;
    while (done < inputs && findings.size() < FINDINGS_MAX) {
      byte[] input = done < seeds.size() ? seeds.get((int) done).clone() : mutator.next(corpus);
      done++;
      String wrong = tryOut(input);
      if (wrong != null) {
        findings.computeIfAbsent(kindOf(wrong), _ -> new Finding(wrong, shortened(input, wrong)));
      } else if (Coverage.addTo(seen) && done > seeds.size()) {
        corpus.add(input);
      }
    }
    int kept = corpus.size() - seeds.size();
    return new Summary(
        target.name(), done, outcomes.size(), kept, List.copyOf(findings.values()), seed);
  }

  /// Runs one input; again if it cost too much, since classes load and lambdas link the first time.
  ///
  /// @return what was wrong, or null
  private @Nullable String tryOut(byte[] input) {
    String wrong = null;
    for (int i = 0; i < TRIES; i++) {
      wrong = once(input.clone());
      if (wrong == null || !wrong.startsWith("cost: ")) {
        return wrong;
      }
    }
    return wrong;
  }

  private @Nullable String once(byte[] input) {
    FuzzTarget.Bounds bounds = target.bounds();
    long before = THREADS.getCurrentThreadAllocatedBytes();
    Coverage.begin(bounds.steps(input.length));
    try {
      outcomes.add(target.run(input));
    } catch (Coverage.TooManyStepsException e) {
      return "cost: " + e.getMessage();
    } catch (Throwable e) {
      return describe(e);
    } finally {
      Coverage.end();
    }
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    return allocated <= bounds.bytes(input.length)
        ? null
        : "cost: expected at most %d bytes allocated, got %d"
            .formatted(bounds.bytes(input.length), allocated);
  }

  private static String describe(Throwable e) {
    String where =
        Arrays.stream(e.getStackTrace())
            .filter(it -> it.getClassName().startsWith("io.coppice."))
            .findFirst()
            .map(it -> " at " + it.getClassName() + ":" + it.getLineNumber())
            .orElse("");
    return e.getClass().getName() + where + ": " + e.getMessage();
  }

  /// The kind of a finding: without what differs from input to input.
  private static String kindOf(String wrong) {
    return wrong.startsWith("cost: ")
        ? wrong.replaceAll("[0-9]+", "N")
        : wrong.substring(0, Math.max(wrong.indexOf(": "), 0));
  }

  /// The input with all pieces left out that the finding does not need.
  private byte[] shortened(byte[] input, String wrong) {
    String kind = kindOf(wrong);
    byte[] shortest = input;
    for (int piece = Math.max(1, input.length / 2); piece > 0; piece /= 2) {
      int at = 0;
      while (at < shortest.length) {
        int end = Math.min(at + piece, shortest.length);
        byte[] without = Arrays.copyOf(shortest, shortest.length - (end - at));
        System.arraycopy(shortest, end, without, at, shortest.length - end);
        String now = tryOut(without);
        if (now != null && kindOf(now).equals(kind)) {
          shortest = without;
        } else {
          at += piece;
        }
      }
    }
    return shortest;
  }
}
