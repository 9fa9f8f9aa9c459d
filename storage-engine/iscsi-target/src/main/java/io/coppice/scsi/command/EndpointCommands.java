package io.coppice.scsi.command;

import io.coppice.scsi.cdb.Cdb;
import io.coppice.scsi.cdb.OperationCode;
import io.coppice.scsi.page.Capacity;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.task.Task;
import io.coppice.scsi.unit.EndpointUnit;
import io.coppice.scsi.unit.VolumeUnit;
import java.nio.ByteBuffer;
import java.util.Set;

/// The block commands of a protocol endpoint. It has a small capacity, all of which reads as zeros,
/// and takes no writes.
///
/// A host that finds a disk looks for partitions and signatures on it before anybody asks it to. A
/// Linux host would log an I/O error for each of those reads that is refused, whatever the sense.
/// If it finds zeros, it goes on without a word. Nor can the endpoint say that it has no medium or
/// no capacity: ESXi wants its TEST UNIT READY and READ CAPACITY to succeed.
public final class EndpointCommands {

  /// The operations of a unit with a medium that an endpoint has.
  static final Set<OperationCode> OPERATIONS =
      Set.of(
          OperationCode.READ_CAPACITY_10,
          OperationCode.READ_CAPACITY_16,
          OperationCode.READ_6,
          OperationCode.READ_10,
          OperationCode.READ_12,
          OperationCode.READ_16);

  private static final int BLOCK = VolumeUnit.BLOCK_SIZE;

  private EndpointCommands() {}

  public static void execute(Task task, Cdb.Block cdb) {
    switch (cdb) {
      case Cdb.ReadCapacity10 _ -> task.reply(Capacity.encode10(EndpointUnit.BLOCKS, BLOCK), 8);
      case Cdb.ReadCapacity16(int length) ->
          task.reply(Capacity.encode16(EndpointUnit.BLOCKS, BLOCK, 0, false), length);
      case Cdb.Read(long lba, long blocks) -> read(task, lba, blocks);
      default -> task.fail(AdditionalSense.INVALID_COMMAND_OPERATION_CODE);
    }
  }

  private static void read(Task task, long lba, long blocks) {
    if (lba > EndpointUnit.BLOCKS || blocks > EndpointUnit.BLOCKS - lba) {
      task.fail(AdditionalSense.LOGICAL_BLOCK_ADDRESS_OUT_OF_RANGE);
      return;
    }
    if (blocks > 0) {
      ByteBuffer zeros = task.allocateDataIn((int) blocks * BLOCK);
      while (zeros.hasRemaining()) {
        zeros.putLong(0);
      }
    }
    task.succeeded();
  }
}
