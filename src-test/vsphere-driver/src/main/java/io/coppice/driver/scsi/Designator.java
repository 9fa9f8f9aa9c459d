package io.coppice.driver.scsi;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/// A designation descriptor of VPD page 83h, SPC-5 §7.7.6. `hex` is the designator in lower case
/// hex.
public record Designator(int codeSet, int association, int type, String hex) {
  public static final int TYPE_NAA = 3;
  public static final int TYPE_UUID = 0xA;

  /// The `naa.…` text of a logical unit's NAA designator.
  public static Optional<String> naaOf(List<Designator> page) {
    return page.stream()
        .filter(d -> d.association == 0 && d.type == TYPE_NAA)
        .map(d -> "naa." + d.hex)
        .findFirst();
  }

  static List<Designator> decodePage(ByteBuffer b) {
    VpdPages.require(b, 0x83);
    int end = 4 + Short.toUnsignedInt(b.getShort(2));
    if (end > b.remaining()) {
      throw new IllegalArgumentException(
          "VPD page 83h announces %d bytes, got %d".formatted(end, b.remaining()));
    }
    List<Designator> found = new ArrayList<>();
    int at = 4;
    while (at + 4 <= end) {
      byte[] bytes = new byte[Byte.toUnsignedInt(b.get(at + 3))];
      b.get(at + 4, bytes);
      found.add(
          new Designator(
              b.get(at) & 0x0F,
              (b.get(at + 1) & 0x30) >> 4,
              b.get(at + 1) & 0x0F,
              HexFormat.of().formatHex(bytes)));
      at += 4 + bytes.length;
    }
    return List.copyOf(found);
  }
}
