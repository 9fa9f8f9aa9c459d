package io.coppice.engine.format;

import java.nio.ByteBuffer;
import java.util.UUID;

/// The head of the pool. It names the checkpoint that counts, and the place in the log from which
/// replay goes on.
///
/// | Offset | Bytes | Field |
/// |---|---|---|
/// | 48 | 8 | generation, from 1; the highest intact one counts |
/// | 56, 64, 72 | 8 each | feature bits: incompatible, read-only compatible, compatible |
/// | 80 | 4 | zone size in bytes |
/// | 84 | 4 | zones |
/// | 88 | 8 | time of formatting, milliseconds since 1970 |
/// | 96 | 8 | fencing epoch of the writer; always 0 yet |
/// | 104 | 8 | device offset of the checkpoint's last chunk |
/// | 112, 116 | 4 each | length and CRC32C of that chunk |
/// | 120 to 151 | 32 | [LogPosition] at which replay starts |
/// | 152 | 4 | devices: 1, or 2 of a mirror |
/// | 156 | 24 each | device table: id (16 bytes; the pool's, of a mirror each one's own), size in bytes |
/// | 484 | 4 | only with the feature of mirrors: the device that this superblock is on, 0 or 1 |
/// | 488 | 4 | only with the feature of mirrors: the devices that hold everything, one bit each: bit 0 for device 0 |
/// | 496 | 8 | only with the feature of mirrors: the generation from which on the other device has not everything; 0 if both have |
/// | 504 | 8 | only with the feature of twins: device offset of the second copy of the checkpoint's last chunk; 0: there is none |
///
/// A superblock is one block long, but all bytes from 512 on are zero. So its content fits into one
/// sector, and a crash leaves that sector either old or new.
public record Superblock(
    UUID pool,
    long generation,
    Features features,
    Geometry geometry,
    long createdMillis,
    Root root,
    LogPosition logStart,
    Mirror mirror) {

  /// Length in bytes.
  public static final int LENGTH = PoolLayout.BLOCK;

  private static final int SECOND_AT = 180;
  private static final int MEMBER_AT = 484;
  private static final int WHOLE_AT = 488;
  private static final int BEHIND_AT = 496;
  private static final int TWIN_AT = 504;

  /// Incompatible feature: blocks may have moved. RELOCATE records may be in the log, a segment row
  /// may have no zone, and the table of relocated blocks ends the checkpoint's tables.
  public static final long RELOCATION = 1;

  /// Incompatible feature: maps are paged. Space accounting ends the checkpoint's tables, inner
  /// nodes name the owners of the nodes below them, and nodes may have been moved among segments of
  /// nodes.
  public static final long PAGED_MAPS = 2;

  /// Incompatible feature: the tables of moved and of living blocks are in short form, as
  /// [BlockBits] says.
  public static final long SHORT_BOOKS = 4;

  /// Incompatible feature: metadata is stored twice. A segment of nodes and tables has a second
  /// zone, its twin, with the same bytes at the same blocks. A segment row names the twin, and a
  /// structure that names a chunk also names its second copy.
  public static final long TWINS = 8;

  /// Incompatible feature: segments have pages. The live blocks of a segment of the log and their
  /// places are in a [PageImage] of its own, which the last of the checkpoint's tables names.
  public static final long PAGED_BOOKS = 32;

  /// Incompatible feature: the accounts end the checkpoint's tables, so the maps need not be
  /// searched for what each version holds alone. A subtree that is to be freed is counted, too.
  public static final long ACCOUNTS = 1 << 6;

  /// Incompatible feature: blocks that the cleaner moves may be in zones of their own. MOVED
  /// records may be in the log, and segments of survivors among those of data.
  public static final long SURVIVORS = 128;

  /// Incompatible feature: leaves may be in short form, as [LeafRuns] says.
  public static final long SHORT_LEAVES = 1 << 8;

  /// Incompatible feature: the table of placements has runs of blocks, not each block.
  public static final long PLACEMENT_RUNS = 1 << 9;

  /// Incompatible feature: the table of placements has a row for each segment, as [PlacementBits]
  /// says, not one for each run of blocks.
  public static final long PACKED_COUNTS = 1 << 12;

  /// Incompatible feature: the pool is kept on two devices, with the same bytes at the same offsets
  /// of both. Their superblocks say which of them holds everything.
  public static final long MIRROR = 16;

  /// Incompatible feature: volumes may be smaller than 1 MiB. Nothing else differs. Programs
  /// without it take the size of such a volume for damage.
  public static final long SMALL_VOLUMES = 1 << 13;

  /// Incompatible feature: volumes may have journals. Changes 14 to 20 may be in the log, hidden
  /// volumes among the volumes, and the table of journals ends the checkpoint's tables.
  public static final long JOURNALS = 1 << 14;

  /// Incompatible feature: several volumes may be reverted together. Change 21 may be in the log.
  public static final long GROUP_REVERTS = 1 << 15;

  /// Incompatible features that this code knows.
  public static final long KNOWN_INCOMPATIBLE =
      RELOCATION
          | PAGED_MAPS
          | SHORT_BOOKS
          | TWINS
          | MIRROR
          | PAGED_BOOKS
          | ACCOUNTS
          | SURVIVORS
          | SHORT_LEAVES
          | PLACEMENT_RUNS
          | PACKED_COUNTS
          | SMALL_VOLUMES
          | JOURNALS
          | GROUP_REVERTS;

  /// Features that a pool has only if it needs them.
  private static final long ON_DEMAND = MIRROR | SMALL_VOLUMES | JOURNALS | GROUP_REVERTS;

  /// The feature bits. A program that does not know an incompatible one must not open the pool; one
  /// that does not know a read-only compatible one must not write it.
  public record Features(long incompatible, long readOnlyCompatible, long compatible) {

    /// Whether blocks may have moved.
    public boolean hasRelocation() {
      return (incompatible & RELOCATION) != 0;
    }

    /// Whether the tables have space accounting, so that nothing has to be counted in the maps.
    public boolean hasPagedMaps() {
      return (incompatible & PAGED_MAPS) != 0;
    }

    /// Whether moved and living blocks are in short form.
    public boolean hasShortBooks() {
      return (incompatible & SHORT_BOOKS) != 0;
    }

    /// Whether segments of nodes and tables may have a second zone.
    public boolean hasTwins() {
      return (incompatible & TWINS) != 0;
    }

    /// Whether a page says what lives in a segment of the log.
    public boolean hasPagedBooks() {
      return (incompatible & PAGED_BOOKS) != 0;
    }

    /// Whether the tables end with the accounts of versions.
    public boolean hasAccounts() {
      return (incompatible & ACCOUNTS) != 0;
    }

    /// Whether moved blocks may be in zones of their own.
    public boolean hasSurvivors() {
      return (incompatible & SURVIVORS) != 0;
    }

    /// Whether the table of placements has runs.
    public boolean hasPlacementRuns() {
      return (incompatible & PLACEMENT_RUNS) != 0;
    }

    /// Whether the table of placements has a row for each segment.
    public boolean hasPackedCounts() {
      return (incompatible & PACKED_COUNTS) != 0;
    }

    /// Whether the pool is kept on two devices.
    public boolean hasMirror() {
      return (incompatible & MIRROR) != 0;
    }

    /// Whether the tables end with the journals of volumes.
    public boolean hasJournals() {
      return (incompatible & JOURNALS) != 0;
    }

    /// These features with that of journals.
    public Features withJournals() {
      return new Features(incompatible | JOURNALS, readOnlyCompatible, compatible);
    }

    /// Whether several volumes may be reverted together.
    public boolean hasGroupReverts() {
      return (incompatible & GROUP_REVERTS) != 0;
    }

    /// These features with that of group reverts.
    public Features withGroupReverts() {
      return new Features(incompatible | GROUP_REVERTS, readOnlyCompatible, compatible);
    }

    /// The smallest size that a volume may have, in bytes.
    public long smallestVolume() {
      return (incompatible & SMALL_VOLUMES) != 0 ? PoolLayout.BLOCK : 1 << 20;
    }

    /// These features with that of small volumes.
    public Features withSmallVolumes() {
      return new Features(incompatible | SMALL_VOLUMES, readOnlyCompatible, compatible);
    }

    /// These features with that of mirrors.
    public Features mirrored() {
      return new Features(incompatible | MIRROR, readOnlyCompatible, compatible);
    }

    /// These with every feature that a checkpoint of this code uses. The number of devices stays,
    /// and so does the smallest size of a volume.
    public Features current() {
      return new Features(
          incompatible | KNOWN_INCOMPATIBLE & ~ON_DEMAND, readOnlyCompatible, compatible);
    }
  }

  /// The geometry of the pool: zone size in bytes and number of zones.
  public record Geometry(int zoneSize, int zones) {}

  /// The location of the checkpoint's last chunk: device offset, length in bytes, CRC32C.
  ///
  /// @param twin device offset of its second copy, 0 for none
  public record Root(long offset, int length, int crc, long twin) {}

  /// The two devices of a pool.
  ///
  /// @param first and `second`: their ids
  /// @param whole the devices that hold everything: bit 0 the first, bit 1 the second one
  /// @param behind generation from which on the other does not have everything, 0 if both have
  public record Mirror(UUID first, UUID second, int whole, long behind) {

    /// The value for a pool on one device.
    public static final Mirror NONE = new Mirror(new UUID(0, 0), new UUID(0, 0), 0, 0);

    /// Both hold everything.
    public static final int BOTH = 3;

    /// Two new devices that hold everything.
    public static Mirror fresh() {
      return new Mirror(UUID.randomUUID(), UUID.randomUUID(), BOTH, 0);
    }

    /// Whether a device holds everything.
    public boolean isWhole(int member) {
      return (whole >> member & 1) != 0;
    }

    /// Id of a device.
    public UUID id(int member) {
      return member == 0 ? first : second;
    }

    /// A copy in which only one holds everything: from this generation on, if both did until now.
    public Mirror alone(int member, long generation) {
      return whole == 1 << member ? this : new Mirror(first, second, 1 << member, generation);
    }

    /// A copy in which both hold everything.
    public Mirror both() {
      return new Mirror(first, second, BOTH, 0);
    }

    /// A copy with another device in the place of one.
    public Mirror with(int member, UUID id) {
      return new Mirror(member == 0 ? id : first, member == 1 ? id : second, whole, behind);
    }
  }

  /// A superblock of a pool on one device.
  public Superblock(
      UUID pool,
      long generation,
      Features features,
      Geometry geometry,
      long createdMillis,
      Root root,
      LogPosition logStart) {
    this(pool, generation, features, geometry, createdMillis, root, logStart, Mirror.NONE);
  }

  /// The devices that hold everything, by the newest superblock of each of two: those of which both
  /// say so. A failed device does not know that it failed. A filled one says that both do before
  /// the other one, which went on alone, says so too.
  ///
  /// @return one bit each, as in [Mirror]; 0 if each says that it alone does
  public static int whole(Superblock first, Superblock second) {
    return first.mirror.whole & second.mirror.whole;
  }

  /// The next one, of another checkpoint.
  public Superblock next(Features now, Root newRoot, LogPosition newStart) {
    return new Superblock(
        pool, generation + 1, now, geometry, createdMillis, newRoot, newStart, mirror);
  }

  /// The next one, of the same checkpoint on other devices.
  public Superblock next(Mirror devices) {
    return new Superblock(
        pool,
        generation + 1,
        features.mirrored(),
        geometry,
        createdMillis,
        root,
        logStart,
        devices);
  }

  /// As below, for a pool on one device.
  public void encode(ByteBuffer buffer, long self) {
    encode(buffer, self, 0);
  }

  /// Writes the superblock at bytes 0 to [#LENGTH] of `buffer`, for offset `self` of a device.
  ///
  /// @param member the device: 0, or 1 of a mirror
  public void encode(ByteBuffer buffer, long self, int member) {
    for (int i = 0; i < LENGTH; i += 8) {
      buffer.putLong(i, 0);
    }
    buffer.putLong(48, generation);
    buffer.putLong(56, features.incompatible);
    buffer.putLong(64, features.readOnlyCompatible);
    buffer.putLong(72, features.compatible);
    buffer.putInt(80, geometry.zoneSize);
    buffer.putInt(84, geometry.zones);
    buffer.putLong(88, createdMillis);
    buffer.putLong(104, root.offset);
    buffer.putInt(112, root.length);
    buffer.putInt(116, root.crc);
    logStart.encode(buffer, 120);
    buffer.putInt(152, features.hasMirror() ? 2 : 1);
    encodeDevice(buffer, 156, features.hasMirror() ? mirror.first : pool);
    if (features.hasMirror()) {
      encodeDevice(buffer, SECOND_AT, mirror.second);
      buffer.putInt(MEMBER_AT, member);
      buffer.putInt(WHOLE_AT, mirror.whole);
      buffer.putLong(BEHIND_AT, mirror.behind);
    }
    buffer.putLong(TWIN_AT, features.hasTwins() ? root.twin : 0);
    StructureHeader.seal(buffer, StructureHeader.SUPERBLOCK, pool, self, LENGTH);
  }

  private void encodeDevice(ByteBuffer buffer, int at, UUID id) {
    buffer.putLong(at, id.getMostSignificantBits());
    buffer.putLong(at + 8, id.getLeastSignificantBits());
    buffer.putLong(at + 16, PoolLayout.zoneOffset(geometry.zones, geometry.zoneSize));
  }

  /// The device that an intact slot of this format version says that it is on.
  public static int memberOf(ByteBuffer slot) {
    return (slot.getLong(56) & MIRROR) == 0 ? 0 : slot.getInt(MEMBER_AT);
  }

  /// Whether the slot carries a superblock's magic, intact or not.
  public static boolean hasMagic(ByteBuffer slot) {
    return slot.getLong(0) == StructureHeader.SUPERBLOCK;
  }

  /// The format version a slot with magic claims.
  public static int versionOf(ByteBuffer slot) {
    return slot.getInt(StructureHeader.VERSION_AT);
  }

  /// The generation of an intact slot; every format version has it at this place.
  public static long generationOf(ByteBuffer slot) {
    return slot.getLong(48);
  }

  /// Whether the slot is intact and belongs at device offset `self`, whatever its version.
  public static boolean isIntact(ByteBuffer slot, long self) {
    return hasMagic(slot)
        && slot.getLong(StructureHeader.SELF_AT) == self
        && StructureHeader.lengthOf(slot) == LENGTH
        && StructureHeader.crcMatches(slot);
  }

  /// Reads an intact slot of this format version.
  public static Superblock decode(ByteBuffer slot) {
    Features features = new Features(slot.getLong(56), slot.getLong(64), slot.getLong(72));
    return new Superblock(
        StructureHeader.poolOf(slot),
        slot.getLong(48),
        features,
        new Geometry(slot.getInt(80), slot.getInt(84)),
        slot.getLong(88),
        new Root(
            slot.getLong(104),
            slot.getInt(112),
            slot.getInt(116),
            features.hasTwins() ? slot.getLong(TWIN_AT) : 0),
        LogPosition.decode(slot, 120),
        features.hasMirror() ? mirror(slot) : Mirror.NONE);
  }

  private static Mirror mirror(ByteBuffer slot) {
    return new Mirror(
        new UUID(slot.getLong(156), slot.getLong(164)),
        new UUID(slot.getLong(SECOND_AT), slot.getLong(SECOND_AT + 8)),
        slot.getInt(WHOLE_AT),
        slot.getLong(BEHIND_AT));
  }
}
