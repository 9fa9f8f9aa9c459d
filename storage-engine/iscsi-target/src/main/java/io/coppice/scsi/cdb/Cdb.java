package io.coppice.scsi.cdb;

import io.coppice.scsi.reservation.ReserveOut.Action;
import io.coppice.scsi.sense.SenseData;

/// A SCSI command, decoded from its command descriptor block.
///
/// LBAs and block counts are unsigned in the standards; an LBA above 2^63 - 1 is decoded as
/// [Long#MAX_VALUE], which lies beyond every medium. Allocation lengths above 2^31 - 1 are decoded
/// as [Integer#MAX_VALUE]: no reply is that long.
public sealed interface Cdb {

  /// Commands of every logical unit (SPC-5).
  sealed interface Primary extends Cdb {}

  /// Commands of a logical unit with a medium (SBC-4, and SPC's reservations and copies).
  sealed interface Block extends Cdb {}

  /// Third-party copy commands (SPC-5 §5.18, SBC-4 §4.28).
  sealed interface ThirdPartyCopy extends Block {}

  /// A block that decodes to no command we know, or holds a field that we refuse.
  record Refused(SenseData sense) implements Cdb {}

  record TestUnitReady() implements Primary {}

  /// @param descriptors whether descriptor format is asked for
  record RequestSense(boolean descriptors, int allocationLength) implements Primary {}

  /// @param vitalProductData EVPD: `pageCode` names a page
  record Inquiry(boolean vitalProductData, int pageCode, int allocationLength) implements Primary {}

  /// @param select SELECT REPORT
  record ReportLuns(int select, int allocationLength) implements Primary {}

  /// MODE SENSE (6) or (10).
  ///
  /// | Component | Meaning |
  /// |---|---|
  /// | `ten` | the 10-byte form, with its longer header |
  /// | `longLba` | LLBAA: a long block descriptor is welcome |
  /// | `noBlockDescriptor` | DBD |
  /// | `pageControl` | 0 current, 1 changeable, 2 default, 3 saved |
  record ModeSense(
      boolean ten,
      boolean longLba,
      boolean noBlockDescriptor,
      int pageControl,
      int page,
      int subpage,
      int allocationLength)
      implements Primary {}

  /// @param withTimeouts RCTD
  /// @param options REPORTING OPTIONS, 0 to 3
  record ReportSupportedOperationCodes(
      boolean withTimeouts, int options, int opcode, int serviceAction, int allocationLength)
      implements Primary {}

  /// @param extended REPD
  record ReportSupportedTaskManagement(boolean extended, int allocationLength) implements Primary {}

  /// @param extended whether the extended header is asked for
  record ReportTargetPortGroups(boolean extended, int allocationLength) implements Primary {}

  record SetTargetPortGroups(int parameterListLength) implements Primary {}

  record ReadCapacity10() implements Block {}

  record ReadCapacity16(int allocationLength) implements Block {}

  /// READ (6), (10), (12) or (16).
  ///
  /// @param blocks 0 is valid and transfers nothing
  record Read(long lba, long blocks) implements Block {}

  /// WRITE (6), (10), (12) or (16). FUA and DPO change nothing: every write is stable before it is
  /// acknowledged.
  ///
  /// @param blocks 0 is valid and transfers nothing
  record Write(long lba, long blocks) implements Block {}

  /// WRITE AND VERIFY (10), (12) or (16).
  ///
  /// @param compare BYTCHK = 01b: compare with the data written
  record WriteAndVerify(long lba, long blocks, boolean compare) implements Block {}

  /// VERIFY (10), (12) or (16).
  ///
  /// @param byteCheck BYTCHK: 0 reads the medium, 1 compares with as much Data-Out, 3 compares each
  ///   block with one block of Data-Out
  record Verify(long lba, long blocks, int byteCheck) implements Block {}

  /// SYNCHRONIZE CACHE (10) or (16).
  ///
  /// @param blocks 0 means up to the last block
  record SynchronizeCache(long lba, long blocks) implements Block {}

  /// PRE-FETCH (10) or (16).
  ///
  /// @param blocks 0 means up to the last block
  record Prefetch(long lba, long blocks) implements Block {}

