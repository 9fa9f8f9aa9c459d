package io.coppice.bench.engine;

import io.coppice.bench.engine.Rounds.Against;
import io.coppice.bench.engine.stage.Bed;
import io.coppice.bench.engine.stage.Group;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.report.Aim;
import io.coppice.bench.subject.EngineSubject;
import io.coppice.bench.subject.Load;
import java.util.List;

/// The first lap of the log around a pool's file beside the second one, when all of the file was
/// written: with nothing prepared, and with all zones prepared.
final class LapGroup implements Group {

  @Override
  public String name() {
    return "lap";
  }

  @Override
  public void run(Stage stage) {
    stage
        .report()
        .group(
            "The first lap",
            "I/Os per second, a volume of %d MiB in a new pool of %d MiB whose file is allocated and was never written, beside the same in a pool whose file was written over. %d rounds of %d ms in turn."
                .formatted(
                    stage.sizes().diskBytes() >> 20,
                    stage.sizes().poolBytes() >> 20,
                    stage.sizes().rounds(),
                    stage.sizes().time().toMillis()));
    long pool = stage.sizes().poolBytes();
    stage.withPool(
        pool,
        second -> {
          EngineSubject later = filled(stage, second);
          stage.withNewPool(pool, false, bed -> rows(stage, bed, later, ", nothing prepared", 0));
          stage.withNewPool(pool, true, bed -> rows(stage, bed, later, ", prepared", 0.95));
        });
  }

  private static EngineSubject filled(Stage stage, Bed bed) {
    long bytes = stage.sizes().diskBytes();
    return bed.filled(bed.volume(bytes), bytes);
  }

  /// @param least share of the second lap's rate that is aimed at; 0: none
  private static void rows(Stage stage, Bed bed, EngineSubject later, String what, double least) {
    EngineSubject first = filled(stage, bed);
    Against second = new Against(later, least == 0 ? null : Aim.atLeast(least));
    Rounds rounds = new Rounds(stage);
    for (Load load :
        List.of(Load.randomWrite(1), Load.randomWrite(32), Load.mixed(32), Load.sequential(0))) {
      rounds.compare(load.name() + what, load, first, List.of(second));
    }
  }
}
