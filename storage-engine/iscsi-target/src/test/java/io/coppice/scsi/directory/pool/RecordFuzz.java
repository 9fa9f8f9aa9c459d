package io.coppice.scsi.directory.pool;

import static io.coppice.fuzz.Decoder.check;

import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.RecordChange;
import io.coppice.engine.VolumeId;
import io.coppice.fuzz.Decoder;
import io.coppice.fuzz.FuzzTarget;
import io.coppice.fuzz.FuzzTarget.Bounds;
import io.coppice.scsi.reservation.ReservationRecords;
import io.coppice.scsi.reservation.Reservations;
import io.coppice.scsi.secret.SecretBox;
import io.coppice.scsi.secret.SecretRecords;
import io.coppice.scsi.transport.SecondaryIdForm;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/// What the directory and the reservations read from the pool, for the fuzzer: records as
/// `key=value`, each ended by a zero byte. One that cannot be read must be refused by its name, and
/// what was read must be written as it was read.
final class RecordFuzz {

  private static final String VOLUME = "11111111-2222-3333-4444-555555555555";
  private static final VolumeId ID = VolumeId.parse(VOLUME);
  private static final String NAME = "iqn.1998-01.com.vmware:esx1";
  private static final Bounds BOUNDS = new Bounds(1 << 16, 512, 20_000, 100);

  private static final Duration DAY = Duration.ofDays(1);
  private static final SecretBox BOX = SecretBox.of(new byte[SecretBox.KEY_BYTES]);

  private RecordFuzz() {}

  static List<FuzzTarget> targets() {
    return List.of(directory(), reservations());
  }

  private static FuzzTarget directory() {
    return new Decoder(
        "directory records",
        2000,
        BOUNDS,
        List.of(
            text(
                "scsi/endpoint/001=naa.602c0b11111111112222222222222222",
                "scsi/host/host-1=" + NAME + "\niqn.2026-11.example:b",
                "scsi/chap/" + NAME + "=a secret",
                "scsi/mutual-chap/" + NAME + "=another",
                "scsi/binding/" + VOLUME + "/host-1=1 7 1",
                "scsi/former/" + VOLUME + "/host-1=1 8 1",
                "scsi/retired/001=1790000000",
                "scsi/freed/001/00000009=1790000000",
                "scsi/pool-time=1790000001"),
            text(
                "scsi/freed-lun/00003/" + VOLUME + "/" + NAME + "=1790000000 00023d000000",
                "scsi/last-lun/" + NAME + "=3",
                "scsi/last-lun=3"),
            text("scsi/export/" + VOLUME + "=3 ro\n" + NAME),
            text("scsi/export/" + VOLUME + "=16383 rw\n")),
        tokens(
            "scsi/endpoint/001=",
            "scsi/host/host-1=",
            "scsi/freed/001/",
            "scsi/freed-lun/00003/",
            "scsi/sealed-chap/" + NAME + "=",
            "scsi/chap/" + NAME + "=",
            "scsi/last-lun",
            VOLUME,
            "-1",
            "16777215",
            "16777216",
            "2147483647",
            "9223372036854775807",
            "31556889864403199",
            " rw\n",
            "\0"),
        RecordFuzz::runDirectory);
  }

  private static String runDirectory(byte[] input) {
    Texts texts = new Texts(input);
    DirectoryRecords records = new DirectoryRecords(texts, SecondaryIdForm.EXTENDED_FLAT);
    Texts written = new Texts(new byte[0]);
    DirectoryState state;
    try {
      state =
          new DirectoryState(
              records, new SecretRecords(texts, BOX), new NumberSpace(0xff_ffff, DAY));
      records.resting().forEach(it -> written.apply(DirectoryRecords.put(it)));
      records.lastSharedLun();
      records.lastLunOf(NAME).ifPresent(it -> written.apply(DirectoryRecords.putLastLun(NAME, it)));
      records.poolTime().ifPresent(it -> written.apply(DirectoryRecords.putPoolTime(it)));
    } catch (IllegalStateException e) {
      return refusal(e);
    }
    records.endpoints().forEach(it -> written.apply(DirectoryRecords.put(it)));
    records.hosts().forEach((host, names) -> written.apply(DirectoryRecords.put(host, names)));
    state.bindings().forEach(it -> written.apply(DirectoryRecords.put(it)));
    records.exports().values().forEach(it -> written.apply(DirectoryRecords.put(it)));
    records.freed().forEach(it -> written.apply(DirectoryRecords.put(it)));
    DirectoryRecords again = new DirectoryRecords(written, SecondaryIdForm.EXTENDED_FLAT);
    check(again.endpoints().equals(records.endpoints()), "the same endpoints", again.endpoints());
    check(again.hosts().equals(records.hosts()), "the same hosts", again.hosts());
    check(again.exports().equals(records.exports()), "the same exports", again.exports());
    check(again.freed().equals(records.freed()), "the same freed numbers", again.freed());
    check(again.resting().equals(records.resting()), "the same rests", again.resting());
    check(
        again.lastLunOf(NAME).equals(records.lastLunOf(NAME)),
        "the same last LUN",
        again.lastLunOf(NAME));
    check(again.poolTime().equals(records.poolTime()), "the same time", again.poolTime());
    DirectoryState restored =
        new DirectoryState(again, new SecretRecords(written, BOX), new NumberSpace(0xff_ffff, DAY));
    check(restored.bindings().equals(state.bindings()), "the same bindings", restored.bindings());
    state.numbers().lowestFree(1, Instant.ofEpochSecond(1_800_000_000), _ -> true);
    state.numbers().wakeUp(1, Instant.ofEpochSecond(1_800_000_000), 10);
    return "%d bindings, %d exports"
        .formatted(Math.min(state.bindings().size(), 2), Math.min(state.exports().size(), 2));
  }

