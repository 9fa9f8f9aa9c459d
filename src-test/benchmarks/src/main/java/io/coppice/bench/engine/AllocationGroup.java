package io.coppice.bench.engine;

import com.sun.management.ThreadMXBean;
import io.coppice.bench.engine.stage.Bed;
import io.coppice.bench.engine.stage.Group;
import io.coppice.bench.engine.stage.Stage;
import io.coppice.bench.report.Aim;
import io.coppice.bench.report.Row;
import io.coppice.bench.subject.EngineSubject;
import io.coppice.bench.subject.Load;
import java.lang.management.ManagementFactory;
import java.util.List;

/// Bytes that the whole process allocates for each I/O, the load's own included.
final class AllocationGroup implements Group {

  private static final int ONE_BY_ONE_SHARE = 5;
  private static final int WARM_UP_SHARE = 20;
  private static final double MOST = 16;

  @Override
  public String name() {
    return "allocation";
  }

  @Override
  public void run(Stage stage) {
    int million = stage.sizes().million();
    stage
        .report()
        .group(
            "Allocation",
            "Bytes of heap that all threads of the process allocated per I/O, over %,d I/Os at depth 32 from one asynchronous submitter, and over %,d at depth 1 from a blocking caller."
                .formatted(million, million / ONE_BY_ONE_SHARE));
    stage.withPool(stage.sizes().poolBytes(), bed -> measure(stage, bed));
  }

  private static void measure(Stage stage, Bed bed) {
    long bytes = stage.sizes().diskBytes();
    EngineSubject subject = bed.filled(bed.volume(bytes), bytes);
    for (Load load :
        List.of(
            Load.randomWrite(32), Load.randomRead(32), Load.randomWrite(1), Load.randomRead(1))) {
      int count = stage.sizes().million() / (load.depth() == 1 ? ONE_BY_ONE_SHARE : 1);
      subject.run(load, count / WARM_UP_SHARE);
      long before = allocated();
      subject.run(load, count);
      double each = (double) (allocated() - before) / count;
      stage
          .report()
          .row(
              Row.of(load.name() + ", bytes allocated per I/O", "%.1f".formatted(each))
                  .judged(each, Aim.atMost(MOST)));
    }
  }

  private static long allocated() {
    return ManagementFactory.getPlatformMXBean(ThreadMXBean.class).getTotalThreadAllocatedBytes();
  }
}
