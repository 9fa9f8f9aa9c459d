package io.coppice.scsi.sense;

import java.nio.ByteBuffer;
import java.util.Objects;

/// The reason why a command ended with CHECK CONDITION.
public record SenseData(SenseKey key, AdditionalSense additional, Detail detail) {

  private static final Detail NOTHING = new Detail.Nothing();

  /// Nothing to report.
  public static final SenseData NO_SENSE = of(SenseKey.NO_SENSE, AdditionalSense.NONE);

  /// ILLEGAL REQUEST, PARAMETER LIST LENGTH ERROR.
  public static final SenseData LIST_LENGTH_ERROR =
      illegalRequest(AdditionalSense.PARAMETER_LIST_LENGTH_ERROR);

  private static final int FIXED_LENGTH = 18;
  private static final int DESCRIPTOR_HEADER_LENGTH = 8;

  public SenseData {
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(additional, "additional");
    Objects.requireNonNull(detail, "detail");
  }

  /// The detail that sense data may carry beside its codes.
  public sealed interface Detail {

    /// Only the codes.
    record Nothing() implements Detail {}

    /// INFORMATION with VALID set.
    record Information(long value) implements Detail {}

    /// The byte at fault, as sense key specific field pointer.
    ///
    /// @param inCdb whether `index` counts in the CDB or in the parameter list
    record Field(boolean inCdb, int index) implements Detail {}

    /// Number of the copy segment being processed, in COMMAND-SPECIFIC INFORMATION (SPC-4 §6.4.3).
    record Segment(int index) implements Detail {}
  }

  public static SenseData of(SenseKey key, AdditionalSense additional) {
    return new SenseData(key, additional, NOTHING);
  }

  public static SenseData illegalRequest(AdditionalSense additional) {
    return of(SenseKey.ILLEGAL_REQUEST, additional);
  }

  /// ILLEGAL REQUEST, INVALID FIELD IN CDB.
  ///
  /// @param index byte of the CDB at fault
  public static SenseData invalidCdb(int index) {
    return new SenseData(
        SenseKey.ILLEGAL_REQUEST,
        AdditionalSense.INVALID_FIELD_IN_CDB,
        new Detail.Field(true, index));
  }

  /// ILLEGAL REQUEST, INVALID FIELD IN PARAMETER LIST.
  ///
  /// @param index byte of the parameter list at fault
  public static SenseData invalidParameter(int index) {
    return new SenseData(
        SenseKey.ILLEGAL_REQUEST,
        AdditionalSense.INVALID_FIELD_IN_PARAMETER_LIST,
        new Detail.Field(false, index));
  }

  /// MISCOMPARE.
  ///
  /// @param offset of the first byte that differs, from the start of the comparison
  public static SenseData miscompare(long offset) {
    return new SenseData(
        SenseKey.MISCOMPARE,
        AdditionalSense.MISCOMPARE_DURING_VERIFY,
        new Detail.Information(offset));
  }

  /// COPY ABORTED while the numbered segment was processed.
  public static SenseData copyAborted(AdditionalSense additional, int segment) {
    return new SenseData(SenseKey.COPY_ABORTED, additional, new Detail.Segment(segment));
  }

  /// Without the detail.
  public SenseCode code() {
    return new SenseCode(key, additional);
  }

  /// Fixed format, current (SPC-5 §4.5.3), 18 bytes from position 0. Descriptor format if
  /// INFORMATION does not fit into four bytes.
  public ByteBuffer encode() {
    if (detail instanceof Detail.Information(long value) && value >>> 32 != 0) {
      return encodeDescriptors();
    }
    ByteBuffer to = ByteBuffer.allocate(FIXED_LENGTH);
    to.put(0, (byte) 0x70).put(2, (byte) key.code()).put(7, (byte) (FIXED_LENGTH - 8));
    to.put(12, (byte) additional.code()).put(13, (byte) additional.qualifier());
    switch (detail) {
      case Detail.Nothing _ -> {}
      case Detail.Information(long value) -> to.put(0, (byte) 0xf0).putInt(3, (int) value);
      case Detail.Field(boolean inCdb, int index) ->
          to.put(15, (byte) (inCdb ? 0xc0 : 0x80)).putShort(16, (short) index);
      case Detail.Segment(int index) -> to.putShort(10, (short) index);
    }
    return to;
  }

  /// Descriptor format, current (SPC-5 §4.5.2).
  public ByteBuffer encodeDescriptors() {
    int length =
        switch (detail) {
          case Detail.Nothing _ -> 0;
          case Detail.Information _ -> 12;
          case Detail.Field _ -> 8;
          case Detail.Segment _ -> 12;
        };
    ByteBuffer to = ByteBuffer.allocate(DESCRIPTOR_HEADER_LENGTH + length);
    to.put(0, (byte) 0x72).put(1, (byte) key.code());
    to.put(2, (byte) additional.code()).put(3, (byte) additional.qualifier());
    to.put(7, (byte) length);
    switch (detail) {
      case Detail.Nothing _ -> {}
      case Detail.Information(long value) ->
          to.put(8, (byte) 0x00).put(9, (byte) 0x0a).put(10, (byte) 0x80).putLong(12, value);
      case Detail.Field(boolean inCdb, int index) ->
          to.put(8, (byte) 0x02)
              .put(9, (byte) 0x06)
              .put(12, (byte) (inCdb ? 0xc0 : 0x80))
              .putShort(13, (short) index);
      case Detail.Segment(int index) ->
          to.put(8, (byte) 0x01).put(9, (byte) 0x0a).putShort(14, (short) index);
    }
    return to;
  }
}
