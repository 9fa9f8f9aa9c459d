package io.coppice.scsi.cdb;

import io.coppice.scsi.reservation.ReserveOut.Action;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseData;
import java.nio.ByteBuffer;

/// The decoder of the bytes of a command descriptor block as a [Cdb].
///
/// Never throws and allocates nothing but the result, whatever the bytes are.
public final class CdbDecoder {

  private static final int NORMAL_ACA = 0x04;
  private static final int ECHO = 0x0a;
  private static final int ECHO_DESCRIPTOR = 0x0b;
  private static final Cdb TEST_UNIT_READY = new Cdb.TestUnitReady();
  private static final Cdb UNKNOWN =
      new Cdb.Refused(SenseData.illegalRequest(AdditionalSense.INVALID_COMMAND_OPERATION_CODE));

  private CdbDecoder() {}

  /// Decodes the block that starts at the buffer's position; trailing bytes are ignored. The
  /// position does not move.
  public static Cdb decode(ByteBuffer block) {
    int at = block.position();
    if (!block.hasRemaining()) {
      return UNKNOWN;
    }
    int opcode = Byte.toUnsignedInt(block.get(at));
    int length = lengthOf(opcode);
    if (length == 0) {
      return UNKNOWN;
    }
    if (block.remaining() < length) {
      return invalid(block.remaining());
    }
    if ((block.get(at + length - 1) & NORMAL_ACA) != 0 && known(opcode)) {
      return invalid(length - 1);
    }
    Fields fields = new Fields(block, at);
    return switch (length) {
      case 6 -> decode6(opcode, fields);
      case 10 -> decode10(opcode, fields);
      case 12 -> decode12(opcode, fields);
      default -> decode16(opcode, fields);
    };
  }

  /// Length of a CDB by the group of its operation code (SPC-5 §4.2.5.1); 0 for groups that have no
  /// fixed length.
  private static int lengthOf(int opcode) {
    return switch (opcode >> 5) {
      case 0 -> 6;
      case 1, 2 -> 10;
      case 4 -> 16;
      case 5 -> 12;
      default -> 0;
    };
  }

  private static boolean known(int opcode) {
    for (OperationCode operation : KNOWN) {
      if (operation.opcode() == opcode) {
        return true;
      }
    }
    return false;
  }

  private static final Cdb.ReserveIn.Report[] REPORTS = Cdb.ReserveIn.Report.values();
  private static final Action[] ACTIONS = Action.values();
  private static final OperationCode[] KNOWN = OperationCode.values();

  private static Cdb decode6(int opcode, Fields f) {
    return switch (opcode) {
      case 0x00 -> TEST_UNIT_READY;
      case 0x03 -> new Cdb.RequestSense(f.bit(1, 0), f.u8(4));
      case 0x08 -> new Cdb.Read(f.lba21(), f.length6());
      case 0x0a -> new Cdb.Write(f.lba21(), f.length6());
      case 0x12 -> inquiry(f);
      case 0x16 -> (f.u8(1) & 0x1f) != 0 ? invalid(1) : new Cdb.Reserve();
      case 0x15 -> modeSelect(f, false, f.u8(4));
      case 0x17 -> (f.u8(1) & 0x1f) != 0 ? invalid(1) : new Cdb.Release();
      case 0x1a ->
          new Cdb.ModeSense(
              false, false, f.bit(1, 3), f.u8(2) >> 6, f.u8(2) & 0x3f, f.u8(3), f.u8(4));
      case 0x1b -> startStop(f);
      default -> UNKNOWN;
    };
  }

  /// Several hosts share a unit, and its medium cannot be removed: nobody stops or ejects it.
  private static Cdb startStop(Fields f) {
    int powerCondition = f.u8(4) >> 4;
    boolean started = f.bit(4, 0) && !f.bit(4, 1);
    return powerCondition != 0 || !started ? invalid(4) : new Cdb.StartUnit();
  }

  /// SP: nothing is saved.
  private static Cdb modeSelect(Fields f, boolean ten, int length) {
    return f.bit(1, 0) ? invalid(1) : new Cdb.ModeSelect(ten, f.bit(1, 4), length);
  }

  private static Cdb inquiry(Fields f) {
    boolean vitalProductData = f.bit(1, 0);
    if (f.bit(1, 1)) {
      return invalid(1); // CMDDT, obsolete
    }
    if (!vitalProductData && f.u8(2) != 0) {
      return invalid(2);
    }
    return new Cdb.Inquiry(vitalProductData, f.u8(2), f.u16(3));
  }

