package io.coppice.scsi.secret;

import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The records of initiators' secrets.
///
/// | Key | Value |
/// |---|---|
/// | `scsi/sealed-chap/INITIATOR` | the secret it must prove, as [SecretBox] seals it |
/// | `scsi/sealed-mutual-chap/INITIATOR` | the secret by which the target proves itself to it, likewise |
/// | `scsi/chap/INITIATOR`, `scsi/mutual-chap/INITIATOR` | likewise in plain text, of an older version: sealed at the first start with a key |
public final class SecretRecords {

  /// The side that proves itself by a secret.
  public enum Direction {
    /// The initiator.
    OWN("scsi/sealed-chap/", "scsi/chap/"),
    /// The target.
    MUTUAL("scsi/sealed-mutual-chap/", "scsi/mutual-chap/");

    private final String sealed;
    private final String plain;

    Direction(String sealed, String plain) {
      this.sealed = sealed;
      this.plain = plain;
    }
  }

  private final PoolRecords records;
  private final SecretBox box;

  public SecretRecords(PoolRecords records, SecretBox box) {
    this.records = records;
    this.box = box;
  }

  /// Whether the pool holds any secret that needs its key.
  public static boolean holdsSealed(PoolRecords records) {
    for (Direction direction : Direction.values()) {
      if (!records.withPrefix(direction.sealed).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /// @param initiator in lower case
  /// @throws SecretsLockedException without the key
  public RecordChange put(Direction direction, String initiator, String secret) {
    String name = direction.sealed + initiator;
    return new RecordChange.Put(name, box.seal(name, secret));
  }

  /// Needs no key.
  public List<RecordChange> remove(Direction direction, String initiator) {
    return List.of(
        new RecordChange.Remove(direction.sealed + initiator),
        new RecordChange.Remove(direction.plain + initiator));
  }

  public Optional<StoredSecret> find(Direction direction, String initiator) {
    return records
        .find(direction.sealed + initiator)
        .map(text -> opened(direction, initiator, text))
        .or(() -> records.find(direction.plain + initiator).map(StoredSecret.Known::new));
  }

  /// All secrets of a direction, by initiator.
  public Map<String, StoredSecret> all(Direction direction) {
    Map<String, StoredSecret> all = new TreeMap<>();
    each(direction.plain, (initiator, text) -> all.put(initiator, new StoredSecret.Known(text)));
    each(
        direction.sealed,
        (initiator, text) -> all.put(initiator, opened(direction, initiator, text)));
    return all;
  }

  private StoredSecret opened(Direction direction, String initiator, String text) {
    try {
      return new StoredSecret.Known(box.open(direction.sealed + initiator, text));
    } catch (SecretsLockedException e) {
      return new StoredSecret.Locked(e);
    }
  }

  /// The changes that seal every secret that an older version stored in plain text; none if there
  /// is none.
  ///
  /// @throws SecretsLockedException if there is one, but no key
  public List<RecordChange> sealing() {
    List<RecordChange> changes = new ArrayList<>();
    for (Direction direction : Direction.values()) {
      each(
          direction.plain,
          (initiator, text) -> {
            changes.add(put(direction, initiator, text));
            changes.add(new RecordChange.Remove(direction.plain + initiator));
          });
    }
    return changes;
  }

  private interface Row {
    void of(String initiator, String text);
  }

  private void each(String prefix, Row row) {
    records.withPrefix(prefix).forEach((key, text) -> row.of(key.substring(prefix.length()), text));
  }
}
