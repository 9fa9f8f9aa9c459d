package io.coppice.scsi.parameter;

import static io.coppice.scsi.parameter.CopyList.BLOCK;
import static io.coppice.scsi.sense.AdditionalSense.INLINE_DATA_LENGTH_EXCEEDED;
import static io.coppice.scsi.sense.AdditionalSense.PARAMETER_LIST_LENGTH_ERROR;
import static io.coppice.scsi.sense.AdditionalSense.TOO_MANY_CSCD_DESCRIPTORS;
import static io.coppice.scsi.sense.AdditionalSense.TOO_MANY_SEGMENT_DESCRIPTORS;
import static io.coppice.scsi.sense.AdditionalSense.UNSUPPORTED_CSCD_DESCRIPTOR_TYPE;
import static io.coppice.scsi.sense.AdditionalSense.UNSUPPORTED_SEGMENT_DESCRIPTOR_TYPE;

import io.coppice.scsi.parameter.CopyList.Device;
import io.coppice.scsi.parameter.CopyList.Limits;
import io.coppice.scsi.parameter.CopyList.Plan;
import io.coppice.scsi.parameter.CopyList.Refused;
import io.coppice.scsi.parameter.CopyList.Segment;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseData;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// The decoder of parameter lists of EXTENDED COPY: two headers before the same descriptors.
///
/// Never throws, and allocates no more than the limits allow, whatever the bytes are.
final class CopyListDecoder {

  private CopyListDecoder() {}

  private static final int HEADER = 16;
  private static final int LONG_HEADER = 48;
  static final int DEVICE_LENGTH = 32;
  private static final int SEGMENT_LENGTH = 28;
  static final int OFFSET_SEGMENT_LENGTH = 32;
  private static final int IDENTIFICATION_DESCRIPTOR = 0xe4;
  private static final int BLOCK_TO_BLOCK = 0x02;
  private static final int BYTES_TO_BYTES = 0x0a;

  /// Decodes the `remaining()` bytes of a list of LID1.
  ///
  /// @param length PARAMETER LIST LENGTH of the CDB
  static CopyList decode(ByteBuffer list, int length, Limits limits) {
    ByteBuffer from = list.slice();
    int available = Math.min(length, from.remaining());
    if (length == 0) {
      return nothing();
    }
    if (available < HEADER) {
      return refused(PARAMETER_LIST_LENGTH_ERROR);
    }
    Lengths lengths =
        new Lengths(
            HEADER,
            Short.toUnsignedInt(from.getShort(2)),
            Integer.toUnsignedLong(from.getInt(8)),
            Integer.toUnsignedLong(from.getInt(12)));
    int listId = Byte.toUnsignedInt(from.get(0));
    return decode(from, available, lengths, limits, new Head(listId, usage(from), false, 0, 0));
  }

  /// Decodes the `remaining()` bytes of a list of LID4.
  ///
  /// @param length PARAMETER LIST LENGTH of the CDB
  static CopyList decodeLong(ByteBuffer list, int length, Limits limits) {
    ByteBuffer from = list.slice();
    int available = Math.min(length, from.remaining());
    if (length == 0) {
      return nothing();
    }
    if (available < LONG_HEADER) {
      return refused(PARAMETER_LIST_LENGTH_ERROR);
    }
    if (from.get(0) != 1) {
      return invalid(0);
    }
    if (from.getShort(2) != 0x20) {
      return invalid(2);
    }
    if ((from.get(15) & 0x02) != 0) {
      return invalid(15); // G_SENSE: no sense data goes with GOOD
    }
    if (Byte.toUnsignedInt(from.get(16)) != 0xff) {
      return invalid(16);
    }
    Lengths lengths =
        new Lengths(
            LONG_HEADER,
            Short.toUnsignedInt(from.getShort(42)),
            Short.toUnsignedInt(from.getShort(44)),
            Short.toUnsignedInt(from.getShort(46)));
    boolean immediate = (from.get(15) & 0x01) != 0;
    return decode(
        from, available, lengths, limits, new Head(from.getInt(20), usage(from), immediate, 20, 1));
  }

  /// @param usage LIST ID USAGE
  /// @param at byte of the identifier
  /// @param first descriptor ID of the first CSCD descriptor: byte 16 + 32 × ID of the list (SPC-4
  ///   table 148), so that ID 0 of LID4 lies in the header
  private record Head(int listId, int usage, boolean immediate, int at, int first) {}

  private record Lengths(int header, int devices, long segments, long inline) {}

  private static Plan nothing() {
    return new Plan(0, false, false, List.of(), List.of());
  }

  private static int usage(ByteBuffer from) {
    return from.get(1) >> 3 & 0x03;
  }

