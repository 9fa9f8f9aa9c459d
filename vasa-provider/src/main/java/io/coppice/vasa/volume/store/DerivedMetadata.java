package io.coppice.vasa.volume.store;

import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeType;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// Pairs of a volume's metadata that repeat known facts: its container and its type. They are
/// written here. A host may send them too, but must not contradict the facts, or searches and
/// clones would go by wrong pairs.
public final class DerivedMetadata {

  static final String CONTAINER = "VMW_ContainerId";
  public static final String TYPE = "VMW_VVolType";

  private DerivedMetadata() {}

  /// A host's metadata of a new volume, with these pairs.
  ///
  /// @throws VasaException (InvalidArgument) if the host's metadata contradicts one of them
  public static Map<String, String> of(Map<String, String> given, UUID container, VolumeType type) {
    check(given, container, type);
    return over(given, container, type);
  }

  /// The metadata of a copy, as in [#of], but overwrites pairs that its host read of the source.
  public static Map<String, String> over(
      Map<String, String> given, UUID container, VolumeType type) {
    Map<String, String> metadata = new HashMap<>(given);
    metadata.put(CONTAINER, container.toString());
    metadata.put(TYPE, type.text());
    return metadata;
  }

  /// @throws VasaException (InvalidArgument) if a change would make one of them wrong or take it
  ///   away
  public static void checkChange(
      Map<String, String> put, Set<String> removed, VirtualVolume volume) {
    check(put, volume.container(), volume.type());
    for (String key : Set.of(CONTAINER, TYPE)) {
      if (removed.contains(key)) {
        throw VasaException.invalidArgument(
            "expected the pair %s to stay, which states what the volume is".formatted(key));
      }
    }
  }

  private static void check(Map<String, String> given, UUID container, VolumeType type) {
    checkOne(given, CONTAINER, container.toString());
    checkOne(given, TYPE, type.text());
  }

  private static void checkOne(Map<String, String> given, String key, String known) {
    String value = given.get(key);
    if (value != null && !value.strip().equalsIgnoreCase(known)) {
      throw VasaException.invalidArgument(
          "expected %s as %s, got '%s'".formatted(known, key, value));
    }
  }
}