  /// WRITE SAME (10) or (16).
  ///
  /// @param unmap the blocks may be unmapped if they then read as the data does
  /// @param anchor what is unmapped shall be anchored; only with `unmap`
  /// @param noDataOut NDOB: the data is a block of zeros and none is sent
  record WriteSame(long lba, long blocks, boolean unmap, boolean anchor, boolean noDataOut)
      implements Block {}

  /// @param anchor what is unmapped shall be anchored
  record Unmap(boolean anchor, int parameterListLength) implements Block {}

  /// @param blocks 0 to 255; Data-Out is twice as much
  record CompareAndWrite(long lba, int blocks) implements Block {}

  record GetLbaStatus(long lba, int allocationLength) implements Block {}

  /// EXTENDED COPY.
  ///
  /// @param longList whether the list is that of LID4, with its longer header
  record ExtendedCopy(boolean longList, int parameterListLength) implements ThirdPartyCopy {}

  /// POPULATE TOKEN.
  ///
  /// @param listId LIST IDENTIFIER, any 32 bits
  record PopulateToken(int listId, int parameterListLength) implements ThirdPartyCopy {}

  /// WRITE USING TOKEN.
  ///
  /// @param listId LIST IDENTIFIER, any 32 bits
  record WriteUsingToken(int listId, int parameterListLength) implements ThirdPartyCopy {}

  /// COPY OPERATION ABORT.
  record AbortCopy(int listId) implements ThirdPartyCopy {}

  /// RECEIVE COPY STATUS.
  ///
  /// @param longStatus whether the status is that of LID4
  record ReceiveCopyStatus(boolean longStatus, int listId, int allocationLength)
      implements ThirdPartyCopy {}

  /// RECEIVE COPY DATA (LID1).
  record ReceiveCopyData(int listId, int allocationLength) implements ThirdPartyCopy {}

  /// RECEIVE COPY FAILURE DETAILS (LID1).
  record ReceiveCopyFailure(int listId, int allocationLength) implements ThirdPartyCopy {}

  record ReceiveCopyOperatingParameters(int allocationLength) implements ThirdPartyCopy {}

  /// RECEIVE ROD TOKEN INFORMATION.
  record ReceiveTokens(int listId, int allocationLength) implements ThirdPartyCopy {}

  /// REPORT ALL ROD TOKENS.
  record ReportTokens(int allocationLength) implements ThirdPartyCopy {}

  /// RESERVE (6) or (10) of the whole logical unit (SPC-2 §7.21, §7.22).
  record Reserve() implements Block {}

  /// RELEASE (6) or (10) of the whole logical unit (SPC-2 §7.16, §7.17).
  record Release() implements Block {}

  /// PERSISTENT RESERVE IN.
  record ReserveIn(Report report, int allocationLength) implements Block {

    /// The kinds of report, in the order of the service actions.
    public enum Report {
      KEYS,
      RESERVATION,
      CAPABILITIES,
      FULL_STATUS
    }
  }

  /// PERSISTENT RESERVE OUT.
  ///
  /// @param scope SCOPE, 0 to 15
  /// @param type TYPE, 0 to 15
  record ReserveOut(Action action, int scope, int type, int parameterListLength) implements Block {}

  /// ORWRITE (16).
  record OrWrite(long lba, long blocks) implements Block {}

  /// WRITE ATOMIC (16) without an atomic boundary.
  ///
  /// @param blocks 0 to 65535
  record WriteAtomic(long lba, int blocks) implements Block {}

  /// MODE SELECT (6) or (10) with SP = 0.
  ///
  /// @param ten the 10-byte form, with its longer header
  /// @param pages PF: what follows the block descriptors is pages
  record ModeSelect(boolean ten, boolean pages, int parameterListLength) implements Block {}

  /// LOG SENSE with SP = 0.
  ///
  /// @param pointer PARAMETER POINTER: parameters from that code on
  record LogSense(int page, int subpage, int pointer, int allocationLength) implements Block {}

  /// READ BUFFER of the echo buffer.
  ///
  /// @param descriptor its descriptor (mode 0Bh) instead of its content (mode 0Ah)
  record ReadBuffer(boolean descriptor, int allocationLength) implements Block {}

  /// WRITE BUFFER into the echo buffer (mode 0Ah).
  record WriteBuffer(int parameterListLength) implements Block {}

  /// START STOP UNIT that asks for the present state: started, not ejected.
  record StartUnit() implements Block {}
}
