package io.coppice.engine.scrub;

import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.engine.change.ChangeCommand;
import io.coppice.engine.checkpoint.NodeVerifier;
import io.coppice.engine.device.CountingDevice;
import io.coppice.engine.format.Change;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.io.BlockCheck;
import io.coppice.engine.io.OpenPool;
import io.coppice.engine.log.LogVerifier;
import io.coppice.engine.log.ZoneWindow;
import io.coppice.engine.state.PoolState;
import java.time.InstantSource;
import java.util.List;

/// The assembly and start of a scrubber.
public final class ScrubWiring {

  private ScrubWiring() {}

  /// The parts of the pool that the scrubber needs.
  ///
  /// @param checkpoint tries to make one and waits for its end
  public record Parts(
      OpenPool pool,
      CountingDevice device,
      Superblock head,
      ScrubView facts,
      Runnable checkpoint,
      InstantSource clock) {}

  public static Scrubber start(Parts parts) {
    PoolState state = parts.pool.state();
    CountingDevice device = parts.device;
    Scrubber scrubber = new Scrubber(state, parts.clock, text -> keep(parts.pool, text));
    int zoneSize = parts.head.geometry().zoneSize();
    ZoneWindow window = new ZoneWindow(device, zoneSize, scrubber);
    LogVerifier log = new LogVerifier(parts.head.pool(), zoneSize, window);
    BlockCheck blocks = new BlockCheck(device, state, scrubber);
    parts.pool.reads().onBadBlocks(scrubber);
    state.metaReads().tell(scrubber.findings()::bad);
    ScrubPass.Tools tools =
        new ScrubPass.Tools(
            new DataScrub(parts.facts, state, device, log, window, scrubber.findings()),
            new NodeScrub(
                parts.facts,
                state,
                device,
                parts.head.pool(),
                new NodeVerifier(parts.head.pool(), window),
                window),
            new RestartVerifier(device, log, window),
            blocks,
            parts.checkpoint);
    ScrubPass pass =
        new ScrubPass(
            parts.facts, state, tools, scrubber.findings(), scrubber.coverage(), scrubber);
    scrubber.start(pass, blocks);
    return scrubber;
  }

  private static void keep(OpenPool pool, String text) {
    Change change =
        new Change.Records(
            OperationId.random(), List.of(new RecordChange.Put(ScrubProgress.KEY, text)));
    ChangeCommand command = new ChangeCommand(pool, change);
    pool.committer().submit(command);
    command.await(null);
  }
}
