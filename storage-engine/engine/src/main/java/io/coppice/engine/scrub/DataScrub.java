package io.coppice.engine.scrub;

import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.log.LogVerifier;
import io.coppice.engine.log.ZoneWindow;
import io.coppice.engine.state.PoolState;
import io.coppice.engine.state.SuspectBlock;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The comparison of a zone of the log with the checksums in its batches, on every device. One
/// thread.
///
/// A header that only one device of a mirror can read is written anew on the other: inside an
/// epoch, and if the zone still holds the segment, so that its content is the same. Damaged blocks
/// are only reported: they are mended when they are read as a volume maps them.
final class DataScrub {

  private final ScrubView facts;
  private final PoolState state;
  private final BlockDevice device;
  private final LogVerifier log;
  private final ZoneWindow window;
  private final ScrubFindings findings;

  /// @param window that `log` looks through
  DataScrub(
      ScrubView facts,
      PoolState state,
      BlockDevice device,
      LogVerifier log,
      ZoneWindow window,
      ScrubFindings findings) {
    this.facts = facts;
    this.state = state;
    this.device = device;
    this.log = log;
    this.window = window;
    this.findings = findings;
  }

  /// The result for a zone on one device.
  ///
  /// @param end block behind the last readable batch
  /// @param bytes that are as they should be
  /// @param bad blocks that are not
  /// @param guests blocks of other segments
  record Result(
      BlockDevice.Copy copy,
      int end,
      long bytes,
      List<SuspectBlock> bad,
      List<SuspectBlock> guests) {}

  /// The results, one for each device that is not left out meanwhile.
  List<Result> zone(ScrubView.Zone zone) {
    return device.copies().stream()
        .map(copy -> zone(zone, copy))
        .filter(result -> device.hasCopy(result.copy().number()))
        .toList();
  }

  private Result zone(ScrubView.Zone zone, BlockDevice.Copy copy) {
    List<SuspectBlock> bad = new ArrayList<>();
    List<SuspectBlock> guests = new ArrayList<>();
    long[] bytes = new long[1];
    LogVerifier.Told told =
        (segment, block, place, intact) -> {
          if (!intact) {
            bad.add(new SuspectBlock(segment, block, place));
          } else {
            bytes[0] += PoolLayout.BLOCK;
          }
          if (segment != zone.segment()) {
            guests.add(new SuspectBlock(segment, block, place));
          }
        };
    int end = 0;
    do {
      window.from(copy.device());
      end = log.zone(zone.zone(), zone.segment(), end, zone.limit(), told);
    } while (mendHeader(zone, copy, end));
    return new Result(copy, end, bytes[0], bad, guests);
  }

  private boolean mendHeader(ScrubView.Zone zone, BlockDevice.Copy damaged, int block) {
    for (BlockDevice.Copy other : device.copies()) {
      if (other.number() != damaged.number() && block < zone.limit()) {
        window.from(other.device());
        ByteBuffer header = log.header(zone.zone(), zone.segment(), block, zone.limit());
        if (header != null && mend(zone, damaged, block, header)) {
          findings.bad(
              "the header of a batch of the log at block %d of zone %d%s"
                  .formatted(block, zone.zone(), damaged.name()),
              true,
              zone.zone());
          return true;
        }
      }
    }
    return false;
  }

  private boolean mend(
      ScrubView.Zone zone, BlockDevice.Copy damaged, int block, ByteBuffer header) {
    int ticket = state.epochs().enter();
    try {
      ScrubView.@Nullable Zone now = facts.zone(zone.zone()).orElse(null);
      if (now == null || now.segment() != zone.segment()) {
        return false;
      }
      long offset =
          PoolLayout.zoneOffset(zone.zone(), state.segments().zoneSize())
              + (long) block * PoolLayout.BLOCK;
      damaged.device().writeStable(offset, List.of(header));
      return true;
    } catch (DeviceException e) {
      return false; // it was left out for that
    } finally {
      state.epochs().leave(ticket);
    }
  }
}
