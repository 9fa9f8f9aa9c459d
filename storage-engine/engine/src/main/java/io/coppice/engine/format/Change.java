package io.coppice.engine.format;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.engine.SnapshotSpec;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.journal.JournalTier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/// A change to the set of volumes, or to the texts that are kept beside them: the content of a
/// CHANGE record. It begins with its kind (1 byte) and an operation id (16); the other fields
/// depend on the kind. Ids are UUIDs; sizes and bytes take 8 bytes, flags 1; texts and lists are
/// stored as in the tables of a [Chunk].
///
/// | Kind | Fields | What happens |
/// |---|---|---|
/// | 1 create | id, size, flag: reserved, list of attributes | a writable volume of holes |
/// | 2 snapshot | list of: source, id, list of attributes | in this order, each a snapshot of what its source holds, of its size, not reserved; the source is its origin |
/// | 3 clone | source, id, flag: reserved, list of attributes | likewise a writable volume |
/// | 4 revert | volume, snapshot | the volume holds what the snapshot holds, and has its size |
/// | 5 resize | volume, size | it has this size, never less than before; what is new are holes |
/// | 6 reserve | volume, flag | it is reserved or not |
/// | 7 delete | volume | it is gone |
/// | 8 attributes | volume, list of attributes to put, list of names to remove | what is to be removed is, then what is to be put is put |
/// | 9 records | list of: 1 (1 byte), key, value, or 2 (1 byte), key | in this order, the record is put, or removed |
/// | 10 copied | bytes | nothing: the COPY records before it changed the destination itself |
/// | 11 stage | volume, id | a volume of kind 2 that holds what the volume holds, with its size and flag, without attributes; the volume is its origin |
/// | 12 adopt | volume, stage, bytes | the volume holds what the stage holds; the stage is gone |
/// | 13 unstage | stage | it is gone |
/// | 14 keep | volume, age, list of: seconds between points (4 bytes), seconds that they are kept (4) | the volume has a journal with these tiers. A tier that it had stays as it is, but for the second number; another one begins with a hidden volume and a first point |
/// | 15 forget | volume | its journal is gone, with its hidden volumes |
/// | 16 cut | age, list of numbers of volumes (4 bytes each) | each tier of the journals of these volumes in which a point is due has one, and loses those that are too old |
/// | 17 draft | number of a volume or hidden volume (4 bytes), id | a volume of kind 2 that holds what that volume holds, with its size; its origin is that volume |
/// | 18 publish | draft, source, id, flag: reserved, list of attributes, number of a tier's hidden volume (4 bytes), offset in its list | a writable volume holds what the draft holds; the draft is gone |
/// | 19 restore | list of: volume, draft, number of a tier's hidden volume (4 bytes), offset in its list | each volume holds what its draft holds, and has its size; the drafts are gone |
/// | 20 trim | moment in milliseconds since 1970, list of numbers of volumes (4 bytes each) | each tier of the journals of these volumes loses its points before that moment, but the newest of them |
/// | 21 group revert | list of: volume, snapshot | each volume holds what its snapshot holds, and has its size |
///
/// Each volume, snapshot, clone, stage and hidden volume that is made takes the next volume number.
/// The time of creation is the time of the batch in which the record ends. The operation and its
/// result go into the table of operations of the next checkpoint, except those of a cut. A revert,
/// adoption or restoring of a volume with a journal makes a point in each tier, a hidden volume of
/// what the volume held then, and a second point one millisecond later. If one record makes them
/// for several volumes, they have the same moments. A stage that is left at the end of the log is
/// not a volume: the next open gives it up.
///
/// A group revert has one volume or more, and none of them twice.
public sealed interface Change {

  OperationId operation();

  record Create(OperationId operation, VolumeSpec spec) implements Change {}

  record Snapshot(OperationId operation, List<SnapshotSpec> specs) implements Change {}

  record Clone(OperationId operation, CloneSpec spec) implements Change {}

  record Revert(OperationId operation, VolumeId volume, VolumeId snapshot) implements Change {}

  /// Reverts of several volumes, all together. Only with the feature of group reverts.
  record GroupRevert(OperationId operation, List<Reverted> volumes) implements Change {}