  private static FuzzTarget reservations() {
    String registrant = "1/23d000000000/" + NAME;
    return new Decoder(
        "reservation recs",
        2000,
        BOUNDS,
        List.of(
            text("scsi/registration/" + VOLUME + "/" + registrant + "=00000000000000ab all"),
            text(
                "scsi/registration/" + VOLUME + "/" + registrant + "=00000000000000ab",
                "scsi/reservation/" + VOLUME + "=1 " + registrant),
            text(
                "scsi/registration/" + VOLUME + "/" + registrant + "=00000000000000ab",
                "scsi/reservation/" + VOLUME + "=7")),
        tokens("scsi/registration/" + VOLUME + "/", "/", " all", "-1", "ffffffffffffffff", "\0"),
        RecordFuzz::runReservations);
  }

  private static String runReservations(byte[] input) {
    Texts texts = new Texts(input);
    ReservationRecords records = new ReservationRecords(texts);
    Reservations read;
    try {
      read = records.of(ID);
      records.sweep((volume, who) -> true);
    } catch (IllegalStateException e) {
      return refusal(e);
    }
    Texts written = new Texts(new byte[0]);
    ReservationRecords copy = new ReservationRecords(written);
    copy.change(ID, Reservations.NONE, read);
    Reservations again = copy.of(ID);
    check(again.equals(read), "as written: " + read, again);
    return "%d registrants, %s"
        .formatted(
            Math.min(read.registrations().size(), 2),
            read.holding() == null ? "none" : read.holding().type());
  }

  private static String refusal(IllegalStateException e) {
    String message = String.valueOf(e.getMessage());
    check(message.startsWith("expected "), "a sentence that names the record", message);
    return "refused " + (e.getCause() == null ? message.replaceAll("[0-9]+", "N") : "");
  }

  private static byte[] text(String... records) {
    return (String.join("\0", records) + "\0").getBytes(StandardCharsets.UTF_8);
  }

  private static List<byte[]> tokens(String... texts) {
    return List.of(texts).stream().map(it -> it.getBytes(StandardCharsets.UTF_8)).toList();
  }

  /// Records in memory.
  private static final class Texts implements PoolRecords {
    private final TreeMap<String, String> values = new TreeMap<>();

    Texts(byte[] input) {
      for (String record : new String(input, StandardCharsets.UTF_8).split("\0")) {
        int equals = record.indexOf('=');
        if (equals > 0) {
          values.put(record.substring(0, equals), record.substring(equals + 1));
        }
      }
    }

    @Override
    public Optional<String> find(String key) {
      return Optional.ofNullable(values.get(key));
    }

    @Override
    public NavigableMap<String, String> withPrefix(String prefix) {
      TreeMap<String, String> found = new TreeMap<>();
      values.forEach(
          (key, value) -> {
            if (key.startsWith(prefix)) {
              found.put(key, value);
            }
          });
      return found;
    }

    @Override
    public void apply(OperationId operation, List<RecordChange> changes) {
      changes.forEach(this::apply);
    }

    void apply(RecordChange change) {
      switch (change) {
        case RecordChange.Put(String key, String value) -> values.put(key, value);
        case RecordChange.Remove(String key) -> values.remove(key);
      }
    }
  }
}
