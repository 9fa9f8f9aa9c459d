package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.PersistentReserve.ALL_REGISTRANTS;
import static io.coppice.scsi.PersistentReserve.APTPL;
import static io.coppice.scsi.PersistentReserve.CLEAR;
import static io.coppice.scsi.PersistentReserve.EXCLUSIVE_ACCESS;
import static io.coppice.scsi.PersistentReserve.IGNORE;
import static io.coppice.scsi.PersistentReserve.PREEMPT;
import static io.coppice.scsi.PersistentReserve.REGISTER;
import static io.coppice.scsi.PersistentReserve.REGISTRANTS_ONLY;
import static io.coppice.scsi.PersistentReserve.RELEASE;
import static io.coppice.scsi.PersistentReserve.RESERVE;
import static io.coppice.scsi.PersistentReserve.WRITE_EXCLUSIVE;
import static io.coppice.scsi.PersistentReserve.assertConflict;
import static io.coppice.scsi.PersistentReserve.assertGood;
import static io.coppice.scsi.PersistentReserve.expected;
import static io.coppice.scsi.PersistentReserve.in;
import static io.coppice.scsi.PersistentReserve.keys;
import static io.coppice.scsi.PersistentReserve.out;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.scsi.Initiator.Reply;
import io.coppice.scsi.transport.ScsiStatus;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// PERSISTENT RESERVE IN and OUT between two hosts; `one` is registered with key 1, `two` with key
/// 2 where a test says so.
class PersistentReservationTest {

  private static final List<Integer> TYPES = List.of(1, 3, 5, 6, 7, 8);
  private static final String TUR = "00 00 00 00 00 00";
  private static final String READ = "28 00 00000000 00 0001 00";
  private static final String WRITE = "2a 00 00000000 00 0001 00";

  private final Fixture fixture = new Fixture();
  private Initiator one;
  private Initiator two;

