package io.coppice.conformance;

import java.nio.charset.StandardCharsets;
import java.util.Set;

/// The changes that a [PduProxy] makes to PDUs.
///
/// @param ownLun the initiator's number, as it stands in bytes 8 to 15
/// @param targetLun what the target calls it
/// @param digests whether CRC32C is negotiated with the target for an initiator that offers none
record PduRewriting(long ownLun, long targetLun, boolean digests) {

  private static final int LOGIN_REQUEST = 0x03;
  private static final int LOGIN_RESPONSE = 0x23;

  /// NOP-Out, SCSI Command, Task Management Function Request, SCSI Data-Out, SNACK Request.
  private static final Set<Integer> REQUESTS_WITH_LUN = Set.of(0x00, 0x01, 0x02, 0x05, 0x10);

  /// NOP-In, SCSI Data-In, R2T, Asynchronous Message.
  private static final Set<Integer> RESPONSES_WITH_LUN = Set.of(0x20, 0x25, 0x31, 0x32);

  /// The initiator's number `own` is the target's 8-byte `lun`.
  static PduRewriting lun(int own, long lun) {
    return new PduRewriting((long) own << 48, lun, false);
  }

  /// The same numbers on both sides, digests towards the target.
  static PduRewriting withDigests() {
    return new PduRewriting(0, 0, true);
  }

  Pdu request(Pdu pdu) {
    if (REQUESTS_WITH_LUN.contains(pdu.opcode()) && pdu.lun() == ownLun) {
      return pdu.withLun(targetLun);
    }
    return digests && pdu.opcode() == LOGIN_REQUEST ? withDigestKeys(pdu, "CRC32C") : pdu;
  }

  Pdu response(Pdu pdu) {
    if (RESPONSES_WITH_LUN.contains(pdu.opcode()) && pdu.lun() == targetLun) {
      return pdu.withLun(ownLun);
    }
    return digests && pdu.opcode() == LOGIN_RESPONSE ? withDigestKeys(pdu, "None") : pdu;
  }

  /// Lets the keys that are there say something else; adds none.
  private static Pdu withDigestKeys(Pdu pdu, String value) {
    String text = new String(pdu.data(), StandardCharsets.UTF_8);
    String changed = text.replaceAll("(?<=^|\0)(HeaderDigest|DataDigest)=[^\0]*", "$1=" + value);
    return changed.equals(text) ? pdu : pdu.withData(changed.getBytes(StandardCharsets.UTF_8));
  }
}