  private static Cdb decode10(int opcode, Fields f) {
    return switch (opcode) {
      case 0x25 -> readCapacity10(f);
      case 0x28 -> f.protect() ? invalid(1) : new Cdb.Read(f.u32(2), f.u16(7));
      case 0x2a -> f.protect() ? invalid(1) : new Cdb.Write(f.u32(2), f.u16(7));
      case 0x2e -> writeAndVerify(f, f.u32(2), f.u16(7));
      case 0x2f -> verify(f, f.u32(2), f.u16(7));
      case 0x34 -> new Cdb.Prefetch(f.u32(2), f.u16(7));
      case 0x35 -> new Cdb.SynchronizeCache(f.u32(2), f.u16(7));
      case 0x3b -> f.mode() == ECHO ? new Cdb.WriteBuffer(f.u24(6)) : invalid(1);
      case 0x3c -> readBuffer(f);
      case 0x41 -> writeSame(f, f.u32(2), f.u16(7), false);
      case 0x42 -> new Cdb.Unmap(f.bit(1, 0), f.u16(7));
      case 0x4d ->
          f.bit(1, 0) // SP: nothing is saved
              ? invalid(1)
              : new Cdb.LogSense(f.u8(2) & 0x3f, f.u8(3), f.u16(5), f.u16(7));
      case 0x55 -> modeSelect(f, true, f.u16(7));
      case 0x56 -> thirdPartyOrExtent(f) ? invalid(1) : new Cdb.Reserve();
      case 0x57 -> thirdPartyOrExtent(f) ? invalid(1) : new Cdb.Release();
      case 0x5a ->
          new Cdb.ModeSense(
              true, f.bit(1, 4), f.bit(1, 3), f.u8(2) >> 6, f.u8(2) & 0x3f, f.u8(3), f.u16(7));
      case 0x5e ->
          f.serviceAction() >= REPORTS.length
              ? invalid(1)
              : new Cdb.ReserveIn(REPORTS[f.serviceAction()], f.u16(7));
      case 0x5f ->
          f.serviceAction() >= ACTIONS.length
              ? invalid(1)
              : new Cdb.ReserveOut(
                  ACTIONS[f.serviceAction()], f.u8(2) >> 4, f.u8(2) & 0x0f, f.allocation32(5));
      default -> UNKNOWN;
    };
  }

  private static Cdb readBuffer(Fields f) {
    int mode = f.mode();
    return mode != ECHO && mode != ECHO_DESCRIPTOR
        ? invalid(1)
        : new Cdb.ReadBuffer(mode == ECHO_DESCRIPTOR, f.u24(6));
  }

  /// 3RDPTY or EXTENT of RESERVE (10) and RELEASE (10): only whole units, only for oneself.
  private static boolean thirdPartyOrExtent(Fields f) {
    return (f.u8(1) & 0x11) != 0;
  }

  private static Cdb readCapacity10(Fields f) {
    boolean partial = f.bit(8, 0); // PMI, obsolete
    return !partial && f.u32(2) != 0 ? invalid(2) : new Cdb.ReadCapacity10();
  }

  private static Cdb decode12(int opcode, Fields f) {
    return switch (opcode) {
      case 0xa0 -> new Cdb.ReportLuns(f.u8(2), f.allocation32(6));
      case 0xa3 -> maintenanceIn(f);
      case 0xa4 ->
          f.serviceAction() == 0x0a ? new Cdb.SetTargetPortGroups(f.allocation32(6)) : invalid(1);
      case 0xa8 -> f.protect() ? invalid(1) : new Cdb.Read(f.u32(2), f.u32(6));
      case 0xaa -> f.protect() ? invalid(1) : new Cdb.Write(f.u32(2), f.u32(6));
      case 0xae -> writeAndVerify(f, f.u32(2), f.u32(6));
      case 0xaf -> verify(f, f.u32(2), f.u32(6));
      default -> UNKNOWN;
    };
  }

  private static Cdb maintenanceIn(Fields f) {
    return switch (f.serviceAction()) {
      case 0x0a -> targetPortGroups(f);
      case 0x0c ->
          (f.u8(2) & 0x07) > 3
              ? invalid(2)
              : new Cdb.ReportSupportedOperationCodes(
                  f.bit(2, 7), f.u8(2) & 0x07, f.u8(3), f.u16(4), f.allocation32(6));
      case 0x0d -> new Cdb.ReportSupportedTaskManagement(f.bit(2, 7), f.allocation32(6));
      default -> invalid(1);
    };
  }

  private static Cdb targetPortGroups(Fields f) {
    int format = f.u8(1) >> 5;
    return format > 1 ? invalid(1) : new Cdb.ReportTargetPortGroups(format == 1, f.allocation32(6));
  }

  private static Cdb decode16(int opcode, Fields f) {
    return switch (opcode) {
      case 0x83 -> thirdPartyCopyOut(f);
      case 0x84 -> receiveCopyResults(f);
      case 0x88 -> f.protect() ? invalid(1) : new Cdb.Read(f.lba64(2), f.u32(10));
      case 0x89 -> f.protect() ? invalid(1) : new Cdb.CompareAndWrite(f.lba64(2), f.u8(13));
      case 0x8a -> f.protect() ? invalid(1) : new Cdb.Write(f.lba64(2), f.u32(10));
      case 0x8b -> f.protect() ? invalid(1) : new Cdb.OrWrite(f.lba64(2), f.u32(10));
      case 0x8e -> writeAndVerify(f, f.lba64(2), f.u32(10));
      case 0x8f -> verify(f, f.lba64(2), f.u32(10));
      case 0x90 -> new Cdb.Prefetch(f.lba64(2), f.u32(10));
      case 0x91 -> new Cdb.SynchronizeCache(f.lba64(2), f.u32(10));
      case 0x93 -> writeSame(f, f.lba64(2), f.u32(10), f.bit(1, 0));
      case 0x9c -> writeAtomic(f);
      case 0x9e -> serviceActionIn16(f);
      default -> UNKNOWN;
    };
  }