  @BeforeEach
  void attach() {
    fixture.exported(1 << 20);
    one = fixture.plain();
    two = new Initiator(fixture.target.plain(), OTHER);
    two.settle(LUN_0);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void registeringNeedsTheKeyOneHas() {
    assertConflict(out(one, REGISTER, 0, 7, 1));
    assertGood(out(one, REGISTER, 0, 0, 0));
    assertThat(keys(one)).isEqualTo("00000000" + "00000000");
    assertGood(out(one, REGISTER, 0, 0, 1));
    assertThat(keys(one)).isEqualTo("00000001" + "00000008" + "0000000000000001");
    assertConflict(out(one, REGISTER, 0, 2, 3));
    assertGood(out(one, REGISTER, 0, 1, 3));
    assertGood(out(two, IGNORE, 0, 99, 2));
    assertGood(out(one, IGNORE, 0, 99, 1));
    assertThat(keys(two))
        .isEqualTo("00000004" + "00000010" + "0000000000000001" + "0000000000000002");
    assertGood(out(one, REGISTER, 0, 1, 0));
    assertThat(keys(two)).isEqualTo("00000005" + "00000008" + "0000000000000002");
  }

  @Test
  void replyIsCutAtTheAllocationLength() {
    out(one, REGISTER, 0, 0, 1);

    assertThat(one.send(LUN_0, "5e 00 00 00 00 00 00 0004 00").hex()).isEqualTo("00000001");
    assertThat(one.send(LUN_0, "5e 00 00 00 00 00 00 0000 00").data()).isEmpty();
  }

  @Test
  void capabilitiesNameAllTypesAndWhatIsKept() {
    assertThat(in(one, 2)).isEqualTo("0008" + "15" + "80" + "ea01" + "0000");

    assertGood(out(one, REGISTER, 0, 0, 1, APTPL));

    assertThat(in(one, 2)).isEqualTo("0008" + "15" + "81" + "ea01" + "0000");
  }

  @Test
  void reservationNamesItsHoldersKeyAndType() {
    assertThat(in(one, 1)).isEqualTo("00000000" + "00000000");
    assertConflict(out(one, RESERVE, WRITE_EXCLUSIVE, 0, 0));
    out(one, REGISTER, 0, 0, 1);
    assertConflict(out(one, RESERVE, WRITE_EXCLUSIVE, 9, 0));
    assertGood(out(one, RESERVE, WRITE_EXCLUSIVE, 1, 0));

    assertThat(in(two, 1))
        .isEqualTo("00000001" + "00000010" + "0000000000000001" + "00000000" + "00010000");

    assertGood(out(one, RELEASE, WRITE_EXCLUSIVE, 1, 0));
    assertGood(out(one, RESERVE, ALL_REGISTRANTS, 1, 0));
    assertThat(in(two, 1))
        .as("held by all: no key")
        .isEqualTo("00000001" + "00000010" + "0000000000000000" + "00000000" + "00080000");
  }

  @Test
  void reservationIsTakenOnce() {
    register();

    assertGood(out(one, RESERVE, EXCLUSIVE_ACCESS, 1, 0));

    assertGood(out(one, RESERVE, EXCLUSIVE_ACCESS, 1, 0));
    assertConflict(out(one, RESERVE, WRITE_EXCLUSIVE, 1, 0));
    assertConflict(out(two, RESERVE, EXCLUSIVE_ACCESS, 2, 0));
    assertGood(out(two, RELEASE, EXCLUSIVE_ACCESS, 2, 0));
    assertConflict(two.send(LUN_0, READ));
    assertThat(out(one, RELEASE, WRITE_EXCLUSIVE, 1, 0).code()).isEqualTo("5/26/04");
    assertGood(out(one, RELEASE, EXCLUSIVE_ACCESS, 1, 0));
    assertGood(two.send(LUN_0, READ));
  }

  @Test
  void badScopesTypesAndListsAreRefused() {
    register();

    assertThat(out(one, RESERVE, 0, 1, 0).code()).isEqualTo("5/24/00");
    assertThat(out(one, RESERVE, 2, 1, 0).code()).isEqualTo("5/24/00");
    assertThat(out(one, RESERVE, 0x13, 1, 0).code()).isEqualTo("5/24/00");
    assertThat(one.send(LUN_0, "5f 00 00 0000 00000010 00", new byte[16]).code())
        .isEqualTo("5/1a/00");
    assertThat(out(one, REGISTER, 0, 1, 5, 8).code()).as("SPEC_I_PT").isEqualTo("5/26/00");
    assertThat(one.send(LUN_0, "5f 08 00 0000 00000018 00", new byte[24]).code())
        .isEqualTo("5/24/00");
    assertThat(one.send(LUN_0, "5e 04 00 00 00 00 00 0100 00").code()).isEqualTo("5/24/00");
  }

  /// What commands need: N nothing, R to read, C to change.
  private static Map<String, Character> needs() {
    Map<String, Character> needs = new TreeMap<>();
    for (String cdb :
        new String[] {
          TUR,
          "12 00 00 00 24 00",
          "03 00 00 00 fc 00",
          "a0 00 00 000000 00000100 00 00",
          "a3 0c 00 00 0000 00000100 00 00",
          "a3 0d 00 00 0000 00000100 00 00",
          "a3 0a 00 00 0000 00000100 00 00",
          "25 00 00000000 0000 00 00",
          "9e 10 0000000000000000 00000020 00 00",
          "1b 00 00 00 01 00",
          "5e 01 00 00 00 00 00 0100 00"
        }) {
      needs.put(cdb, 'N');
    }
    for (String cdb :
        new String[] {
          READ,
          "08 00 0000 01 00",
          "88 00 0000000000000000 00000001 00 00",
          "2f 00 00000000 00 0001 00",
          "34 00 00000000 00 0001 00",
          "9e 12 0000000000000000 00000018 00 00",
          "83 10 00000000 00000001 00000000 00 00"
        }) {
      needs.put(cdb, 'R');
    }
    for (String cdb :
        new String[] {
          "1a 00 3f 00 ff 00",
          "35 00 00000000 00 0000 00",
          "84 03 0000000000000000 00000100 00 00",
          "42 00 00000000 00 0000 00",
          "83 00 0000000000000000 00000000 00 00",
          "83 01 0000000000000000 00000000 00 00",
          "83 11 00000000 00000001 00000000 00 00",
          "84 08 0000000000000000 00000100 00 00",
          "15 10 00 00 00 00"
        }) {
      needs.put(cdb, 'C');
    }
    return needs;
  }

  /// SPC-4 table 67 and SBC-3 table 13, by what the nexus is and what the type is.
  @Test
  void commandsConflictAsTheTablesSay() {
    Map<String, Character> needs = needs();
    for (int type : TYPES) {
      register();
      assertGood(out(one, RESERVE, type, 1, 0));
      boolean registrantsServed = type >= 5;
      boolean readsServed = type == 1 || type == 5 || type == 7;
      for (Map.Entry<String, Character> need : needs.entrySet()) {
        String what = "type %d, %s".formatted(type, need.getKey());
        boolean served = need.getValue() == 'N' || need.getValue() == 'R' && readsServed;
        assertThat(one.send(LUN_0, need.getKey()).status()).as(what).isEqualTo(ScsiStatus.GOOD);
        assertThat(two.send(LUN_0, need.getKey()).status())
            .as("registered, " + what)
            .isEqualTo(expected(served || registrantsServed));
      }
      assertThat(two.send(LUN_0, WRITE, new byte[512]).status())
          .as("registered, write, type %d", type)
          .isEqualTo(expected(registrantsServed));
      assertGood(out(two, REGISTER, 0, 2, 0));
      for (Map.Entry<String, Character> need : needs.entrySet()) {
        boolean served = need.getValue() == 'N' || need.getValue() == 'R' && readsServed;
        assertThat(two.send(LUN_0, need.getKey()).status())
            .as("not registered, type %d, %s", type, need.getKey())
            .isEqualTo(expected(served));
      }
      assertConflict(two.send(LUN_0, WRITE, new byte[512]));
      assertConflict(out(two, CLEAR, 0, 0, 0));
      assertConflict(out(two, PREEMPT, type, 0, 1));
      assertConflict(out(two, RELEASE, type, 0, 0));
      assertGood(out(one, CLEAR, 0, 1, 0));
    }
  }

  @Test
  void registrantsHearOfAReleaseThatLetThemIn() {
    register();
    out(one, RESERVE, WRITE_EXCLUSIVE, 1, 0);
    out(one, RELEASE, WRITE_EXCLUSIVE, 1, 0);
    assertGood(two.send(LUN_0, TUR));

    out(one, RESERVE, REGISTRANTS_ONLY, 1, 0);
    out(one, RELEASE, REGISTRANTS_ONLY, 1, 0);

    assertThat(two.send(LUN_0, TUR).code()).isEqualTo("6/2a/04");
    assertGood(two.send(LUN_0, TUR));
    assertGood(one.send(LUN_0, TUR));
  }

  @Test
  void reservationEndsWithItsHoldersRegistration() {
    register();
    out(one, RESERVE, REGISTRANTS_ONLY, 1, 0);

    assertGood(out(one, REGISTER, 0, 1, 0));

    assertThat(two.send(LUN_0, TUR).code()).isEqualTo("6/2a/04");
    assertThat(in(two, 1)).endsWith("00000000");
    assertGood(one.send(LUN_0, WRITE, new byte[512]));
  }

  @Test
  void reservationOfAllEndsWithTheLastRegistration() {
    register();
    out(one, RESERVE, ALL_REGISTRANTS, 1, 0);

    assertGood(out(one, REGISTER, 0, 1, 0));
    assertConflict(one.send(LUN_0, READ));
    assertGood(two.send(LUN_0, WRITE, new byte[512]));
    assertGood(out(two, REGISTER, 0, 2, 0));

    assertGood(one.send(LUN_0, READ));
  }

  @Test
  void clearTellsEveryOtherRegistrant() {
    register();
    out(one, RESERVE, EXCLUSIVE_ACCESS, 1, 0);

    assertGood(out(two, CLEAR, 0, 2, 0));

    assertThat(one.send(LUN_0, TUR).code()).isEqualTo("6/2a/03");
    assertGood(two.send(LUN_0, TUR));
    assertThat(keys(two)).isEqualTo("00000003" + "00000000");
  }

  @Test
  void preemptTakesTheReservationOver() {
    register();
    out(one, RESERVE, WRITE_EXCLUSIVE, 1, 0);

    assertGood(out(two, PREEMPT, EXCLUSIVE_ACCESS, 2, 1));

    assertThat(one.send(LUN_0, TUR).code()).isEqualTo("6/2a/05");
    assertConflict(one.send(LUN_0, READ));
    assertThat(in(one, 1)).endsWith("0000000000000002" + "00000000" + "00030000");
    assertThat(keys(two)).isEqualTo("00000003" + "00000008" + "0000000000000002");
  }

  @Test
  void preemptOfAnotherKeyLeavesTheReservation() {
    register();
    Initiator third = third();
    out(one, RESERVE, WRITE_EXCLUSIVE, 1, 0);

    assertGood(out(two, PREEMPT, 0, 2, 3));
    assertConflict(out(two, PREEMPT, 0, 2, 3));
    assertThat(out(two, PREEMPT, WRITE_EXCLUSIVE, 2, 0).code()).isEqualTo("5/26/00");

    assertThat(third.send(LUN_0, TUR).code()).isEqualTo("6/2a/05");
    assertThat(in(two, 1)).endsWith("0000000000000001" + "00000000" + "00010000");
  }

  @Test
  void preemptOfAllRegistrantsLeavesOne() {
    register();
    Initiator third = third();
    out(one, RESERVE, ALL_REGISTRANTS, 1, 0);

    assertGood(out(two, PREEMPT, REGISTRANTS_ONLY, 2, 0));

    assertThat(one.send(LUN_0, TUR).code()).isEqualTo("6/2a/05");
    assertThat(third.send(LUN_0, TUR).code()).isEqualTo("6/2a/05");
    assertThat(keys(two)).endsWith("00000008" + "0000000000000002");
    assertThat(in(two, 1)).endsWith("0000000000000002" + "00000000" + "00050000");
  }

  @Test
  void preemptThatChangesTheTypeTellsTheOthers() {
    register();
    Initiator third = third();
    out(one, RESERVE, REGISTRANTS_ONLY, 1, 0);

    assertGood(out(two, PREEMPT, EXCLUSIVE_ACCESS, 2, 1));

    assertThat(third.send(LUN_0, TUR).code()).isEqualTo("6/2a/04");
    assertThat(one.send(LUN_0, TUR).code()).isEqualTo("6/2a/05");
  }

  @Test
  void holderMayChangeItsOwnType() {
    register();
    out(one, RESERVE, WRITE_EXCLUSIVE, 1, 0);

    assertGood(out(one, PREEMPT, EXCLUSIVE_ACCESS, 1, 1));

    assertThat(in(one, 1)).endsWith("0000000000000001" + "00000000" + "00030000");
    assertThat(keys(one)).endsWith("0000000000000001" + "0000000000000002");
  }

  @Test
  void moveMakesAnotherNexusTheHolder() {
    register();
    assertThat(move(one, 1, 5, 0, OTHER).code()).as("nothing to move").isEqualTo("5/24/00");
    out(one, RESERVE, EXCLUSIVE_ACCESS, 1, 0);
    assertConflict(move(one, 9, 5, 0, OTHER));
    assertConflict(move(two, 2, 5, 0, ESX));
    assertThat(move(one, 1, 0, 0, OTHER).code()).as("no key").isEqualTo("5/26/00");
    assertThat(move(one, 1, 5, 0, ESX).code()).as("to itself").isEqualTo("5/26/00");
    assertThat(move(one, 1, 5, 0, "iqn.x:nobody").code()).isEqualTo("5/26/00");

    assertGood(move(one, 1, 5, 0, OTHER));

    assertThat(keys(two))
        .isEqualTo("00000003" + "00000010" + "0000000000000001" + "0000000000000005");
    assertThat(in(two, 1)).endsWith("0000000000000005" + "00000000" + "00030000");
    assertConflict(one.send(LUN_0, READ));
    assertGood(move(two, 5, 7, 2, ESX));
    assertThat(keys(one)).as("unregistered").endsWith("00000008" + "0000000000000007");
    assertConflict(two.send(LUN_0, READ));
    assertGood(one.send(LUN_0, READ));
  }

  @Test
  void reservationOfAllCannotBeMoved() {
    register();
    out(one, RESERVE, ALL_REGISTRANTS, 1, 0);

    assertConflict(move(one, 1, 5, 0, OTHER));
  }

  private static Reply move(Initiator from, long key, long serviceKey, int flags, String name) {
    String text =
        HexFormat.of().formatHex((name + ",i,0x00023d000000").getBytes(StandardCharsets.US_ASCII));
    int length = text.length() / 2 + 4 & ~3;
    String list =
        "%016x%016x00%02x0002%08x".formatted(key, serviceKey, flags, 4 + length)
            + "4500%04x".formatted(length)
            + text
            + "00".repeat(length - text.length() / 2);
    return from.send(
        LUN_0, "5f 07 00 0000 %08x 00".formatted(list.length() / 2), HexFormat.of().parseHex(list));
  }

  @Test
  void fullStatusNamesEveryNexus() {
    register();
    out(one, RESERVE, EXCLUSIVE_ACCESS, 1, 0);
    String first = descriptor(ESX, "0000000000000001", "0103");
    String second = descriptor(OTHER, "0000000000000002", "0000");

    assertThat(in(one, 3))
        .isEqualTo("00000002" + "%08x".formatted((first + second).length() / 2) + first + second);
  }

  private static String descriptor(String name, String key, String holderAndType) {
    String text =
        HexFormat.of().formatHex((name + ",i,0x00023d000000").getBytes(StandardCharsets.US_ASCII));
    int length = text.length() / 2 + 4 & ~3;
    return key
        + "00000000"
        + holderAndType
        + "00000000"
        + "0002"
        + "%08x".formatted(4 + length)
        + "4500"
        + "%04x".formatted(length)
        + text
        + "00".repeat(length - text.length() / 2);
  }

  @Test
  void registrationsAndSpc2ReservationsExcludeEachOther() {
    assertGood(one.send(LUN_0, "16 00 00 00 00 00"));
    assertConflict(one.send(LUN_0, "5e 00 00 00 00 00 00 0100 00"));
    assertConflict(out(one, REGISTER, 0, 0, 1));
    assertConflict(out(two, REGISTER, 0, 0, 2));
    assertGood(one.send(LUN_0, "17 00 00 00 00 00"));

    register();
    assertConflict(one.send(LUN_0, "16 00 00 00 00 00"));
    out(one, RESERVE, REGISTRANTS_ONLY, 1, 0);
    assertGood(one.send(LUN_0, "16 00 00 00 00 00"));
    assertGood(two.send(LUN_0, "56 00 00000000 00 0000 00"));
    assertGood(two.send(LUN_0, "17 00 00 00 00 00"));
    assertThat(in(two, 1)).as("unchanged").endsWith("00050000");
    out(two, REGISTER, 0, 2, 0);
    assertConflict(two.send(LUN_0, "16 00 00 00 00 00"));
  }

  private void register() {
    assertGood(out(one, IGNORE, 0, 0, 1));
    assertGood(out(two, IGNORE, 0, 0, 2));
  }

  /// Another port of the first host, registered with key 3.
  private Initiator third() {
    Initiator third = new Initiator(fixture.target.plain(), ESX, 0x3);
    third.settle(LUN_0);
    assertGood(out(third, IGNORE, 0, 0, 3));
    return third;
  }
}
