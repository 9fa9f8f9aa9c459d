package io.coppice.scsi.page;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// A ROD token of 512 bytes (SPC-4 §5.17.6.4, §5.17.6.5).
///
/// | Bytes | Content |
/// |---|---|
/// | 0 | ROD TYPE, ROD TOKEN LENGTH |
/// | 8 | COPY MANAGER ROD TOKEN IDENTIFIER |
/// | 16 | CREATOR LOGICAL UNIT DESCRIPTOR: an identification CSCD descriptor |
/// | 48 | NUMBER OF BYTES REPRESENTED |
/// | 96 | device type specific data: as READ CAPACITY (16) says |
/// | 128 | TARGET DEVICE DESCRIPTOR: an NAA designator of the device |
/// | 256 | EXTENDED ROD TOKEN DATA: 256 random bytes |
public final class RodToken {

  /// Bytes of a token.
  public static final int LENGTH = 512;

  /// Bytes of EXTENDED ROD TOKEN DATA.
  public static final int SECRET_LENGTH = 256;

  /// Bytes of a ROD management token.
  public static final int MANAGEMENT_LENGTH = 96;

  private static final int HEADER = 8;
  private static final int CREATOR = 16;
  private static final int REPRESENTED = 48;
  private static final int DEVICE_DATA = 96;
  private static final int DEVICE = 128;
  private static final int SECRET = 256;
  private static final int BLOCK = 512;
  private static final int IDENTIFICATION = 0xe4;
  private static final int OF_DEVICE_NAA = 0x23;
  private static final int THIN_AND_ZEROING = 0xc000;

  private RodToken() {}

  /// Encodes a point in time copy.
  ///
  /// @param id different from any other token's
  /// @param creator the unit that the data belongs to
  /// @param device our own device
  /// @param represented bytes that it stands for
  /// @param physicalExponent LOGICAL BLOCKS PER PHYSICAL BLOCK EXPONENT
  /// @param secret [#SECRET_LENGTH] bytes that nobody can guess
  public static byte[] encode(
      RodType type,
      long id,
      NetworkAddress creator,
      NetworkAddress device,
      long represented,
      int physicalExponent,
      byte[] secret) {
    ByteBuffer to = ByteBuffer.allocate(LENGTH);
    to.putInt(type.code()).putShort((short) 0).putShort((short) (LENGTH - HEADER)).putLong(id);
    to.put((byte) IDENTIFICATION).put((byte) 0).putShort((short) 0);
    to.put((byte) 1).put((byte) 3).put((byte) 0).put((byte) NetworkAddress.LENGTH);
    to.putLong(creator.high()).putLong(creator.low()).putInt(0).putInt(BLOCK);
    to.putLong(REPRESENTED + 8, represented);
    to.putInt(DEVICE_DATA, BLOCK).put(DEVICE_DATA + 5, (byte) physicalExponent);
    to.putShort(DEVICE_DATA + 6, (short) THIN_AND_ZEROING);
    to.put(DEVICE, (byte) 1).put(DEVICE + 1, (byte) OF_DEVICE_NAA);
    to.put(DEVICE + 3, (byte) NetworkAddress.LENGTH);
    to.putLong(DEVICE + 4, device.high()).putLong(DEVICE + 12, device.low());
    return to.put(SECRET, secret, 0, SECRET_LENGTH).array();
  }

  /// ROD TYPE.
  public static int type(byte[] token) {
    return ByteBuffer.wrap(token).getInt(0);
  }

  /// Whether ROD TOKEN LENGTH is the one that tokens have.
  public static boolean hasLength(byte[] token) {
    return ByteBuffer.wrap(token).getShort(6) == LENGTH - HEADER;
  }

  /// COPY MANAGER ROD TOKEN IDENTIFIER.
  public static long id(byte[] token) {
    return ByteBuffer.wrap(token).getLong(8);
  }

  /// Whether creator and device are described in some form that a token may have.
  public static boolean isWellFormed(byte[] token) {
    int form = token[DEVICE + 1] & 0x3f;
    int length = Byte.toUnsignedInt(token[DEVICE + 3]);
    boolean designates = form == 0x22 || form == OF_DEVICE_NAA || form == 0x28;
    return Byte.toUnsignedInt(token[CREATOR]) == IDENTIFICATION
        && designates
        && length > 0
        && length <= SECRET - DEVICE - 4;
  }

  /// Whether it names that device.
  public static boolean isOf(byte[] token, NetworkAddress device) {
    ByteBuffer from = ByteBuffer.wrap(token);
    return (token[DEVICE + 1] & 0x3f) == OF_DEVICE_NAA
        && token[DEVICE + 3] == NetworkAddress.LENGTH
        && from.getLong(DEVICE + 4) == device.high()
        && from.getLong(DEVICE + 12) == device.low();
  }

  /// The ROD management token: all but the part that makes a token a secret.
  public static byte[] management(byte[] token) {
    return Arrays.copyOf(token, MANAGEMENT_LENGTH);
  }
}