  /// MAXIMUM ATOMIC BOUNDARY SIZE is 0, so is every boundary.
  private static Cdb writeAtomic(Fields f) {
    if (f.protect()) {
      return invalid(1);
    }
    return f.u16(10) != 0 ? invalid(10) : new Cdb.WriteAtomic(f.lba64(2), f.u16(12));
  }

  private static Cdb thirdPartyCopyOut(Fields f) {
    return switch (f.serviceAction()) {
      case 0x00 -> new Cdb.ExtendedCopy(false, f.allocation32(10));
      case 0x01 -> new Cdb.ExtendedCopy(true, f.allocation32(10));
      case 0x10 -> new Cdb.PopulateToken((int) f.u32(6), f.allocation32(10));
      case 0x11 -> new Cdb.WriteUsingToken((int) f.u32(6), f.allocation32(10));
      case 0x1c -> new Cdb.AbortCopy((int) f.u32(2));
      default -> invalid(1);
    };
  }

  private static Cdb receiveCopyResults(Fields f) {
    return switch (f.serviceAction()) {
      case 0x00 -> new Cdb.ReceiveCopyStatus(false, f.u8(2), f.allocation32(10));
      case 0x01 -> new Cdb.ReceiveCopyData(f.u8(2), f.allocation32(10));
      case 0x03 -> new Cdb.ReceiveCopyOperatingParameters(f.allocation32(10));
      case 0x04 -> new Cdb.ReceiveCopyFailure(f.u8(2), f.allocation32(10));
      case 0x05 -> new Cdb.ReceiveCopyStatus(true, (int) f.u32(2), f.allocation32(10));
      case 0x07 -> new Cdb.ReceiveTokens((int) f.u32(2), f.allocation32(10));
      case 0x08 -> new Cdb.ReportTokens(f.allocation32(10));
      default -> invalid(1);
    };
  }

  private static Cdb serviceActionIn16(Fields f) {
    return switch (f.serviceAction()) {
      case 0x10 ->
          !f.bit(14, 0) && f.lba64(2) != 0
              ? invalid(2)
              : new Cdb.ReadCapacity16(f.allocation32(10));
      case 0x12 -> new Cdb.GetLbaStatus(f.lba64(2), f.allocation32(10));
      default -> invalid(1);
    };
  }

  private static Cdb writeSame(Fields f, long lba, long blocks, boolean noDataOut) {
    boolean anchor = f.bit(1, 4);
    boolean unmap = f.bit(1, 3);
    boolean patterns = (f.u8(1) & 0x06) != 0; // PBDATA and LBDATA, obsolete
    if (f.protect() || anchor && !unmap || patterns) {
      return invalid(1);
    }
    return new Cdb.WriteSame(lba, blocks, unmap, anchor, noDataOut);
  }

  private static Cdb verify(Fields f, long lba, long blocks) {
    int byteCheck = (f.u8(1) >> 1) & 0x03;
    return f.protect() || byteCheck == 2 ? invalid(1) : new Cdb.Verify(lba, blocks, byteCheck);
  }

  private static Cdb writeAndVerify(Fields f, long lba, long blocks) {
    int byteCheck = (f.u8(1) >> 1) & 0x03;
    return f.protect() || byteCheck > 1
        ? invalid(1)
        : new Cdb.WriteAndVerify(lba, blocks, byteCheck == 1);
  }

  private static Cdb invalid(int index) {
    return new Cdb.Refused(SenseData.invalidCdb(index));
  }

  /// Unsigned fields of a block, by byte number.
  private record Fields(ByteBuffer block, int at) {

    int u8(int index) {
      return Byte.toUnsignedInt(block.get(at + index));
    }

    int u16(int index) {
      return u8(index) << 8 | u8(index + 1);
    }

    int u24(int index) {
      return u8(index) << 16 | u16(index + 1);
    }

    long u32(int index) {
      return (long) u16(index) << 16 | u16(index + 2);
    }

    boolean bit(int index, int bit) {
      return (u8(index) >> bit & 1) != 0;
    }

    /// RDPROTECT, WRPROTECT, VRPROTECT: no unit is formatted with protection information.
    boolean protect() {
      return (u8(1) & 0xe0) != 0;
    }

    /// MODE of READ BUFFER and WRITE BUFFER.
    int mode() {
      return u8(1) & 0x1f;
    }

    int serviceAction() {
      return u8(1) & 0x1f;
    }

    long lba21() {
      return (u8(1) & 0x1fL) << 16 | u16(2);
    }

    long length6() {
      return u8(4) == 0 ? 256 : u8(4);
    }

    long lba64(int index) {
      long value = u32(index) << 32 | u32(index + 4);
      return value < 0 ? Long.MAX_VALUE : value;
    }

    int allocation32(int index) {
      return (int) Math.min(u32(index), Integer.MAX_VALUE);
    }
  }
}
