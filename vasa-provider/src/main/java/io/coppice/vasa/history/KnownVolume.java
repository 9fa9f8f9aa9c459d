package io.coppice.vasa.history;

import io.coppice.engine.VolumeId;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// A volume that the history has records of; it may be deleted by now.
///
/// @param container that it is or was in
/// @param machine id of the virtual machine that it was stored for last; null for none
/// @param day the last day, since the epoch, on which something was recorded
public record KnownVolume(VolumeId id, UUID container, @Nullable String machine, long day) {

  private static final String TAB = "\t";
  private static final int FIELDS = 5;

  /// One line of text: a checksum, then the fields.
  String line() {
    String fields =
        String.join(
            TAB,
            id.toString(),
            container.toString(),
            machine == null ? "" : URLEncoder.encode(machine, StandardCharsets.UTF_8),
            Long.toString(day));
    return checksum(fields) + TAB + fields;
  }

  /// The volume of a line; empty if the line is damaged.
  static Optional<KnownVolume> parse(String line) {
    String[] fields = line.split(TAB, -1);
    if (fields.length != FIELDS
        || !fields[0].equals(checksum(line.substring(Math.min(line.length(), 9))))) {
      return Optional.empty();
    }
    try {
      String machine = URLDecoder.decode(fields[3], StandardCharsets.UTF_8);
      return Optional.of(
          new KnownVolume(
              VolumeId.parse(fields[1]),
              UUID.fromString(fields[2]),
              machine.isEmpty() ? null : machine,
              Long.parseLong(fields[4])));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String checksum(String fields) {
    CRC32C crc = new CRC32C();
    crc.update(fields.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }

  /// Whether it stands where `other` stands.
  boolean isPlacedAs(KnownVolume other) {
    return container.equals(other.container) && java.util.Objects.equals(machine, other.machine);
  }
}
