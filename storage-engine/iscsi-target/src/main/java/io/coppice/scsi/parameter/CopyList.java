package io.coppice.scsi.parameter;

import io.coppice.scsi.sense.SenseData;
import java.nio.ByteBuffer;
import java.util.List;

/// The EXTENDED COPY parameter list (LID4: SPC-4 §6.4.2, LID1: §6.5): identification descriptors
/// E4h with an NAA designator, and segments between block devices, 02h in blocks and 0Ah in bytes.
public sealed interface CopyList {

  /// A list that we refuse.
  record Refused(SenseData sense) implements CopyList {}

  /// The segments to copy, in order; none if the list is empty. The copy itself finds out whether a
  /// segment's devices are listed: the segments before it are copied.
  ///
  /// @param listId LIST IDENTIFIER, any 32 bits
  /// @param known whether the outcome may be asked for by that identifier (LIST ID USAGE is not
  ///   11b)
  /// @param immediate IMMED
  record Plan(
      int listId, boolean known, boolean immediate, List<Device> devices, List<Segment> segments)
      implements CopyList {
    public Plan {
      devices = List.copyOf(devices);
      segments = List.copyOf(segments);
    }
  }

  /// A copy source or destination: the 16 bytes of its NAA designator.
  record Device(long naaHigh, long naaLow) {}

  /// @param source index of a device, or [#SELF]
  /// @param destination index of a device, or [#SELF]
  /// @param bytes 0 to 2^32 - 1
  /// @param sourceOffset in bytes; [Long#MAX_VALUE] if it is beyond every medium
  /// @param destinationOffset as `sourceOffset`
  record Segment(
      int source, int destination, long bytes, long sourceOffset, long destinationOffset) {

    /// Whether it is not made of whole blocks.
    public boolean isRagged() {
      return ((bytes | sourceOffset | destinationOffset) & (BLOCK - 1)) != 0;
    }
  }

  /// Most descriptors of each kind.
  record Limits(int devices, int segments) {

    /// MAXIMUM DESCRIPTOR LIST LENGTH: as many descriptors of both kinds as there may be.
    public int listLengthInBytes() {
      return devices * CopyListDecoder.DEVICE_LENGTH
          + segments * CopyListDecoder.OFFSET_SEGMENT_LENGTH;
    }
  }

  /// CSCD descriptor ID of the unit that got the command.
  int SELF = 0xffff;

  /// The index of a device that the list cannot have.
  int UNLISTED = 0xfffe;

  int BLOCK = 512;

  /// Decodes the `remaining()` bytes of a list of LID1.
  ///
  /// @param length PARAMETER LIST LENGTH of the CDB
  static CopyList decode(ByteBuffer list, int length, Limits limits) {
    return CopyListDecoder.decode(list, length, limits);
  }

  /// Decodes the `remaining()` bytes of a list of LID4.
  ///
  /// @param length PARAMETER LIST LENGTH of the CDB
  static CopyList decodeLong(ByteBuffer list, int length, Limits limits) {
    return CopyListDecoder.decodeLong(list, length, limits);
  }
}
