package io.coppice.scsi;

import io.coppice.scsi.Initiator.Pending;
import io.coppice.scsi.Initiator.Reply;
import io.coppice.scsi.transport.ScsiStatus;
import java.util.Arrays;
import java.util.HexFormat;

/// Commands of copies by token, as an initiator sends them, in hex.
final class Tokens {

  static final String ZEROS = "ffff0001" + "000001f8" + "00".repeat(504);

  private Tokens() {}

  static String range(long lba, long blocks) {
    return "%016x%08x00000000".formatted(lba, blocks);
  }

  /// POPULATE TOKEN with the default type and timeout.
  static Reply populate(Initiator initiator, String lun, int list, String ranges) {
    return populate(initiator, lun, list, "00", "00000000" + "00000000", ranges);
  }

  /// A parameter list of POPULATE TOKEN with the default type and timeout.
  static String populateList(String ranges) {
    return populateList("00", "00000000" + "00000000", ranges);
  }

  private static String populateList(String flags, String timeoutAndType, String ranges) {
    int length = ranges.length() / 2;
    return "%04x%s00%s0000%04x%s".formatted(length + 14, flags, timeoutAndType, length, ranges);
  }

  /// @param flags byte 2
  /// @param timeoutAndType bytes 4 to 11
  static Reply populate(
      Initiator initiator,
      String lun,
      int list,
      String flags,
      String timeoutAndType,
      String ranges) {
    return send(initiator, lun, "10", list, populateList(flags, timeoutAndType, ranges));
  }

  static Reply write(Initiator initiator, String lun, int list, String token, String ranges) {
    return write(initiator, lun, list, "00", 0, token, ranges);
  }

  /// WRITE USING TOKEN.
  ///
  /// @param flags byte 2
  /// @param offset in blocks
  static Reply write(
      Initiator initiator,
      String lun,
      int list,
      String flags,
      long offset,
      String token,
      String ranges) {
    return send(initiator, lun, "11", list, writeList(flags, offset, token, ranges));
  }

  static String writeList(String flags, long offset, String token, String ranges) {
    int length = ranges.length() / 2;
    return "%04x%s0000000000%016x%s000000000000%04x%s"
        .formatted(length + 534, flags, offset, token, length, ranges);
  }

  static Reply send(Initiator initiator, String lun, String action, int list, String hex) {
    return Initiator.await(begin(initiator, lun, action, list, hex));
  }

  static Pending begin(Initiator initiator, String lun, String action, int list, String hex) {
    return initiator.begin(lun, cdb(action, list, hex.length() / 2), HexFormat.of().parseHex(hex));
  }

  static String cdb(String action, int list, int length) {
    return "83 %s 00000000 %08x %08x 00 00".formatted(action, list, length);
  }

  /// RECEIVE ROD TOKEN INFORMATION.
  static Reply receive(Initiator initiator, String lun, int list) {
    return initiator.send(lun, "84 07 %08x 00000000 00000400 00 00".formatted(list));
  }

  /// The token that POPULATE TOKEN with that list made.
  static String token(Initiator initiator, String lun, int list) {
    Reply reply = receive(initiator, lun, list);
    if (reply.data().length != 36 + 2 + 512) {
      throw new AssertionError("expected a token, got " + reply.hex() + reply.code());
    }
    return reply.hex(38, 38 + 512);
  }

  /// A token of those ranges.
  static String make(Initiator initiator, String lun, int list, String ranges) {
    Reply reply = populate(initiator, lun, list, ranges);
    if (reply.status() != ScsiStatus.GOOD) {
      throw new AssertionError("expected GOOD, got %s %s".formatted(reply.status(), reply.code()));
    }
    return token(initiator, lun, list);
  }

  /// COPY OPERATION STATUS.
  static String state(Initiator initiator, String lun, int list) {
    return initiator.send(lun, "84 05 %08x 00000000 00000100 00 00".formatted(list)).hex(5, 6);
  }

  static void fill(Initiator initiator, String lun, long lba, int blocks, int value) {
    byte[] data = new byte[blocks * 512];
    Arrays.fill(data, (byte) value);
    Reply reply = initiator.send(lun, "8a 00 %016x %08x 00 00".formatted(lba, blocks), data);
    if (reply.status() != ScsiStatus.GOOD) {
      throw new AssertionError("expected GOOD, got " + reply.code());
    }
  }

  static byte[] read(Initiator initiator, String lun, long lba, int blocks) {
    return initiator.send(lun, "88 00 %016x %08x 00 00".formatted(lba, blocks)).data();
  }
}