  /// A volume and the snapshot whose content it gets.
  record Reverted(VolumeId volume, VolumeId snapshot) {}

  record Resize(OperationId operation, VolumeId id, long sizeInBytes) implements Change {}

  record Reserve(OperationId operation, VolumeId id, boolean reserved) implements Change {}

  record Delete(OperationId operation, VolumeId id) implements Change {}

  record Attributes(OperationId operation, VolumeId id, Map<String, String> put, Set<String> remove)
      implements Change {}

  record Records(OperationId operation, List<RecordChange> changes) implements Change {}

  /// The end of a copy of differences. Its COPY records stand before this one, and went onto the
  /// destination itself; if there are none, nothing differed.
  record Copied(OperationId operation, long bytes) implements Change {}

  /// The begin of a hidden version of a volume, `stage`, that COPY records change. Only with the
  /// feature of accounts, like the next two.
  record Stage(OperationId operation, VolumeId volume, VolumeId stage) implements Change {}

  /// The adoption of a volume's complete stage, in which it goes on: `bytes` were copied.
  record Adopt(OperationId operation, VolumeId volume, VolumeId stage, long bytes)
      implements Change {}

  /// The giving up of the stage.
  record Unstage(OperationId operation, VolumeId stage) implements Change {}

  /// The journal of a volume, begun or with other tiers. Only with the feature of journals, like
  /// the next six.
  record Keep(OperationId operation, VolumeId volume, long age, List<JournalTier> tiers)
      implements Change {}

  /// The end of a volume's journal.
  record Forget(OperationId operation, VolumeId volume) implements Change {}

  /// A point of the journals of volumes, given by their numbers, at an age in milliseconds.
  record Cut(OperationId operation, long age, List<Integer> volumes) implements Change {}

  /// The loss of the points before a moment, in milliseconds since 1970, of the journals of
  /// volumes, given by their numbers.
  record Trim(OperationId operation, long moment, List<Integer> volumes) implements Change {}

  /// The begin of a hidden volume with the content of the one with this number.
  record Draft(OperationId operation, int source, VolumeId draft) implements Change {}

  /// A draft that becomes a volume of its own.
  record Publish(OperationId operation, VolumeId draft, CloneSpec spec, Way way)
      implements Change {}

  /// Drafts that become the content of volumes, all together.
  record Restore(OperationId operation, List<Restored> volumes) implements Change {}

  /// A volume and the draft that becomes its content.
  record Restored(VolumeId volume, VolumeId draft, Way way) {}

  /// The place in a journal from which on its list led back to a point.
  ///
  /// @param journal number of the tier's hidden volume
  record Way(int journal, long offset) {}

