package io.coppice.iscsi.pdu;

import java.nio.ByteBuffer;

/// The decoder of the header of a PDU from an initiator. Any 48 bytes decode to something. The
/// phase that takes them judges what they mean together.
final class PduDecoder {

  private static final int EXTENDED_CDB = 1;
  private static final int CDB_LENGTH_MAX = 260;

  private PduDecoder() {}

  /// @param header 48 bytes from position 0 and then the additional header segments up to the
  ///   limit; left as it is
  public static InitiatorPdu decode(ByteBuffer header) {
    int first = header.get(0);
    boolean immediate = (first & Bhs.IMMEDIATE) != 0;
    return switch (first & Bhs.OPCODE_MASK) {
      case Bhs.NOP_OUT ->
          new InitiatorPdu.NopOut(
              immediate,
              header.getLong(Bhs.LUN),
              tag(header),
              header.getInt(Bhs.TARGET_TRANSFER_TAG),
              header.getInt(Bhs.CMD_SN));
      case Bhs.SCSI_COMMAND -> scsiCommand(header, immediate);
      case Bhs.TASK_MANAGEMENT ->
          new InitiatorPdu.TaskManagement(
              immediate,
              header.get(Bhs.FLAGS) & 0x7f,
              header.getLong(Bhs.LUN),
              tag(header),
              header.getInt(20),
              header.getInt(Bhs.CMD_SN),
              header.getInt(Bhs.EXP_STAT_SN),
              header.getInt(32));
      case Bhs.LOGIN -> login(header);
      case Bhs.TEXT ->
          new InitiatorPdu.Text(
              immediate,
              flag(header, Bhs.FINAL),
              flag(header, Bhs.CONTINUE),
              tag(header),
              header.getInt(Bhs.TARGET_TRANSFER_TAG),
              header.getInt(Bhs.CMD_SN));
      case Bhs.DATA_OUT ->
          new InitiatorPdu.DataOut(
              flag(header, Bhs.FINAL),
              tag(header),
              header.getInt(Bhs.TARGET_TRANSFER_TAG),
              header.getInt(36),
              header.getInt(40));
      case Bhs.LOGOUT ->
          new InitiatorPdu.Logout(
              immediate,
              header.get(Bhs.FLAGS) & 0x7f,
              tag(header),
              Short.toUnsignedInt(header.getShort(20)),
              header.getInt(Bhs.CMD_SN));
      case Bhs.SNACK -> new InitiatorPdu.Snack(tag(header));
      default -> new InitiatorPdu.Unknown(first & Bhs.OPCODE_MASK, tag(header));
    };
  }

  private static InitiatorPdu scsiCommand(ByteBuffer header, boolean immediate) {
    return new InitiatorPdu.ScsiCommand(
        immediate,
        flag(header, Bhs.FINAL),
        flag(header, 0x40),
        flag(header, 0x20),
        header.get(Bhs.FLAGS) & 0x07,
        header.getLong(Bhs.LUN),
        tag(header),
        header.getInt(20),
        header.getInt(Bhs.CMD_SN),
        cdb(header));
  }

  private static InitiatorPdu login(ByteBuffer header) {
    int flags = header.get(Bhs.FLAGS);
    return new InitiatorPdu.Login(
        flag(header, Bhs.FINAL),
        flag(header, Bhs.CONTINUE),
        (flags >> 2) & 0x03,
        flags & 0x03,
        Byte.toUnsignedInt(header.get(3)),
        header.getLong(8) >>> 16,
        Short.toUnsignedInt(header.getShort(14)),
        tag(header),
        Short.toUnsignedInt(header.getShort(20)),
        header.getInt(Bhs.CMD_SN),
        header.getInt(Bhs.EXP_STAT_SN));
  }

  /// The CDB, with the rest of it if an extended-CDB segment follows (RFC 7143 §11.2.2.3).
  private static ByteBuffer cdb(ByteBuffer header) {
    int extension = Bhs.LENGTH;
    int more = 0;
    if (header.limit() >= Bhs.LENGTH + 4 && header.get(extension + 2) == EXTENDED_CDB) {
      // The segment's length counts one reserved byte and then the CDB's bytes from the 17th on.
      int claimed = Short.toUnsignedInt(header.getShort(extension)) - 1;
      more = Math.clamp(claimed, 0, header.limit() - extension - 4);
      more = Math.min(more, CDB_LENGTH_MAX - Bhs.CDB_LENGTH);
    }
    byte[] cdb = new byte[Bhs.CDB_LENGTH + more];
    header.get(Bhs.CDB, cdb, 0, Bhs.CDB_LENGTH);
    if (more > 0) {
      header.get(extension + 4, cdb, Bhs.CDB_LENGTH, more);
    }
    return ByteBuffer.wrap(cdb);
  }

  private static int tag(ByteBuffer header) {
    return header.getInt(Bhs.INITIATOR_TASK_TAG);
  }

  private static boolean flag(ByteBuffer header, int bit) {
    return (header.get(Bhs.FLAGS) & bit) != 0;
  }
}
