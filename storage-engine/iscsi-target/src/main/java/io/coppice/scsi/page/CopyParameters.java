package io.coppice.scsi.page;

import io.coppice.scsi.cdb.OperationCode;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/// RECEIVE COPY OPERATING PARAMETERS parameter data (SPC-4 §6.22) and the Third-party Copy VPD
/// page.
///
/// | Component | Meaning |
/// |---|---|
/// | `descriptors` | MAXIMUM CSCD DESCRIPTOR COUNT |
/// | `segments` | MAXIMUM SEGMENT DESCRIPTOR COUNT |
/// | `listLengthInBytes` | MAXIMUM DESCRIPTOR LIST LENGTH |
/// | `segmentLengthInBytes` | MAXIMUM SEGMENT LENGTH |
/// | `concurrent` | TOTAL CONCURRENT COPIES, 1 to 255 |
/// | `tokens` | what ROD tokens may be |
public record CopyParameters(
    int descriptors,
    int segments,
    int listLengthInBytes,
    int segmentLengthInBytes,
    int concurrent,
    Tokens tokens) {

  /// The limits of ROD tokens. All times are in seconds.
  ///
  /// | Component | Meaning |
  /// |---|---|
  /// | `ranges` | MAXIMUM RANGE DESCRIPTORS |
  /// | `bytes` | MAXIMUM BYTES IN BLOCK ROD |
  /// | `optimalBytes` | OPTIMAL TRANSFER COUNT, in bytes |
  /// | `defaultTimeout` | DEFAULT INACTIVITY TIMEOUT |
  /// | `maximumTimeout` | MAXIMUM INACTIVITY TIMEOUT |
  /// | `lifetime` | MAXIMUM TOKEN LIFETIME |
  /// | `group` | the units among which copies are made: COPY GROUP IDENTIFIER |
  public record Tokens(
      int ranges,
      long bytes,
      long optimalBytes,
      int defaultTimeout,
      int maximumTimeout,
      int lifetime,
      UUID group) {}

  /// Segments between block devices, the same with offsets, and the identification descriptor.
  private static final byte[] IMPLEMENTED = {0x02, 0x0a, (byte) 0xe4};

  private static final int FIXED = 44;
  private static final int BLOCK = 512;

  /// The least that a segment may copy, as a power of two: a byte, by segment type 0Ah.
  private static final int GRANULARITY_EXPONENT = 0;

  private static final int PAGE_HEADER = 4;
  private static final int ROD_LIMITS = 0x0000;
  private static final int COMMANDS = 0x0001;
  private static final int PARAMETERS = 0x0004;
  private static final int DESCRIPTORS = 0x0008;
  private static final int CSCD_IDS = 0x000c;
  private static final int COPY_GROUP = 0x000d;
  private static final int TOKEN_FEATURES = 0x0106;
  private static final int ROD_TYPES = 0x0108;
  private static final int GENERAL = 0x8001;
  private static final int MOST = 1024;

  private static final int COPY_OUT = 0x83;
  private static final int COPY_IN = 0x84;

  /// The copy manager's own logical unit.
  private static final int CSCD_SELF = 0xffff;

  private static final int TOKEN_IN = 0x02;
  private static final int TOKEN_OUT = 0x01;
  private static final int ROD_TYPE_LENGTH = 64;

  /// Third-party Copy VPD page 8Fh (SPC-4 §7.8.17, SBC-4 §6.6.9.3): descriptors in ascending order
  /// of their types, each a multiple of 4 bytes.
  public ByteBuffer encodePage() {
    ByteBuffer to = ByteBuffer.allocate(MOST).putShort((short) 0x008f).putShort((short) 0);
    limitsOfRods(to);
    commands(to);
    third(to, PARAMETERS, 28).putInt(0);
    to.putShort((short) descriptors).putShort((short) segments);
    to.putInt(listLengthInBytes).putInt(0).putInt(0).putLong(0);
    third(to, DESCRIPTORS, 4).put((byte) IMPLEMENTED.length).put(IMPLEMENTED);
    third(to, CSCD_IDS, 4).putShort((short) 2).putShort((short) CSCD_SELF);
    third(to, COPY_GROUP, 20).put((byte) 18).put((byte) 0x10).put((byte) 0);
    to.putLong(tokens.group().getMostSignificantBits());
    to.putLong(tokens.group().getLeastSignificantBits()).put((byte) 0);
    features(to);
    types(to);
    third(to, GENERAL, 32).putInt(concurrent).putInt(concurrent).putInt(segmentLengthInBytes);
    to.put((byte) GRANULARITY_EXPONENT).put((byte) 0).put(new byte[18]);
    return to.putShort(2, (short) (to.position() - PAGE_HEADER)).flip();
  }

  private void limitsOfRods(ByteBuffer to) {
    third(to, ROD_LIMITS, 32).put(new byte[6]).putShort((short) tokens.ranges());
    to.putInt(tokens.maximumTimeout()).putInt(tokens.defaultTimeout());
    to.putLong(tokens.bytes() / BLOCK).putLong(tokens.optimalBytes() / BLOCK);
  }

  /// Service actions of both operation codes, as REPORT SUPPORTED OPERATION CODES lists them.
  private static void commands(ByteBuffer to) {
    List<OperationCode> out = of(COPY_OUT);
    List<OperationCode> in = of(COPY_IN);
    int length = 4 + out.size() + in.size();
    int padded = (1 + length + 3) / 4 * 4;
    third(to, COMMANDS, padded).put((byte) length);
    actions(to, COPY_OUT, out);
    actions(to, COPY_IN, in);
    to.put(new byte[padded - 1 - length]);
  }

  private static List<OperationCode> of(int opcode) {
    return Arrays.stream(OperationCode.values()).filter(o -> o.opcode() == opcode).toList();
  }

  private static void actions(ByteBuffer to, int opcode, List<OperationCode> operations) {
    to.put((byte) opcode).put((byte) operations.size());
    operations.forEach(operation -> to.put((byte) operation.serviceAction()));
  }

  /// ROD token features: no remote tokens, and the block ROD device type specific features.
  private void features(ByteBuffer to) {
    third(to, TOKEN_FEATURES, 44 + 48).put(new byte[12]);
    to.putInt(1).putInt(tokens.lifetime()).putInt(tokens.maximumTimeout()).put(new byte[18]);
    to.putShort((short) 48);
    to.putShort((short) 0).putShort((short) 44).putShort((short) 0).putShort((short) 8);
    to.putLong(tokens.bytes()).putLong(tokens.optimalBytes());
    to.putLong(tokens.bytes()).putLong(tokens.optimalBytes()).putLong(0);
  }

  /// Point in time copies, which come and go, and zeros, which only come; "any" names one of the
  /// copies.
  private static void types(ByteBuffer to) {
    RodType[] types = RodType.values();
    third(to, ROD_TYPES, 4 + ROD_TYPE_LENGTH * types.length).putShort((short) 0);
    to.putShort((short) (ROD_TYPE_LENGTH * types.length));
    for (RodType type : types) {
      int flags = (type.comesIn() ? TOKEN_IN : 0) | (type.goesOut() ? TOKEN_OUT : 0);
      to.putInt(type.code()).put((byte) flags).put(new byte[ROD_TYPE_LENGTH - 5]);
    }
  }

  private static ByteBuffer third(ByteBuffer to, int type, int length) {
    return to.putShort((short) type).putShort((short) length);
  }

  public ByteBuffer encode() {
    ByteBuffer to = ByteBuffer.allocate(FIXED + IMPLEMENTED.length);
    to.putInt(0, to.capacity() - 4).put(4, (byte) 0x01); // SNLID
    to.putShort(8, (short) descriptors).putShort(10, (short) segments);
    to.putInt(12, listLengthInBytes).putInt(16, segmentLengthInBytes);
    to.putShort(34, (short) concurrent).put(36, (byte) concurrent);
    to.put(37, (byte) GRANULARITY_EXPONENT);
    to.put(43, (byte) IMPLEMENTED.length);
    return to.put(FIXED, IMPLEMENTED);
  }
}
