package io.coppice.engine.testing;

import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a volume must hold: a number per 512-byte sector, and the writes of which nobody knows
/// whether they happened.
///
/// Number 0 is a sector of zeros; any other stands for content made from it and the sector's
/// origin.
final class ModelVolume {

  static final int SECTOR = 512;

  private final VolumeId id;
  private final VolumeKind kind;
  private final @Nullable VolumeId origin;
  private final VolumeId family;
  private boolean reserved;
  private int[] numbers;
  private Map<String, String> attributes = new HashMap<>();
  private final List<Unknown> unknown = new ArrayList<>();

  /// A write that may have happened as a whole, or not at all.
  record Unknown(int firstSector, int[] numbers) {

    boolean overlaps(int first, int count) {
      return first < firstSector + numbers.length && firstSector < first + count;
    }
  }

  /// An empty volume, the first of its family.
  ModelVolume(VolumeId id, int sectors, boolean reserved) {
    this.id = id;
    this.kind = VolumeKind.WRITABLE;
    this.origin = null;
    this.family = id;
    this.reserved = reserved;
    this.numbers = new int[sectors];
  }

  private ModelVolume(VolumeId id, VolumeKind kind, ModelVolume from) {
    this.id = id;
    this.kind = kind;
    this.origin = from.id;
    this.family = from.family;
    this.numbers = from.numbers.clone();
    this.unknown.addAll(from.unknown);
  }

  /// Another volume with the same content, and the same open questions; thin.
  ModelVolume copy(VolumeId newId, VolumeKind newKind) {
    return new ModelVolume(newId, newKind, this);
  }

  VolumeId id() {
    return id;
  }

  VolumeKind kind() {
    return kind;
  }

  @Nullable VolumeId origin() {
    return origin;
  }

  boolean isRelatedTo(ModelVolume other) {
    return family.equals(other.family);
  }

  boolean reserved() {
    return reserved;
  }

  void reserved(boolean now) {
    reserved = now;
  }

  int sectors() {
    return numbers.length;
  }

  long sizeInBytes() {
    return (long) numbers.length * SECTOR;
  }

  Map<String, String> attributes() {
    return attributes;
  }

  void attributes(Map<String, String> now) {
    attributes = new HashMap<>(now);
  }

  int[] numbers(int first, int count) {
    return Arrays.copyOfRange(numbers, first, first + count);
  }

  void set(int first, int[] written) {
    System.arraycopy(written, 0, numbers, first, written.length);
  }

  void become(ModelVolume other) {
    numbers = other.numbers.clone();
    unknown.clear();
    unknown.addAll(other.unknown);
  }

  void resize(int sectors) {
    numbers = Arrays.copyOf(numbers, sectors);
  }

  void doubt(Unknown write) {
    unknown.add(write);
  }

  void settle(Unknown write, boolean happened) {
    unknown.remove(write);
    if (happened) {
      set(write.firstSector(), write.numbers());
    }
  }

  boolean isCertain() {
    return unknown.isEmpty();
  }

  boolean isCertain(int first, int count) {
    return unknown.stream().noneMatch(write -> write.overlaps(first, count));
  }

  /// Compares what was read with what must be there, and learns from it which open writes happened.
  ///
  /// @return what is wrong, or null
  @Nullable String learn(ByteBuffer content) {
    for (Iterator<Unknown> each = unknown.iterator(); each.hasNext(); ) {
      Unknown write = each.next();
      boolean happened = holds(content, write.firstSector(), write.numbers());
      if (happened) {
        set(write.firstSector(), write.numbers());
      }
      each.remove();
    }
    for (int sector = 0; sector < numbers.length; sector++) {
      if (!holds(content, sector, new int[] {numbers[sector]})) {
        return "%s %s sector %d: expected number %d, found %s"
            .formatted(kind, id, sector, numbers[sector], describe(content, sector));
      }
    }
    return null;
  }

  private static boolean holds(ByteBuffer content, int first, int[] expected) {
    for (int i = 0; i < expected.length; i++) {
      ByteBuffer found = content.slice((first + i) * SECTOR, SECTOR);
      if (!found.equals(sector(expected[i]))) {
        return false;
      }
    }
    return true;
  }

  private static String describe(ByteBuffer content, int sector) {
    long first = content.getLong(sector * SECTOR);
    return first == 0 ? "zeros" : "number " + first;
  }

  /// The 512 bytes that a number stands for.
  static ByteBuffer sector(int number) {
    ByteBuffer bytes = ByteBuffer.allocate(SECTOR);
    if (number != 0) {
      for (int i = 0; i < SECTOR / Long.BYTES; i++) {
        bytes.putLong(i * Long.BYTES, i == 0 ? number : number * 0x9E3779B97F4A7C15L + i);
      }
    }
    return bytes;
  }

  /// The bytes of a run of sectors.
  static ByteBuffer content(int[] numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(numbers.length * SECTOR);
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] != 0) {
        bytes.put(i * SECTOR, sector(numbers[i]), 0, SECTOR);
      }
    }
    return bytes;
  }
}
