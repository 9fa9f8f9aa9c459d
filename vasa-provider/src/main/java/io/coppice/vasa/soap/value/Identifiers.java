package io.coppice.vasa.soap.value;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.fault.VasaException;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Identifiers as texts on the wire: `rfc4122.<uuid>` of a virtual volume, a plain UUID of a
/// container.
public final class Identifiers {

  private static final String VOLUME_PREFIX = "rfc4122.";

  private Identifiers() {}

  public static String text(VolumeId volume) {
    return VOLUME_PREFIX + volume;
  }

  /// @throws VasaException (InvalidArgument) if it is missing or malformed
  public static VolumeId volume(@Nullable String text) {
    return wellFormedVolume(text)
        .orElseThrow(
            () ->
                VasaException.invalidArgument(
                    "expected a virtual volume id of the form rfc4122.<uuid>, got '%s'"
                        .formatted(text)));
  }

  /// A volume's id if the fault list lacks InvalidArgument: a malformed one names nothing.
  ///
  /// @throws VasaException (NotFound) if it is missing or malformed
  public static VolumeId existingVolume(@Nullable String text) {
    return wellFormedVolume(text)
        .orElseThrow(() -> VasaException.notFound("there is no virtual volume '" + text + "'"));
  }

  public static Optional<VolumeId> wellFormedVolume(@Nullable String text) {
    return text == null || !text.startsWith(VOLUME_PREFIX)
        ? Optional.empty()
        : uuid(text.substring(VOLUME_PREFIX.length())).map(VolumeId::new);
  }

  /// @throws VasaException (InvalidArgument) if it is missing or malformed
  public static UUID container(@Nullable String text) {
    return wellFormedContainer(text)
        .orElseThrow(
            () ->
                VasaException.invalidArgument(
                    "expected the UUID of a storage container, got '%s'".formatted(text)));
  }

  public static Optional<UUID> wellFormedContainer(@Nullable String text) {
    return text == null ? Optional.empty() : uuid(text);
  }

  /// A UUID in its 36-character form only: Java's parser also takes shorter ones.
  private static Optional<UUID> uuid(String text) {
    try {
      UUID uuid = UUID.fromString(text);
      return uuid.toString().equals(text.toLowerCase(Locale.ROOT))
          ? Optional.of(uuid)
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
