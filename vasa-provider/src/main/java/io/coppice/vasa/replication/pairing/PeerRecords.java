package io.coppice.vasa.replication.pairing;

import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import io.coppice.replication.PoolName;
import io.coppice.scsi.secret.SecretBox;
import io.coppice.scsi.secret.SecretsLockedException;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ServedCertificate;
import java.security.cert.CertificateException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/// The pool's records of its peers: `replication/peer/POOL` is lines of text: time of the pairing,
/// address, name, then in Base64 of its sealed form each: key and certificate for links,
/// certificate of the authority, and key of the authority or nothing.
///
/// The keys cannot be read with the pool alone. Without the key of the box, or with another one, a
/// peer is known, and its links are locked. Safe for any thread.
public final class PeerRecords {

  private static final String PREFIX = "replication/peer/";
  private static final int LINES = 6;

  private final PoolRecords records;
  private final SecretBox box;
  private final AtomicLong changes = new AtomicLong();

  /// @param box that seals the keys
  public PeerRecords(PoolRecords records, SecretBox box) {
    this.records = records;
    this.box = box;
  }

  /// Whether a pool has such records. Asks for no key.
  public static boolean any(PoolRecords records) {
    return !records.withPrefix(PREFIX).isEmpty();
  }

  /// The peers whose keys can be read, in order of their ids.
  public List<PairedPool> all() {
    List<PairedPool> all = new ArrayList<>();
    records
        .withPrefix(PREFIX)
        .forEach(
            (key, value) -> {
              try {
                all.add(peer(key, value));
              } catch (SecretsLockedException e) {
                // Its links are locked, as #known says.
              }
            });
    return all;
  }

  /// All peers, in order of their ids. Needs no key.
  public List<KnownPeer> known() {
    List<KnownPeer> known = new ArrayList<>();
    records.withPrefix(PREFIX).forEach((key, value) -> known.add(known(key, value)));
    return known;
  }

  /// The peer that a pool is, if it is one. Needs no key.
  public Optional<KnownPeer> known(UUID pool) {
    String key = PREFIX + pool;
    return records.find(key).map(value -> known(key, value));
  }

  private KnownPeer known(String key, String value) {
    try {
      return KnownPeer.of(peer(key, value));
    } catch (SecretsLockedException e) {
      String[] lines = value.split("\n", -1);
      return new KnownPeer(
          new PoolName(id(key), lines[2]),
          lines[1],
          Instant.parse(lines[0]),
          null,
          String.valueOf(e.getMessage()));
    }
  }

  private static UUID id(String key) {
    return UUID.fromString(key.substring(PREFIX.length()));
  }

  /// Checks that keys can be kept.
  ///
  /// @throws SecretsLockedException if the key that seals them is missing
  void requireKey() {
    box.seal(PREFIX, "");
  }

  /// The peer that a pool is, if it is one.
  ///
  /// @throws SecretsLockedException if its keys cannot be read
  public Optional<PairedPool> find(UUID pool) {
    String key = PREFIX + pool;
    return records.find(key).map(value -> peer(key, value));
  }

  /// The number of changes until now: what was made of the peers is as good as this number is.
  public long changes() {
    return changes.get();
  }

  /// Stable on return.
  void put(PairedPool peer) {
    String key = PREFIX + peer.pool().id();
    Issuer issuer = peer.issuer();
    String value =
        String.join(
            "\n",
            peer.paired().toString(),
            peer.address(),
            peer.pool().name(),
            box.seal(key, peer.own().toPem()),
            box.seal(key, Pem.of(peer.authority())),
            issuer == null ? "" : box.seal(key, Pem.of(issuer.served().key())));
    apply(new RecordChange.Put(key, value));
  }

  void remove(UUID pool) {
    apply(new RecordChange.Remove(PREFIX + pool));
  }

  private void apply(RecordChange change) {
    records.apply(OperationId.random(), List.of(change));
    changes.incrementAndGet();
  }

  private PairedPool peer(String key, String value) {
    String[] lines = value.split("\n", -1);
    if (lines.length != LINES) {
      throw new IllegalStateException(
          "expected %d lines in the pool's record %s, got %d".formatted(LINES, key, lines.length));
    }
    try {
      var authority = Pem.certificates(box.open(key, lines[4])).getFirst();
      Issuer issuer =
          lines[5].isEmpty()
              ? null
              : new Issuer(
                  new ServedCertificate(
                      Pem.privateKey(box.open(key, lines[5])), List.of(authority)));
      return new PairedPool(
          new PoolName(id(key), lines[2]),
          lines[1],
          Instant.parse(lines[0]),
          ServedCertificate.fromPem(box.open(key, lines[3])),
          authority,
          issuer);
    } catch (CertificateException e) {
      throw new IllegalStateException(
          "expected the pool's record %s to hold keys and certificates".formatted(key), e);
    }
  }
}
