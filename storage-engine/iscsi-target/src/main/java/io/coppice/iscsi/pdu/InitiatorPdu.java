package io.coppice.iscsi.pdu;

import java.nio.ByteBuffer;

/// A PDU that an initiator sends, without its data segment (RFC 7143 §11).
///
/// `immediate` is the I bit, `last` the F bit, `more` the C bit; numbers are as on the wire, so
/// 32-bit ones are unsigned.
public sealed interface InitiatorPdu {

  int initiatorTaskTag();

  /// A PDU that carries a CmdSN and so has a place in the session's order (RFC 7143 §4.2.2.1).
  sealed interface Numbered extends InitiatorPdu {
    boolean immediate();

    int cmdSn();
  }

  /// RFC 7143 §11.18, NOP-Out.
  record NopOut(boolean immediate, long lun, int initiatorTaskTag, int targetTransferTag, int cmdSn)
      implements Numbered {}

  /// RFC 7143 §11.3, SCSI Command.
  ///
  /// | Component | Meaning |
  /// |---|---|
  /// | `attribute` | task attribute, 0 to 7 |
  /// | `expectedLength` | expected data transfer length in bytes, unsigned |
  /// | `cdb` | 16 bytes, or more with an extended-CDB header segment; its own memory |
  record ScsiCommand(
      boolean immediate,
      boolean last,
      boolean read,
      boolean write,
      int attribute,
      long lun,
      int initiatorTaskTag,
      int expectedLength,
      int cmdSn,
      ByteBuffer cdb)
      implements Numbered {}

  /// RFC 7143 §11.5, Task Management Function Request.
  record TaskManagement(
      boolean immediate,
      int function,
      long lun,
      int initiatorTaskTag,
      int referencedTaskTag,
      int cmdSn,
      int expStatSn,
      int refCmdSn)
      implements Numbered {}

  /// RFC 7143 §11.12, Login Request. `transit` is the T bit, the stages are 0 to 3.
  record Login(
      boolean transit,
      boolean more,
      int currentStage,
      int nextStage,
      int versionMin,
      long isid,
      int tsih,
      int initiatorTaskTag,
      int cid,
      int cmdSn,
      int expStatSn)
      implements InitiatorPdu {}

  /// RFC 7143 §11.10, Text Request.
  record Text(
      boolean immediate,
      boolean last,
      boolean more,
      int initiatorTaskTag,
      int targetTransferTag,
      int cmdSn)
      implements Numbered {}

  /// RFC 7143 §11.7, SCSI Data-Out.
  record DataOut(
      boolean last, int initiatorTaskTag, int targetTransferTag, int dataSn, int bufferOffset)
      implements InitiatorPdu {}

  /// RFC 7143 §11.14, Logout Request.
  record Logout(boolean immediate, int reason, int initiatorTaskTag, int cid, int cmdSn)
      implements Numbered {}

  /// RFC 7143 §11.16, SNACK Request.
  record Snack(int initiatorTaskTag) implements InitiatorPdu {}

  /// An opcode that no initiator has.
  record Unknown(int opcode, int initiatorTaskTag) implements InitiatorPdu {}
}
