package io.coppice.scsi;

import io.coppice.engine.PoolSpace;
import io.coppice.scsi.cdb.Cdb;
import io.coppice.scsi.page.LogPages;
import io.coppice.scsi.page.VitalProductData;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseData;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/// What a unit tells of itself without touching its volume: its logs, and its echo buffer.
///
/// The echo buffer is one for each nexus and unit (EBOS = 1: nobody else writes over it), and is
/// gone with the session.
final class UnitReports {

  /// BUFFER CAPACITY of the echo buffer: the most that the field is made for (SPC-5 §6.22.8).
  static final int ECHO_BYTES = 4096;

  private final Workers workers;
  private final Supplier<PoolSpace> space;

  /// @param space may block
  UnitReports(Workers workers, Supplier<PoolSpace> space) {
    this.workers = workers;
    this.space = space;
  }

  /// LOG SENSE (SPC-5 §6.10).
  void log(Task task, VolumeUnit unit, Cdb.LogSense cdb) {
    if (!LogPages.has(cdb.page(), cdb.subpage())) {
      task.fail(SenseData.invalidCdb(2));
    } else if (cdb.page() == LogPages.PROVISIONING) {
      workers.run(task, () -> reply(task, unit, cdb, space.get()));
    } else {
      reply(task, unit, cdb, new PoolSpace(0, 0, 0, 0, 0));
    }
  }

  private static void reply(Task task, VolumeUnit unit, Cdb.LogSense cdb, PoolSpace space) {
    UnitTraffic traffic = unit.traffic();
    LogPages.Numbers numbers =
        new LogPages.Numbers(
            traffic.reads(),
            traffic.writes(),
            traffic.blocksReceived(),
            traffic.blocksSent(),
            space.free(),
            space.used());
    LogPages.encode(
            cdb.page(), cdb.subpage(), cdb.pointer(), numbers, VitalProductData.THRESHOLD_EXPONENT)
        .ifPresentOrElse(
            page -> task.reply(page, cdb.allocationLength()),
            () -> task.fail(SenseData.invalidCdb(5)));
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
