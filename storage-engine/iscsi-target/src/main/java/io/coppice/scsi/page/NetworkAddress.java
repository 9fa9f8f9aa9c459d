package io.coppice.scsi.page;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;

/// An NAA IEEE Registered Extended designator, 16 bytes (SPC-5 §7.7.6.6.5): NAA 6h, a 24-bit
/// company identifier, 100 bits of our choice.
public record NetworkAddress(long high, long low) {

  /// Bytes of the designator.
  public static final int LENGTH = 16;

  private static final long NAA_6 = 6L << 60;

  /// The address of an object that has a UUID. The 100 bits are the start of the SHA-256 of `kind`
  /// and the UUID, so that two objects with similar UUIDs differ and nothing need be stored.
  ///
  /// @param companyId 24 bits
  /// @param kind the kind of object that the UUID names; keeps addresses of different kinds apart
  public static NetworkAddress of(int companyId, String kind, UUID id) {
    ByteBuffer hash = ByteBuffer.wrap(sha256((kind + '/' + id).getBytes(StandardCharsets.UTF_8)));
    long high = NAA_6 | (companyId & 0xff_ffffL) << 36 | hash.getLong(0) >>> 28;
    return new NetworkAddress(high, hash.getLong(8));
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("expected SHA-256, which every Java platform has", e);
    }
  }

  /// @param text as from [#text]
  public static NetworkAddress parse(String text) {
    if (text.length() != 36 || !text.startsWith("naa.")) {
      throw new IllegalArgumentException("expected naa. and 32 hex digits, got: " + text);
    }
    return new NetworkAddress(
        HexFormat.fromHexDigitsToLong(text, 4, 20), HexFormat.fromHexDigitsToLong(text, 20, 36));
  }

  /// `naa.` and 32 lower-case hex digits, as VASA and hosts write it.
  public String text() {
    return "naa." + HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
  }

  /// 32 lower-case hex digits.
  @Override
  public String toString() {
    return text().substring("naa.".length());
  }
}