  private static CopyList decode(
      ByteBuffer from, int available, Lengths lengths, Limits limits, Head head) {
    if (lengths.devices() + lengths.segments() > limits.listLengthInBytes()) {
      return refused(PARAMETER_LIST_LENGTH_ERROR);
    }
    if (lengths.devices() % DEVICE_LENGTH != 0) {
      return invalid(lengths.header() == HEADER ? 2 : 42);
    }
    if (lengths.devices() / DEVICE_LENGTH > limits.devices()) {
      return refused(TOO_MANY_CSCD_DESCRIPTORS);
    }
    if (lengths.inline() != 0) {
      return refused(INLINE_DATA_LENGTH_EXCEEDED);
    }
    if (lengths.header() + lengths.devices() + lengths.segments() > available) {
      return refused(PARAMETER_LIST_LENGTH_ERROR);
    }
    if (head.usage() == 1) {
      return invalid(1);
    }
    if (head.usage() == 3 && head.listId() != 0) {
      return invalid(head.at());
    }
    int devicesEnd = lengths.header() + lengths.devices();
    List<Device> devices = new ArrayList<>();
    for (int at = lengths.header(); at < devicesEnd; at += DEVICE_LENGTH) {
      if (Byte.toUnsignedInt(from.get(at)) != IDENTIFICATION_DESCRIPTOR) {
        return refused(UNSUPPORTED_CSCD_DESCRIPTOR_TYPE);
      }
      if (!isNaaOfBlockDevice(from, at)) {
        return invalid(at + 4);
      }
      devices.add(new Device(from.getLong(at + 8), from.getLong(at + 16)));
    }
    return segments(
        from, devicesEnd, devicesEnd + (int) lengths.segments(), limits, new Found(head, devices));
  }

  private record Found(Head head, List<Device> devices) {}

  private static CopyList segments(
      ByteBuffer from, int start, int end, Limits limits, Found found) {
    List<Segment> segments = new ArrayList<>();
    for (int at = start; at < end; ) {
      int type = Byte.toUnsignedInt(from.get(at));
      if (type != BLOCK_TO_BLOCK && type != BYTES_TO_BYTES) {
        return refused(UNSUPPORTED_SEGMENT_DESCRIPTOR_TYPE);
      }
      int length = type == BLOCK_TO_BLOCK ? SEGMENT_LENGTH : OFFSET_SEGMENT_LENGTH;
      if (end - at < length || from.getShort(at + 2) != length - 4) {
        return invalid(at + 2);
      }
      if (segments.size() == limits.segments()) {
        return refused(TOO_MANY_SEGMENT_DESCRIPTORS);
      }
      int first = found.head().first();
      segments.add(type == BLOCK_TO_BLOCK ? inBlocks(from, at, first) : inBytes(from, at, first));
      at += length;
    }
    Head head = found.head();
    return new Plan(head.listId(), head.usage() != 3, head.immediate(), found.devices(), segments);
  }

  /// Null device not set, type 00h, binary code set, NAA of the logical unit, 16 bytes of NAA 6h.
  private static boolean isNaaOfBlockDevice(ByteBuffer from, int at) {
    return (from.get(at + 1) & 0x3f) == 0
        && (from.get(at + 4) & 0x0f) == 1
        && (from.get(at + 5) & 0x3f) == 3
        && from.get(at + 7) == 16;
  }

  private static Segment inBlocks(ByteBuffer from, int at, int first) {
    return new Segment(
        device(from.getShort(at + 4), first),
        device(from.getShort(at + 6), first),
        (long) Short.toUnsignedInt(from.getShort(at + 10)) * BLOCK,
        offset(from.getLong(at + 12), 0),
        offset(from.getLong(at + 20), 0));
  }

  private static Segment inBytes(ByteBuffer from, int at, int first) {
    return new Segment(
        device(from.getShort(at + 4), first),
        device(from.getShort(at + 6), first),
        Integer.toUnsignedLong(from.getInt(at + 8)),
        offset(from.getLong(at + 12), Short.toUnsignedInt(from.getShort(at + 28))),
        offset(from.getLong(at + 20), Short.toUnsignedInt(from.getShort(at + 30))));
  }

  private static int device(short field, int first) {
    int id = Short.toUnsignedInt(field);
    return id == CopyList.SELF ? id : id < first ? CopyList.UNLISTED : id - first;
  }

  private static long offset(long lba, int bytes) {
    return lba < 0 || lba >= Long.MAX_VALUE / BLOCK - 0xffff ? Long.MAX_VALUE : lba * BLOCK + bytes;
  }

  private static Refused invalid(int index) {
    return new Refused(SenseData.invalidParameter(index));
  }

  private static Refused refused(AdditionalSense additional) {
    return new Refused(SenseData.illegalRequest(additional));
  }
}
