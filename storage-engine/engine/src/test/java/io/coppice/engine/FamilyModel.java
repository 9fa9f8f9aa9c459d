package io.coppice.engine;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What versions hold, computed by looking at everything: maps as plain tables, figures by deleting
/// in a copy.
final class FamilyModel {

  /// An entry of a map; equal only to itself. Several may have one block.
  private static final class Entry {
    private final Object block;

    Entry(Object block) {
      this.block = block;
    }
  }

  private static final class Version {
    private @Nullable Version parent;
    private final List<Version> children = new ArrayList<>();
    private final Map<Long, Entry> map = new TreeMap<>();
    private boolean ghost;
  }

  private Map<VolumeId, Version> heads = new HashMap<>();
  private Set<Version> versions = new HashSet<>();

  Set<VolumeId> volumes() {
    return heads.keySet();
  }

  private Version head(VolumeId id) {
    return java.util.Objects.requireNonNull(heads.get(id));
  }

  private Version childOf(@Nullable Version parent) {
    Version version = new Version();
    versions.add(version);
    if (parent != null) {
      version.parent = parent;
      parent.children.add(version);
      version.map.putAll(parent.map);
    }
    return version;
  }

  void create(VolumeId id) {
    heads.put(id, childOf(null));
  }

  void snapshot(VolumeId volume, VolumeId snapshot) {
    Version cut = head(volume);
    heads.put(snapshot, cut);
    heads.put(volume, childOf(cut));
  }

  /// @param isSnapshot whether the source does not change
  void copy(VolumeId source, VolumeId id, boolean isSnapshot) {
    Version cut = head(source);
    if (isSnapshot) {
      heads.put(id, childOf(cut));
    } else if (cut.parent != null && !cut.parent.ghost && cut.parent.map.equals(cut.map)) {
      heads.put(id, childOf(cut.parent));
    } else {
      heads.put(source, childOf(cut));
      heads.put(id, childOf(cut));
      giveUp(cut);
    }
  }

  void revert(VolumeId volume, VolumeId snapshot) {
    Version given = head(volume);
    heads.put(volume, childOf(head(snapshot)));
    giveUp(given);
  }

  void delete(VolumeId id) {
    Version given = head(id);
    heads.remove(id);
    giveUp(given);
  }

  private void giveUp(Version version) {
    version.ghost = true;
    settle(version);
  }

  private void settle(Version version) {
    Version parent = version.parent;
    if (!version.ghost || version.children.size() > 1) {
      return;
    }
    versions.remove(version);
    if (parent != null) {
      parent.children.remove(version);
    }
    for (Version child : version.children) {
      child.parent = parent;
      if (parent != null) {
        parent.children.add(child);
      }
    }
    if (parent != null) {
      settle(parent);
    }
  }

  // ---- content

  void write(VolumeId id, long first, int blocks) {
    for (int i = 0; i < blocks; i++) {
      head(id).map.put(first + i, new Entry(new Object()));
    }
  }

  void fill(VolumeId id, long first, int blocks) {
    Object block = new Object();
    for (int i = 0; i < blocks; i++) {
      head(id).map.put(first + i, new Entry(block));
    }
  }

  void unmap(VolumeId id, long first, long blocks) {
    head(id).map.keySet().removeIf(at -> at >= first && at < first + blocks);
  }

  void copyRange(VolumeId id, long first, VolumeId source, long from, int blocks) {
    for (int i = 0; i < blocks; i++) {
      Entry entry = head(source).map.get(from + i);
      if (entry == null) {
        head(id).map.remove(first + i);
      } else {
        head(id).map.put(first + i, new Entry(entry.block));
      }
    }
  }

  // ---- figures, in blocks

  long mapped(VolumeId id) {
    return head(id).map.size();
  }

  /// Entries that the version installed and that none but it holds, if it has at most one child.
  long unique(VolumeId id) {
    Version version = head(id);
    if (version.children.size() > 1) {
      return 0;
    }
    Set<Entry> entries = new HashSet<>(version.map.values());
    if (version.parent != null) {
      entries.removeAll(version.parent.map.values());
    }
    version.children.forEach(child -> entries.removeAll(child.map.values()));
    return entries.size();
  }

  /// Blocks that nobody holds any more once this one is deleted.
  long freed(VolumeId id) {
    FamilyModel after = copy();
    after.delete(id);
    return (long) held().size() - after.held().size();
  }

  /// Blocks that any version holds.
  Set<Object> held() {
    Set<Object> blocks = Collections.newSetFromMap(new IdentityHashMap<>());
    versions.forEach(version -> version.map.values().forEach(entry -> blocks.add(entry.block)));
    return blocks;
  }

  private FamilyModel copy() {
    Map<Version, Version> copies = new HashMap<>();
    for (Version version : versions) {
      Version copy = new Version();
      copy.map.putAll(version.map);
      copy.ghost = version.ghost;
      copies.put(version, copy);
    }
    for (Version version : versions) {
      Version copy = java.util.Objects.requireNonNull(copies.get(version));
      version.children.forEach(child -> copy.children.add(copies.get(child)));
      copy.parent = version.parent == null ? null : copies.get(version.parent);
    }
    FamilyModel model = new FamilyModel();
    model.versions = new HashSet<>(copies.values());
    model.heads = new HashMap<>();
    heads.forEach((id, version) -> model.heads.put(id, copies.get(version)));
    return model;
  }
}
