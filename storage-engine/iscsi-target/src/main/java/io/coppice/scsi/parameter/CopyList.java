package io.coppice.scsi.parameter;

import static io.coppice.scsi.sense.AdditionalSense.INLINE_DATA_LENGTH_EXCEEDED;
import static io.coppice.scsi.sense.AdditionalSense.PARAMETER_LIST_LENGTH_ERROR;
import static io.coppice.scsi.sense.AdditionalSense.TOO_MANY_CSCD_DESCRIPTORS;
import static io.coppice.scsi.sense.AdditionalSense.TOO_MANY_SEGMENT_DESCRIPTORS;
import static io.coppice.scsi.sense.AdditionalSense.UNSUPPORTED_CSCD_DESCRIPTOR_TYPE;
import static io.coppice.scsi.sense.AdditionalSense.UNSUPPORTED_SEGMENT_DESCRIPTOR_TYPE;

import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseData;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// EXTENDED COPY (LID1) parameter list (SPC-4 §6.4.2): identification descriptors E4h with an NAA
/// designator, and block device to block device segments 02h.
public sealed interface CopyList {

  /// A list that we refuse.
  record Refused(SenseData sense) implements CopyList {}

  /// What to copy, in order; nothing if the list is empty. Whether a segment's devices are listed
  /// is for the copy to find out: the segments before it are copied.
  ///
  /// @param listId LIST IDENTIFIER, by which the outcome can be asked for
  record Plan(int listId, List<Device> devices, List<Segment> segments) implements CopyList {
    public Plan {
      devices = List.copyOf(devices);
      segments = List.copyOf(segments);
    }
  }

  /// A copy source or destination: the 16 bytes of its NAA designator.
  record Device(long naaHigh, long naaLow) {}

  /// @param source index of a device
  /// @param destination index of a device
  /// @param blocks 0 to 65535
  record Segment(int source, int destination, int blocks, long sourceLba, long destinationLba) {}

  /// Most descriptors of each kind.
  record Limits(int devices, int segments) {

    /// MAXIMUM DESCRIPTOR LIST LENGTH: as many descriptors of both kinds as there may be.
    public int listLengthInBytes() {
      return devices * DEVICE_LENGTH + segments * SEGMENT_LENGTH;
    }
  }

  int HEADER = 16;
  int DEVICE_LENGTH = 32;
  int SEGMENT_LENGTH = 28;
  int IDENTIFICATION_DESCRIPTOR = 0xe4;
  int BLOCK_TO_BLOCK = 0x02;

  /// Decodes `remaining()` bytes.
  ///
  /// @param length PARAMETER LIST LENGTH of the CDB
  static CopyList decode(ByteBuffer list, int length, Limits limits) {
    if (length == 0) {
      return new Plan(0, List.of(), List.of());
    }
    ByteBuffer from = list.slice();
    int available = Math.min(length, from.remaining());
    if (available < HEADER) {
      return refused(PARAMETER_LIST_LENGTH_ERROR);
    }
    int devicesLength = Short.toUnsignedInt(from.getShort(2));
    long segmentsLength = Integer.toUnsignedLong(from.getInt(8));
    if (devicesLength + segmentsLength > limits.listLengthInBytes()) {
      return refused(PARAMETER_LIST_LENGTH_ERROR);
    }
    if (devicesLength % DEVICE_LENGTH != 0) {
      return new Refused(SenseData.invalidParameter(2));
    }
    if (devicesLength / DEVICE_LENGTH > limits.devices()) {
      return refused(TOO_MANY_CSCD_DESCRIPTORS);
    }
    if (segmentsLength / SEGMENT_LENGTH > limits.segments()) {
      return refused(TOO_MANY_SEGMENT_DESCRIPTORS);
    }
    if (from.getInt(12) != 0) {
      return refused(INLINE_DATA_LENGTH_EXCEEDED);
    }
    if (HEADER + devicesLength + segmentsLength > available) {
      return refused(PARAMETER_LIST_LENGTH_ERROR);
    }
    int devicesEnd = HEADER + devicesLength;
    return decode(from, devicesEnd, devicesEnd + (int) segmentsLength);
  }

  private static CopyList decode(ByteBuffer from, int devicesEnd, int segmentsEnd) {
    List<Device> devices = new ArrayList<>();
    for (int at = HEADER; at < devicesEnd; at += DEVICE_LENGTH) {
      if (Byte.toUnsignedInt(from.get(at)) != IDENTIFICATION_DESCRIPTOR) {
        return refused(UNSUPPORTED_CSCD_DESCRIPTOR_TYPE);
      }
      if (!isNaaOfBlockDevice(from, at)) {
        return new Refused(SenseData.invalidParameter(at + 4));
      }
      devices.add(new Device(from.getLong(at + 8), from.getLong(at + 16)));
    }
    List<Segment> segments = new ArrayList<>();
    for (int at = devicesEnd; at < segmentsEnd; at += SEGMENT_LENGTH) {
      if (Byte.toUnsignedInt(from.get(at)) != BLOCK_TO_BLOCK) {
        return refused(UNSUPPORTED_SEGMENT_DESCRIPTOR_TYPE);
      }
      if (at + SEGMENT_LENGTH > segmentsEnd || from.getShort(at + 2) != SEGMENT_LENGTH - 4) {
        return new Refused(SenseData.invalidParameter(at + 2));
      }
      segments.add(segment(from, at));
    }
    return new Plan(Byte.toUnsignedInt(from.get(0)), devices, segments);
  }

  /// Null device not set, type 00h, binary code set, NAA of the logical unit, 16 bytes of NAA 6h.
  private static boolean isNaaOfBlockDevice(ByteBuffer from, int at) {
    return (from.get(at + 1) & 0x3f) == 0
        && (from.get(at + 4) & 0x0f) == 1
        && (from.get(at + 5) & 0x3f) == 3
        && from.get(at + 7) == 16;
  }

  private static Segment segment(ByteBuffer from, int at) {
    return new Segment(
        Short.toUnsignedInt(from.getShort(at + 4)),
        Short.toUnsignedInt(from.getShort(at + 6)),
        Short.toUnsignedInt(from.getShort(at + 10)),
        positive(from.getLong(at + 12)),
        positive(from.getLong(at + 20)));
  }

  private static long positive(long value) {
    return value < 0 ? Long.MAX_VALUE : value;
  }

  private static Refused refused(AdditionalSense additional) {
    return new Refused(SenseData.illegalRequest(additional));
  }
}