  /// The bytes of the change.
  default byte[] encode() {
    ByteSink out = new ByteSink(128);
    out.u8(kind()).uuid(operation().value());
    switch (this) {
      case Create(var _, var spec) ->
          out.uuid(spec.id().value())
              .u64(spec.sizeInBytes())
              .flag(spec.reserved())
              .texts(spec.attributes());
      case Snapshot(var _, var specs) -> {
        out.u32(specs.size());
        for (SnapshotSpec spec : specs) {
          out.uuid(spec.source().value()).uuid(spec.id().value()).texts(spec.attributes());
        }
      }
      case Clone(var _, var spec) ->
          out.uuid(spec.source().value())
              .uuid(spec.id().value())
              .flag(spec.reserved())
              .texts(spec.attributes());
      case Revert(var _, var volume, var snapshot) ->
          out.uuid(volume.value()).uuid(snapshot.value());
      case GroupRevert(var _, var volumes) ->
          out.list(volumes, (one, to) -> to.uuid(one.volume.value()).uuid(one.snapshot.value()));
      case Resize(var _, var id, var size) -> out.uuid(id.value()).u64(size);
      case Reserve(var _, var id, var reserved) -> out.uuid(id.value()).flag(reserved);
      case Delete(var _, var id) -> out.uuid(id.value());
      case Attributes(var _, var id, var put, var remove) -> {
        out.uuid(id.value()).texts(put).u32(remove.size());
        new TreeSet<>(remove).forEach(out::text);
      }
      case Records(var _, var changes) -> {
        out.u32(changes.size());
        for (RecordChange change : changes) {
          switch (change) {
            case RecordChange.Put(var key, var value) -> out.u8(1).text(key).text(value);
            case RecordChange.Remove(var key) -> out.u8(2).text(key);
          }
        }
      }
      case Copied(var _, var bytes) -> out.u64(bytes);
      case Stage(var _, var volume, var stage) -> out.uuid(volume.value()).uuid(stage.value());
      case Adopt(var _, var volume, var stage, var bytes) ->
          out.uuid(volume.value()).uuid(stage.value()).u64(bytes);
      case Unstage(var _, var stage) -> out.uuid(stage.value());
      case Keep(var _, var volume, var age, var tiers) ->
          out.uuid(volume.value())
              .u64(age)
              .list(
                  tiers,
                  (tier, to) ->
                      to.u32((int) tier.every().toSeconds()).u32((int) tier.keep().toSeconds()));
      case Forget(var _, var volume) -> out.uuid(volume.value());
      case Cut(var _, var age, var volumes) ->
          out.u64(age).list(volumes, (number, to) -> to.u32(number));
      case Trim(var _, var moment, var volumes) ->
          out.u64(moment).list(volumes, (number, to) -> to.u32(number));
      case Draft(var _, var source, var draft) -> out.u32(source).uuid(draft.value());
      case Publish(var _, var draft, var spec, var way) ->
          out.uuid(draft.value())
              .uuid(spec.source().value())
              .uuid(spec.id().value())
              .flag(spec.reserved())
              .texts(spec.attributes())
              .u32(way.journal)
              .u64(way.offset);
      case Restore(var _, var volumes) -> out.list(volumes, Change::put);
    }
    return out.toBytes();
  }

  private static void put(Restored one, ByteSink to) {
    to.uuid(one.volume.value()).uuid(one.draft.value()).u32(one.way.journal).u64(one.way.offset);
  }

  private int kind() {
    return switch (this) {
      case Create _ -> 1;
      case Snapshot _ -> 2;
      case Clone _ -> 3;
      case Revert _ -> 4;
      case Resize _ -> 5;
      case Reserve _ -> 6;
      case Delete _ -> 7;
      case Attributes _ -> 8;
      case Records _ -> 9;
      case Copied _ -> 10;
      case Stage _ -> 11;
      case Adopt _ -> 12;
      case Unstage _ -> 13;
      case Keep _ -> 14;
      case Forget _ -> 15;
      case Cut _ -> 16;
      case Draft _ -> 17;
      case Publish _ -> 18;
      case Restore _ -> 19;
      case Trim _ -> 20;
      case GroupRevert _ -> 21;
    };
  }

  /// @throws FormatException if the bytes are not a change
  static Change decode(byte[] bytes) {
    ByteSource in = new ByteSource(bytes);
    Change change = decode(in);
    if (!in.isEmpty()) {
      throw new FormatException("expected the end of the change, found more");
    }
    return change;
  }

