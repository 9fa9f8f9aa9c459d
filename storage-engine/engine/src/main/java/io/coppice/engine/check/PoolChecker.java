package io.coppice.engine.check;

import io.coppice.engine.check.finding.CheckReport;
import io.coppice.engine.check.finding.FindingLocation;
import io.coppice.engine.check.finding.Findings;
import io.coppice.engine.check.finding.Severity;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.format.Superblock;
import io.coppice.engine.format.table.PageRow;
import java.util.LinkedHashMap;
import java.util.Map;

/// The offline check of a pool.
///
/// It proves both rings of superblocks. It proves the checkpoint that counts, wholly: tables,
/// segments, versions, every node and entry, placements against counts, and data against CRCs. It
/// proves the log behind it as a chain of batches and records with their data. It does not apply
/// the log's records: the checked image is that of the checkpoint.
public final class PoolChecker {

  private PoolChecker() {}

  /// @param fast leaves out the data of blocks, the last batch of the log excepted
  /// @throws NotCheckable if there is nothing that can be checked
  /// @throws io.coppice.engine.device.DeviceException if the superblocks cannot be read
  public static CheckReport check(BlockDevice device, boolean fast) {
    Findings findings = new Findings();
    Map<String, Long> counts = new LinkedHashMap<>();
    SuperblockCheck superblocks = new SuperblockCheck(device, findings);
    Superblock superblock = superblocks.run();
    counts.put("superblocks", superblocks.intact());
    if (superblock != null) {
      new Run(device, superblock, findings, counts, fast).run();
    }
    return new CheckReport(
        findings.kept(), findings.of(Severity.DAMAGE), findings.of(Severity.WARNING), counts);
  }

  /// As above, for a pool on two devices: each that holds everything is proved.
  ///
  /// @throws NotCheckable if they are not the two of one pool
  public static CheckReport check(BlockDevice first, BlockDevice second, boolean fast) {
    return new MirrorCheck(first, second).run(fast);
  }

  /// The steps of a check once it is known which checkpoint counts.
  private record Run(
      BlockDevice device,
      Superblock superblock,
      Findings findings,
      Map<String, Long> counts,
      boolean fast) {

    void run() {
      PoolReader reader = new PoolReader(device, superblock, findings);
      counts.put("zones", (long) reader.zones());
      CheckpointCheck checkpoint = new CheckpointCheck(reader, findings);
      Tables tables = checkpoint.run(superblock.root(), superblock.features());
      counts.put("chunks", (long) checkpoint.chunks().size());
      SegmentMap segments = new SegmentMap(reader, findings);
      long read = 0;
      if (tables != null) {
        segments.load(
            tables,
            checkpoint.chunks(),
            reader.where(superblock.root().offset()),
            superblock.features().hasTwins());
        new PagesCheck(reader, findings, segments).run(tables);
        read = maps(reader, tables, segments);
      }
      LogCheck log = new LogCheck(reader, findings, segments, checkpoint.chunks(), fast);
      log.run(superblock.logStart());
      counts.put("batches", log.batches());
      counts.put("records", log.records());
      counts.put("data blocks read", read + log.payloadBlocks());
      counts.put("bytes read", reader.bytesRead() + PoolLayout.SUPERBLOCK_AREA);
    }

    private long maps(PoolReader reader, Tables tables, SegmentMap segments) {
      FamilyCheck lineage =
          new FamilyCheck(
              tables.state(),
              findings,
              reader.where(superblock.root().offset()),
              superblock.features().smallestVolume());
      lineage.check();
      DataCheck data = new DataCheck(reader, findings, segments, fast);
      MapWalk walk = new MapWalk(reader, findings, segments, lineage, data);
      walk.run(tables.state());
      segments.finish();
      if (tables.space() != null) {
        new SpaceAccountingCheck(findings, reader.where(superblock.root().offset()))
            .run(tables, tables.space(), walk, segments);
      }
      if (tables.accounts() != null) {
        FindingLocation where = reader.where(superblock.root().offset());
        new AccountsCheck(reader, findings, segments, lineage, where)
            .run(tables.state(), tables.accounts().rows());
      }
      new JournalsCheck(findings, reader.where(superblock.root().offset()))
          .run(tables.state(), tables.journals(), walk);
      counts.put("volumes", (long) tables.state().volumes().size());
      counts.put("versions", (long) tables.state().versions().size());
      counts.put("segments", (long) segments.size());
      counts.put("nodes", walk.nodes());
      counts.put("pages", tables.pages().stream().filter(PageRow.Stored.class::isInstance).count());
      counts.put("live blocks", segments.liveBlocks());
      counts.put("placements", segments.placements());
      counts.put("counted blocks", segments.counted());
      return data.blocks();
    }
  }
}
