package io.coppice.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.fuzz.Fuzzer.Summary;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Every decoder, with few inputs; `./coppice test fuzz` gives them more. And the fuzzer itself:
/// that it finds what it looks for.
class FuzzerTest {

  private static final int INPUTS = 5_000;
  private static final long SEED = 1;
  private static final FuzzTarget.Bounds BOUNDS = new FuzzTarget.Bounds(1 << 14, 0, 1000, 0);

  @TestFactory
  List<DynamicTest> everyDecoderWithstandsBadInput() throws Exception {
    return FuzzTargets.all().stream()
        .map(
            target ->
                DynamicTest.dynamicTest(
                    target.name(),
                    () -> {
                      try (target) {
                        Summary summary = Fuzzer.run(target, target.share(INPUTS), SEED);
                        assertThat(summary.findings()).as(summary.toString()).isEmpty();
                        assertThat(summary.outcomes()).as(summary.toString()).isGreaterThan(1);
                      }
                    }))
        .toList();
  }

  @Test
  void anExceptionIsAFinding() {
    Summary summary =
        fuzz(
            input -> {
              if (input.length > 2 && input[1] == 7) {
                throw new IndexOutOfBoundsException("at 7");
              }
              return "";
            });

    assertThat(summary.findings())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.what()).contains("IndexOutOfBoundsException", "at 7");
              assertThat(it.input()).as("shortened").hasSize(3);
            });
  }

  @Test
  void tooMuchMemoryIsAFinding() {
    byte[][] kept = new byte[1][];
    Summary summary =
        fuzz(
            input -> {
              kept[0] = new byte[input.length == 9 ? 1 << 20 : 16];
              return "";
            });

    assertThat(summary.findings())
        .singleElement()
        .satisfies(it -> assertThat(it.what()).contains("expected at most 16384 bytes allocated"));
    assertThat(kept[0]).isNotNull();
  }

  @Test
  void anEndlessLoopIsAFinding() {
    Summary summary =
        fuzz(
            input -> {
              while (input.length == 9) {
                Coverage.reach(1);
              }
              return "";
            });

    assertThat(summary.findings())
        .singleElement()
        .satisfies(it -> assertThat(it.what()).contains("expected at most 1000 steps"));
  }

  @Test
  void whatReachesNewCodeIsChangedFurther() throws Exception {
    List<String> maze = List.of("io.coppice.fuzz.sample.Maze");
    ClassLoader plain = getClass().getClassLoader();
    FuzzTarget seen = FuzzTargets.from(new CoverageLoader(plain), maze).getFirst();
    FuzzTarget unseen = FuzzTargets.from(plain, maze).getFirst();

    assertThat(Fuzzer.run(seen, 200_000, SEED).findings()).as("with coverage").hasSize(1);
    assertThat(Fuzzer.run(unseen, 200_000, SEED).findings()).as("without").isEmpty();
  }

  @Test
  void aSeedRepeatsItsRun() throws Exception {
    Summary first = decoders();
    Summary second = decoders();

    assertThat(second).isEqualTo(first);
    assertThat(first.kept()).isPositive();
  }

  private static Summary decoders() throws Exception {
    ClassLoader loader = new CoverageLoader(FuzzerTest.class.getClassLoader());
    List<FuzzTarget> all = FuzzTargets.from(loader, List.of("io.coppice.scsi.DecoderFuzz"));
    return Fuzzer.run(all.getFirst(), 2000, 7);
  }

  private static Summary fuzz(Function<byte[], String> function) {
    return Fuzzer.run(
        new Decoder("sample", 16, BOUNDS, List.of(new byte[4]), List.of(), function), 20_000, SEED);
  }
}
