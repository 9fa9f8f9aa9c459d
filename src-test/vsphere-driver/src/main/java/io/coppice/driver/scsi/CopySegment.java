package io.coppice.driver.scsi;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;

/// One block-to-block segment of an EXTENDED COPY(LID1): `blocks` (1–65535) of 512 bytes from the
/// logical unit named `sourceNaa` to the one named `destinationNaa`, both as `naa.…` text.
public record CopySegment(
    String sourceNaa, long sourceLba, String destinationNaa, long destinationLba, int blocks) {
  private static final int HEADER_BYTES = 16;
  private static final int CSCD_BYTES = 32;
  private static final int SEGMENT_BYTES = 28;
  private static final int LOGICAL_BLOCK_BYTES = 512;

  /// LIST ID USAGE 11b: nobody will ask how the copy stands, so several may run at a time.
  private static final byte NO_LIST_ID = 0x18;

  /// The parameter list of an EXTENDED COPY(LID1) with identification CSCD descriptors (E4h) and
  /// block-to-block segment descriptors (02h), SPC-5 §6.4 and §6.5.
  static ByteBuffer parameterList(List<CopySegment> segments) {
    List<String> names =
        segments.stream()
            .flatMap(s -> List.of(s.sourceNaa, s.destinationNaa).stream())
            .distinct()
            .toList();
    ByteBuffer list =
        ByteBuffer.allocate(
            HEADER_BYTES + names.size() * CSCD_BYTES + segments.size() * SEGMENT_BYTES);
    list.put(1, NO_LIST_ID).putShort(2, (short) (names.size() * CSCD_BYTES));
    list.putInt(8, segments.size() * SEGMENT_BYTES);
    list.position(HEADER_BYTES);
    names.forEach(name -> putCscd(list, name));
    for (CopySegment s : segments) {
      s.putSegment(list, names.indexOf(s.sourceNaa), names.indexOf(s.destinationNaa));
    }
    return list.flip();
  }

  private static void putCscd(ByteBuffer list, String naa) {
    byte[] designator = HexFormat.of().parseHex(naa.substring("naa.".length()));
    int start = list.position();
    list.put(start, (byte) 0xE4).put(start + 4, (byte) 0x01).put(start + 5, (byte) 0x03);
    list.put(start + 7, (byte) designator.length).put(start + 8, designator);
    // Device type specific parameters: the disk block length.
    list.put(start + 29, (byte) 0).putShort(start + 30, (short) LOGICAL_BLOCK_BYTES);
    list.position(start + CSCD_BYTES);
  }

  private void putSegment(ByteBuffer list, int source, int destination) {
    int start = list.position();
    list.put(start, (byte) 0x02).putShort(start + 2, (short) (SEGMENT_BYTES - 4));
    list.putShort(start + 4, (short) source).putShort(start + 6, (short) destination);
    list.putShort(start + 10, (short) blocks);
    list.putLong(start + 12, sourceLba).putLong(start + 20, destinationLba);
    list.position(start + SEGMENT_BYTES);
  }
}
