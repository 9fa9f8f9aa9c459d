package io.coppice.scsi.command;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeSpace;
import io.coppice.engine.range.MappedRange;
import io.coppice.engine.status.PoolSpace;
import io.coppice.scsi.cdb.Cdb;
import io.coppice.scsi.page.LbaStatus;
import io.coppice.scsi.page.LogPages;
import io.coppice.scsi.page.VitalProductData;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseData;
import io.coppice.scsi.task.Task;
import io.coppice.scsi.task.Workers;
import io.coppice.scsi.unit.ReadsAndWrites;
import io.coppice.scsi.unit.VolumeUnit;
import java.nio.ByteBuffer;
import java.util.List;

/// The reports of a unit on itself: its logs, which of its blocks are stored, and its echo buffer.
///
/// Each nexus has its own echo buffer at each unit (EBOS = 1: nobody else writes over it). It goes
/// with the session.
public final class UnitReports {

  /// BUFFER CAPACITY of the echo buffer: the most that the field is made for (SPC-5 §6.22.8).
  static final int ECHO_BYTES = 4096;

  private static final int MAX_STATUS_RUNS = 1024;
  private static final LogPages.Resources UNKNOWN = new LogPages.Resources(0, 0, false);

  private final Workers workers;
  private final StorageEngine engine;

  public UnitReports(Workers workers, StorageEngine engine) {
    this.workers = workers;
    this.engine = engine;
  }

  /// LOG SENSE (SPC-5 §6.10).
  void log(Task task, VolumeUnit unit, Cdb.LogSense cdb) {
    if (!LogPages.has(cdb.page(), cdb.subpage())) {
      task.fail(SenseData.invalidCdb(2));
    } else if (cdb.page() == LogPages.PROVISIONING) {
      workers.run(task, () -> reply(task, unit, cdb, resources(unit)));
    } else {
      reply(task, unit, cdb, UNKNOWN);
    }
  }

  /// The resources that a thin unit shares with all others, or those set aside for this one.
  private LogPages.Resources resources(VolumeUnit unit) {
    if (unit.isThin()) {
      PoolSpace pool = engine.space();
      return new LogPages.Resources(pool.free(), pool.used(), false);
    }
    VolumeSpace own = engine.spaceOf(unit.volume().id());
    return new LogPages.Resources(own.reserved(), own.mapped(), true);
  }

  private static void reply(
      Task task, VolumeUnit unit, Cdb.LogSense cdb, LogPages.Resources resources) {
    ReadsAndWrites traffic = unit.traffic();
    LogPages.Numbers numbers =
        new LogPages.Numbers(
            traffic.reads().commands(),
            traffic.writes().commands(),
            traffic.writes().blocks(),
            traffic.reads().blocks(),
            resources);
    LogPages.encode(
            cdb.page(), cdb.subpage(), cdb.pointer(), numbers, VitalProductData.THRESHOLD_EXPONENT)
        .ifPresentOrElse(
            page -> task.reply(page, cdb.allocationLength()),
            () -> task.fail(SenseData.invalidCdb(5)));
  }

  /// GET LBA STATUS (SBC-4 §5.6). It runs on a worker, since the part of the map that it needs may
  /// have to be read.
  void lbaStatus(Task task, VolumeUnit unit, Cdb.GetLbaStatus cdb) {
    if (cdb.lba() >= unit.blocks()) {
      task.fail(AdditionalSense.LOGICAL_BLOCK_ADDRESS_OUT_OF_RANGE);
      return;
    }
    int runs = Math.min(LbaStatus.descriptorsIn(cdb.allocationLength()), MAX_STATUS_RUNS);
    workers.run(
        task,
        () -> {
          LbaStatus.State absent =
              unit.isThin() ? LbaStatus.State.DEALLOCATED : LbaStatus.State.ANCHORED;
          List<LbaStatus.Run> status =
              unit.volume().status(cdb.lba() * VolumeUnit.BLOCK_SIZE, runs).stream()
                  .map(range -> run(range, absent))
                  .toList();
          task.reply(LbaStatus.encode(status), cdb.allocationLength());
        });
  }

  /// @param absent the state of blocks of which nothing is stored
  private static LbaStatus.Run run(MappedRange range, LbaStatus.State absent) {
    return new LbaStatus.Run(
        range.range().offset() / VolumeUnit.BLOCK_SIZE,
        range.range().length() / VolumeUnit.BLOCK_SIZE,
        range.mapped() ? LbaStatus.State.MAPPED : absent);
  }

  /// WRITE BUFFER, mode 0Ah (SPC-5 §6.49.10).
  void writeBuffer(Task task, int length) {
    ByteBuffer sent = task.command().dataOut();
    if (length > ECHO_BYTES) {
      task.fail(SenseData.invalidCdb(6));
    } else if (sent.remaining() < length) {
      task.fail(AdditionalSense.PARAMETER_LIST_LENGTH_ERROR);
    } else {
      byte[] written = new byte[length];
      sent.get(sent.position(), written);
      task.path().echo(written);
      task.expectDataOut(length);
      task.succeeded();
    }
  }

  /// READ BUFFER, modes 0Ah and 0Bh (SPC-5 §6.22.7, §6.22.8).
  void readBuffer(Task task, Cdb.ReadBuffer cdb) {
    byte[] written = task.path().echo();
    if (cdb.descriptor()) {
      task.reply(
          ByteBuffer.allocate(4).put(0, (byte) 1).putShort(2, (short) ECHO_BYTES),
          cdb.allocationLength());
    } else if (written == null) {
      task.fail(AdditionalSense.COMMAND_SEQUENCE_ERROR);
    } else {
      task.reply(ByteBuffer.wrap(written), cdb.allocationLength());
    }
  }
}
