package io.coppice.scsi.parameter;

import io.coppice.scsi.sense.SenseData;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The PERSISTENT RESERVE OUT parameter lists (SPC-4 §6.16.3, §6.16.4).
public sealed interface ReserveList {

  int LENGTH = 24;

  /// A list that we refuse.
  record Refused(SenseData sense) implements ReserveList {}

  /// @param key RESERVATION KEY
  /// @param serviceKey SERVICE ACTION RESERVATION KEY
  /// @param allPorts ALL_TG_PT
  /// @param persist APTPL
  record Keys(long key, long serviceKey, boolean allPorts, boolean persist)
      implements ReserveList {}

  /// The list of REGISTER AND MOVE.
  ///
  /// @param unregister UNREG
  /// @param persist APTPL
  /// @param port RELATIVE TARGET PORT IDENTIFIER
  /// @param name iSCSI name of the initiator port moved to, lower case
  /// @param isid its ISID
  record Move(
      long key,
      long serviceKey,
      boolean unregister,
      boolean persist,
      int port,
      String name,
      long isid)
      implements ReserveList {}

  Pattern INITIATOR_PORT = Pattern.compile("(.{1,223}),i,0x([0-9a-f]{1,12})");

  /// Decodes the list of REGISTER AND MOVE, of `remaining()` bytes. Only a TransportID with an ISID
  /// names one initiator port.
  ///
  /// @param length PARAMETER LIST LENGTH of the CDB
  static ReserveList decodeMove(ByteBuffer list, int length) {
    ByteBuffer from = list.slice();
    int header = LENGTH + 4;
    if (length < header || from.remaining() < length) {
      return new Refused(SenseData.LIST_LENGTH_ERROR);
    }
    int identifier = Short.toUnsignedInt(from.getShort(LENGTH + 2));
    if (Integer.toUnsignedLong(from.getInt(20)) != length - LENGTH
        || identifier != length - header) {
      return new Refused(SenseData.LIST_LENGTH_ERROR);
    }
    byte[] text = new byte[identifier];
    from.get(header, text);
    String whole = new String(text, StandardCharsets.UTF_8).toLowerCase(Locale.ROOT);
    int end = whole.indexOf(0);
    Matcher port = INITIATOR_PORT.matcher(whole.substring(0, Math.max(end, 0)));
    if (from.get(LENGTH) != 0x45 || !port.matches()) {
      return new Refused(SenseData.invalidParameter(LENGTH));
    }
    int flags = from.get(17);
    return new Move(
        from.getLong(0),
        from.getLong(8),
        (flags & 0x02) != 0,
        (flags & 0x01) != 0,
        Short.toUnsignedInt(from.getShort(18)),
        port.group(1),
        Long.parseLong(port.group(2), 16));
  }

  /// Decodes the list of the other service actions, of `remaining()` bytes. SPEC_I_PT is refused,
  /// as REPORT CAPABILITIES says (SIP_C = 0).
  ///
  /// @param length PARAMETER LIST LENGTH of the CDB
  static ReserveList decode(ByteBuffer list, int length) {
    ByteBuffer from = list.slice();
    if (length < LENGTH || from.remaining() < LENGTH) {
      return new Refused(SenseData.LIST_LENGTH_ERROR);
    }
    int flags = from.get(20);
    if ((flags & 0x08) != 0) {
      return new Refused(SenseData.invalidParameter(20));
    }
    if (length != LENGTH) {
      return new Refused(SenseData.LIST_LENGTH_ERROR);
    }
    return new Keys(from.getLong(0), from.getLong(8), (flags & 0x04) != 0, (flags & 0x01) != 0);
  }
}
