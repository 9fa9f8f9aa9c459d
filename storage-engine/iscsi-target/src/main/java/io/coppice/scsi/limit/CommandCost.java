package io.coppice.scsi.limit;

import io.coppice.scsi.cdb.Cdb;
import io.coppice.scsi.setting.MediumSettings;

/// The cost of commands when a volume has a limit.
///
/// | Commands | I/Os | Bytes |
/// |---|---|---|
/// | READ, WRITE, WRITE AND VERIFY, VERIFY, ORWRITE, WRITE ATOMIC | 1 | the blocks of the CDB |
/// | COMPARE AND WRITE | 1 | its blocks, twice: compared and written |
/// | WRITE SAME, UNMAP, EXTENDED COPY, POPULATE TOKEN, WRITE USING TOKEN | 1 | 0: they move no data, however much they cover |
/// | all others | never wait | |
///
/// A copy counts at the unit that it was sent to.
final class CommandCost {

  private static final int BLOCK = MediumSettings.LOGICAL_BLOCK_IN_BYTES;

  private CommandCost() {}

  /// Bytes of a command that counts as one I/O; -1 for one that does not count.
  static long bytesOf(Cdb.Block cdb) {
    return switch (cdb) { // no default: a new command must be handled here to compile
      case Cdb.Read(var _, long blocks) -> bytes(blocks);
      case Cdb.Write(var _, long blocks) -> bytes(blocks);
      case Cdb.WriteAndVerify write -> bytes(write.blocks());
      case Cdb.Verify verify -> bytes(verify.blocks());
      case Cdb.OrWrite(var _, long blocks) -> bytes(blocks);
      case Cdb.WriteAtomic(var _, int blocks) -> bytes(blocks);
      case Cdb.CompareAndWrite(var _, int blocks) -> 2L * blocks * BLOCK;
      case Cdb.WriteSame _, Cdb.Unmap _ -> 0;
      case Cdb.ExtendedCopy _, Cdb.PopulateToken _, Cdb.WriteUsingToken _ -> 0;
      case Cdb.ThirdPartyCopy _ -> -1;
      case Cdb.ReadCapacity10 _, Cdb.ReadCapacity16 _, Cdb.GetLbaStatus _ -> -1;
      case Cdb.SynchronizeCache _, Cdb.Prefetch _, Cdb.StartUnit _, Cdb.ModeSelect _ -> -1;
      case Cdb.Reserve _, Cdb.Release _, Cdb.ReserveIn _, Cdb.ReserveOut _ -> -1;
      case Cdb.LogSense _, Cdb.ReadBuffer _, Cdb.WriteBuffer _ -> -1;
    };
  }

  private static long bytes(long blocks) {
    return Math.min(blocks, Integer.MAX_VALUE) * BLOCK;
  }
}