  private static Change decode(ByteSource in) {
    int kind = in.u8();
    OperationId operation = new OperationId(in.uuid());
    return switch (kind) {
      case 1 -> {
        UUID id = in.uuid();
        long size = in.u64();
        boolean reserved = in.flag();
        yield new Create(operation, new VolumeSpec(new VolumeId(id), size, reserved, in.texts()));
      }
      case 2 -> new Snapshot(operation, snapshots(in));
      case 3 -> {
        VolumeId source = new VolumeId(in.uuid());
        VolumeId id = new VolumeId(in.uuid());
        boolean reserved = in.flag();
        yield new Clone(operation, new CloneSpec(source, id, reserved, in.texts()));
      }
      case 4 -> {
        VolumeId volume = new VolumeId(in.uuid());
        yield new Revert(operation, volume, new VolumeId(in.uuid()));
      }
      case 5 -> {
        VolumeId id = new VolumeId(in.uuid());
        yield new Resize(operation, id, in.u64());
      }
      case 6 -> {
        VolumeId id = new VolumeId(in.uuid());
        yield new Reserve(operation, id, in.flag());
      }
      case 7 -> new Delete(operation, new VolumeId(in.uuid()));
      case 8 -> attributes(operation, in);
      case 9 -> new Records(operation, recordChanges(in));
      case 10 -> new Copied(operation, in.u64());
      case 11 -> {
        VolumeId volume = new VolumeId(in.uuid());
        yield new Stage(operation, volume, new VolumeId(in.uuid()));
      }
      case 12 -> {
        VolumeId volume = new VolumeId(in.uuid());
        VolumeId stage = new VolumeId(in.uuid());
        yield new Adopt(operation, volume, stage, in.u64());
      }
      case 13 -> new Unstage(operation, new VolumeId(in.uuid()));
      case 14 -> {
        VolumeId volume = new VolumeId(in.uuid());
        long age = in.u64();
        yield new Keep(operation, volume, age, in.list(8, Change::tier));
      }
      case 15 -> new Forget(operation, new VolumeId(in.uuid()));
      case 16 -> {
        long age = in.u64();
        yield new Cut(operation, age, in.list(4, ByteSource::u32));
      }
      case 17 -> {
        int source = in.u32();
        yield new Draft(operation, source, new VolumeId(in.uuid()));
      }
      case 18 -> publish(operation, in);
      case 19 -> new Restore(operation, in.list(44, Change::restored));
      case 20 -> {
        long moment = in.u64();
        yield new Trim(operation, moment, in.list(4, ByteSource::u32));
      }
      case 21 -> new GroupRevert(operation, reverted(in));
      default ->
          throw new FormatException("expected a change of kind 1 to 21, found %d".formatted(kind));
    };
  }

  private static List<Reverted> reverted(ByteSource in) {
    List<Reverted> volumes =
        in.list(
            32,
            from -> {
              VolumeId volume = new VolumeId(from.uuid());
              return new Reverted(volume, new VolumeId(from.uuid()));
            });
    long different = volumes.stream().map(Reverted::volume).distinct().count();
    if (volumes.isEmpty() || different < volumes.size()) {
      throw new FormatException(
          "expected volumes to revert, each once, found %d, of them %d different"
              .formatted(volumes.size(), different));
    }
    return volumes;
  }

  private static Restored restored(ByteSource in) {
    VolumeId volume = new VolumeId(in.uuid());
    return new Restored(volume, new VolumeId(in.uuid()), way(in));
  }

  private static JournalTier tier(ByteSource in) {
    int every = in.u32();
    int keep = in.u32();
    try {
      return new JournalTier(Duration.ofSeconds(every), Duration.ofSeconds(keep));
    } catch (IllegalArgumentException e) {
      throw new FormatException(
          "expected a tier of a journal, found %d and %d seconds".formatted(every, keep));
    }
  }

  private static Publish publish(OperationId operation, ByteSource in) {
    VolumeId draft = new VolumeId(in.uuid());
    VolumeId source = new VolumeId(in.uuid());
    VolumeId id = new VolumeId(in.uuid());
    boolean reserved = in.flag();
    CloneSpec spec = new CloneSpec(source, id, reserved, in.texts());
    return new Publish(operation, draft, spec, way(in));
  }

  private static Way way(ByteSource in) {
    int journal = in.u32();
    return new Way(journal, in.u64());
  }

  private static List<SnapshotSpec> snapshots(ByteSource in) {
    int size = in.count(36);
    List<SnapshotSpec> specs = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      VolumeId source = new VolumeId(in.uuid());
      VolumeId id = new VolumeId(in.uuid());
      specs.add(new SnapshotSpec(source, id, in.texts()));
    }
    return specs;
  }

  private static Attributes attributes(OperationId operation, ByteSource in) {
    VolumeId id = new VolumeId(in.uuid());
    Map<String, String> put = in.texts();
    int size = in.count(4);
    Set<String> remove = new TreeSet<>();
    for (int i = 0; i < size; i++) {
      remove.add(in.text());
    }
    return new Attributes(operation, id, put, remove);
  }

  private static List<RecordChange> recordChanges(ByteSource in) {
    int size = in.count(5);
    List<RecordChange> changes = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int kind = in.u8();
      String key = in.text();
      changes.add(
          switch (kind) {
            case 1 -> new RecordChange.Put(key, in.text());
            case 2 -> new RecordChange.Remove(key);
            default ->
                throw new FormatException(
                    "expected a record to be put (1) or removed (2), found %d".formatted(kind));
          });
    }
    return changes;
  }
}
