package io.coppice.vasa.volume.store;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.ChangeTopic;
import io.coppice.vasa.event.NewChange;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.volume.Labels;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeChoice;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Changes of volumes and snapshots, as the history of changes has them.
public final class VolumeChanges {

  private static final int LONGEST_NAME = 200;

  private VolumeChanges() {}

  /// A change of a volume or snapshot.
  ///
  /// @param message last part of the key of its sentence, without `Volume` or `Snapshot`
  /// @param parameters others than the volume itself
  public static NewChange of(
      VirtualVolume volume, ChangeKind kind, String message, Map<String, String> parameters) {
    ObjectType type = volume.snapshot() ? ObjectType.SNAPSHOT : ObjectType.VOLUME;
    Map<String, String> all = new HashMap<>(parameters);
    all.put(volume.snapshot() ? "snapshot" : "volume", name(volume));
    return NewChange.of(
            ChangeTopic.VOLUME,
            kind,
            new NewChange.Subject(type, volume.id().toString(), type.text() + message),
            all)
        .in(volume.container());
  }

  /// A volume was made.
  ///
  /// @param container as a sentence names it
  public static NewChange made(VirtualVolume volume, String container) {
    return of(volume, ChangeKind.NEW, "New", Map.of("size", size(volume), "container", container));
  }

  /// A volume was made as a clone.
  ///
  /// @param container as a sentence names it
  public static NewChange cloned(VirtualVolume volume, VirtualVolume source, String container) {
    return of(
        volume,
        ChangeKind.NEW,
        "Cloned",
        Map.of("size", size(volume), "container", container, "source", name(source)));
  }

  /// A volume was made of what another one held at a point.
  ///
  /// @param container as a sentence names it
  public static NewChange clonedAt(
      VirtualVolume volume, VirtualVolume source, String container, Instant point) {
    return of(
        volume,
        ChangeKind.NEW,
        "ClonedAt",
        Map.of(
            "size",
            size(volume),
            "container",
            container,
            "source",
            name(source),
            "point",
            point.toString()));
  }

  /// A snapshot was taken.
  ///
  /// @param parent the volume; null if it is gone
  public static NewChange taken(VirtualVolume snapshot, @Nullable VirtualVolume parent) {
    return of(
        snapshot,
        ChangeKind.NEW,
        "New",
        Map.of("volume", parent == null ? String.valueOf(snapshot.parent()) : name(parent)));
  }

  /// Pairs of metadata came, changed or went: labels are a change of their own.
  ///
  /// @param keys that were altered
  public static List<NewChange> metadata(
      VirtualVolume before, SortedSet<String> keys, Map<String, String> put) {
    SortedSet<String> labels = new TreeSet<>(keys);
    labels.removeIf(key -> !Labels.isLabel(key));
    SortedSet<String> others = new TreeSet<>(keys);
    others.removeAll(labels);
    List<NewChange> changes = new ArrayList<>();
    if (!others.isEmpty()) {
      changes.add(others(before, others, put));
    }
    if (!labels.isEmpty()) {
      changes.add(labels(before, labels, put));
    }
    return changes;
  }

  private static NewChange labels(
      VirtualVolume before, SortedSet<String> keys, Map<String, String> put) {
    Map<String, String> set = new HashMap<>(put);
    set.keySet().retainAll(keys);
    String text =
        Stream.concat(
                Labels.in(set).entrySet().stream()
                    .map(label -> "%s=%s".formatted(label.getKey(), label.getValue())),
                keys.stream()
                    .filter(key -> !put.containsKey(key))
                    .map(key -> "%s removed".formatted(Labels.keyOf(key))))
            .collect(Collectors.joining(", "));
    return of(before, ChangeKind.UPDATE, "Labels", Map.of("labels", shortened(text)));
  }

  private static NewChange others(
      VirtualVolume before, SortedSet<String> keys, Map<String, String> put) {
    String from = before.metadata().get(VolumeChoice.NAME_KEY);
    String to = put.get(VolumeChoice.NAME_KEY);
    if (keys.size() == 1 && keys.contains(VolumeChoice.NAME_KEY) && from != null && to != null) {
      return of(
          before,
          ChangeKind.UPDATE,
          "Renamed",
          Map.of("from", shortened(from), "to", shortened(to)));
    }
    return of(
        before, ChangeKind.UPDATE, "Metadata", Map.of("keys", shortened(String.join(", ", keys))));
  }

  /// The keys whose values a change of metadata alters.
  public static SortedSet<String> altered(
      VirtualVolume before, Map<String, String> put, Iterable<String> removed) {
    SortedSet<String> keys = new TreeSet<>();
    put.forEach(
        (key, value) -> {
          if (!Objects.equals(before.metadata().get(key), value)) {
            keys.add(key);
          }
        });
    for (String key : removed) {
      if (before.metadata().containsKey(key)) {
        keys.add(key);
      }
    }
    return keys;
  }

  /// The name of a volume in a sentence: its own with its id, or the id alone.
  public static String name(VirtualVolume volume) {
    String name = volume.metadata().get(VolumeChoice.NAME_KEY);
    return name == null || name.isBlank()
        ? volume.id().toString()
        : "%s (%s)".formatted(shortened(name), volume.id());
  }

  /// As [#name(VirtualVolume)], of one that may be gone.
  public static String name(VolumeStore store, @Nullable VolumeId id) {
    return id == null
        ? "an unknown volume"
        : store.rows().find(id).map(VolumeChanges::name).orElse(id.toString());
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST_NAME ? text : text.substring(0, LONGEST_NAME) + "…";
  }

  private static String size(VirtualVolume volume) {
    return Long.toString(volume.sizeInBytes());
  }
}
