package io.coppice.vasa.replication.group;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.volume.VolumeChoice;
import io.coppice.vasa.volume.store.PoolAttributes;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// The attributes of a volume on their way to the other pool and into a volume there.
///
/// Attributes that a host or an administrator gave the volume go along. Those that are true in one
/// pool alone do not: its container, policy, place in the recycle bin, and the operation that made
/// it.
final class MemberAttributes {

  private static final String TYPE = "coppice.type";
  private static final String ORIGIN = "coppice.origin";
  private static final String CONTAINER = "coppice.container";
  private static final String METADATA = "vasa.";

  /// The id of the volume at the source, which the target tells when it is asked.
  private static final String VOLUME = "coppice.volume";

  private static final String NAME = METADATA + VolumeChoice.NAME_KEY;

  /// Those that matter most: they come first if there is no room for all.
  private static final List<String> FIRST = List.of(TYPE, ORIGIN, PoolAttributes.MACHINE, NAME);

  /// Bytes that a replica's own attributes and the prefixes of these may take.
  private static final int RESERVED_BYTES = 8 << 10;

  /// The target puts a prefix before each name.
  private static final int LONGEST_NAME = StorageEngine.MAX_ATTRIBUTE_NAME_BYTES - 16;

  private static final int MOST = StorageEngine.MAX_ATTRIBUTES_BYTES - RESERVED_BYTES;

  private MemberAttributes() {}

  /// What the target is told.
  static Map<String, String> sent(VolumeInfo info) {
    Map<String, String> sent = new LinkedHashMap<>();
    sent.put(VOLUME, info.id().value().toString());
    int bytes = 0;
    List<String> names =
        info.attributes().keySet().stream()
            .filter(MemberAttributes::isSent)
            .filter(name -> bytes(name) <= LONGEST_NAME)
            .sorted(
                Comparator.<String>comparingInt(name -> FIRST.contains(name) ? 0 : 1)
                    .thenComparing(Comparator.naturalOrder()))
            .toList();
    for (String name : names) {
      String value = info.attributes().getOrDefault(name, "");
      bytes += bytes(name) + bytes(value);
      if (bytes <= MOST) {
        sent.put(name, value);
      }
    }
    return sent;
  }

  private static boolean isSent(String name) {
    return name.equals(TYPE) || name.equals(ORIGIN) || name.startsWith(METADATA);
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /// The volume at the source that a snapshot of a replica was taken of.
  ///
  /// @param told what the source said
  /// @param member taken for the volume's id if the source did not say it
  static VolumeId source(Map<String, String> told, UUID member) {
    try {
      return new VolumeId(UUID.fromString(told.getOrDefault(VOLUME, member.toString())));
    } catch (IllegalArgumentException e) {
      return new VolumeId(member); // said by somebody who is no Coppice of today
    }
  }

  /// The attributes of a volume that is made of a replica.
  ///
  /// @param told what the source said
  static Map<String, String> ofVolume(Map<String, String> told, StorageContainer container) {
    Map<String, String> all = ofVolume(told);
    all.put(CONTAINER, container.id().toString());
    return all;
  }

  /// As [#ofVolume(Map, StorageContainer)], of a volume that is in a container already.
  static Map<String, String> ofVolume(Map<String, String> told) {
    Map<String, String> all = new LinkedHashMap<>(told);
    all.keySet().removeIf(name -> !isSent(name));
    return all;
  }

  /// The same with another name for people.
  static Map<String, String> named(Map<String, String> attributes, String name) {
    Map<String, String> all = new LinkedHashMap<>(attributes);
    all.put(NAME, name);
    return all;
  }

  /// The name for people; the id if there is none.
  static String nameOf(Map<String, String> attributes, Object otherwise) {
    return attributes.getOrDefault(NAME, otherwise.toString());
  }
}
