package io.coppice.scsi;

import static io.coppice.scsi.Fixture.LUN_0;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.scsi.cdb.CdbDecoderTest;
import io.coppice.scsi.page.LogPagesTest;
import io.coppice.scsi.page.PagesTest;
import io.coppice.scsi.parameter.ParameterListsTest;
import io.coppice.scsi.task.SenseTranslationTest;
import io.coppice.scsi.transport.LogicalUnitNumber;
import io.coppice.scsi.transport.ScsiStatus;
import io.coppice.scsi.transport.TaskManagement;
import io.coppice.scsi.transport.TaskManagementOutcome;
import io.coppice.scsi.transport.UnitAddressTest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// `docs/scsi.md` names tests that exist, and a running unit supports and refuses what
/// `docs/conformance.md` says.
class ScsiDocumentTest {

  private static final List<Class<?>> TESTS =
      List.of(
          AccessStatesTest.class,
          AnchorTest.class,
          BlockCommandsTest.class,
          CdbDecoderTest.class,
          CopyOperationTest.class,
          ExtendedCopyTest.class,
          FencingTest.class,
          FullPoolTokenTest.class,
          HostileInitiatorTest.class,
          LateDepartureTest.class,
          LimitedTokensTest.class,
          LongListCopyTest.class,
          LunDirectoryTest.class,
          ModeSelectTest.class,
          LogPagesTest.class,
          OffloadLedgerTest.class,
          PagesTest.class,
          ParameterListsTest.class,
          PersistentReservationTest.class,
          ReservationLifetimeTest.class,
          ReservationTest.class,
          OwnNumberTest.class,
          RestingNumberTest.class,
          ScsiTargetTest.class,
          SenseTranslationTest.class,
          SmallUnitTest.class,
          SoftThresholdTest.class,
          TaskAttributeTest.class,
          TaskManagementTest.class,
          TokenCopyTest.class,
          TokenLifetimeTest.class,
          UnitAddressTest.class,
          UnmapCostTest.class,
          UnitFairnessTest.class,
          UnitReportsTest.class,
          VolumeLimitsTest.class);

  private static final Pattern NAME = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");
  private static final Pattern ROW = Pattern.compile("\\| ([^|]+) \\| ([^|]+) \\|[^|]*\\|");
  private static final Pattern CODE = Pattern.compile("\\d+|[0-9A-F]{2}h(/[0-9A-F]{2}h)?");

  /// Bits of REPORT SUPPORTED TASK MANAGEMENT FUNCTIONS (SPC-5 §6.41), from the highest, by RFC
  /// 7143's codes; 0: TARGET RESET, which is 6 and 7 there, and 8: TASK REASSIGN has no bit.
  private static final List<Set<String>> FUNCTION_BITS =
      List.of(
          Set.of("1"),
          Set.of("2"),
          Set.of("3"),
          Set.of("4"),
          Set.of("5"),
          Set.of("9"),
          Set.of("6", "7"),
          Set.of());

  @Test
  void everyTestThatTheDocumentNamesExists() throws IOException {
    String text = Files.readString(Path.of("../../docs/scsi.md"));
    List<MatchResult> names = NAME.matcher(text).results().toList();

    assertThat(names).hasSizeGreaterThan(30);
    for (MatchResult name : names) {
      assertThat(TESTS)
          .as(name.group())
          .anyMatch(
              type ->
                  type.getSimpleName().equals(name.group(1))
                      && (name.group(2) == null || hasMethod(type, name.group(2))));
    }
  }

  private static boolean hasMethod(Class<?> type, String name) {
    return Arrays.stream(type.getDeclaredMethods()).anyMatch(m -> m.getName().equals(name));
  }

  @Test
  void commandsOfTheListAreThoseThatTheUnitHas() throws IOException {
    Map<String, String> list = list("SCSI commands");
    try (Fixture fixture = new Fixture()) {
      Initiator initiator = initiator(fixture);

      assertThat(those(list, "supported")).isEqualTo(operations(initiator));
      assertThat(those(list, "refused")).hasSizeGreaterThan(40);
      for (String code : those(list, "refused")) {
        assertThat(initiator.send(LUN_0, emptyCommand(code)).code())
            .as(code)
            .isEqualTo(hasOtherActions(list, code) ? "5/24/00" : "5/20/00");
      }
    }
  }

  /// What REPORT SUPPORTED OPERATION CODES tells (SPC-5 §6.35).
  private static Set<String> operations(Initiator initiator) {
    ByteBuffer all =
        ByteBuffer.wrap(initiator.send(LUN_0, "a3 0c 00 00 0000 0000ffff 00 00").data());
    Set<String> codes = new TreeSet<>();
    for (int at = 4; at < all.limit(); at += 8) {
      boolean action = (all.get(at + 5) & 0x01) != 0;
      codes.add(
          action ? "%02Xh/%02Xh".formatted(all.get(at), all.getShort(at + 2)) : hex(all.get(at)));
    }
    return codes;
  }

  private static boolean hasOtherActions(Map<String, String> list, String code) {
    return those(list, "supported").stream()
        .anyMatch(s -> s.startsWith(code.substring(0, 3) + "/"));
  }

  /// Operation code and service action, and zeros: of 16 bytes, which is enough for each.
  private static String emptyCommand(String code) {
    String action = code.contains("/") ? code.substring(4, 6) : "00";
    return code.substring(0, 2) + action + "00".repeat(14);
  }

  @Test
  void vpdPagesOfTheListAreThoseThatTheUnitHas() throws IOException {
    try (Fixture fixture = new Fixture()) {
      Initiator initiator = initiator(fixture);
      Set<String> pages = new TreeSet<>();
      for (int page = 0; page < 256; page++) {
        if (isGood(initiator.send(LUN_0, "12 01 %02x 0400 00".formatted(page)))) {
          pages.add(hex(page));
        }
      }

      assertThat(those(list("Pages", "VPD"), "supported")).isEqualTo(pages);
      byte[] told = initiator.send(LUN_0, "12 01 00 0400 00").data();
      Set<String> listed = new TreeSet<>();
      for (int i = 4; i < told.length; i++) {
        listed.add(hex(told[i]));
      }
      assertThat(listed).isEqualTo(pages);
    }
  }

  @Test
  void modePagesOfTheListAreThoseThatTheUnitHas() throws IOException {
    try (Fixture fixture = new Fixture()) {
      Initiator initiator = initiator(fixture);
      Set<String> pages = new TreeSet<>();
      for (int page = 0; page < 0x3f; page++) {
        for (int subpage = 0; subpage < 0xff; subpage++) {
          if (isGood(initiator.send(LUN_0, "1a 08 %02x %02x ff 00".formatted(page, subpage)))) {
            pages.add("%02Xh/%02Xh".formatted(page, subpage));
          }
        }
      }

      assertThat(those(list("Pages", "mode"), "supported")).isEqualTo(pages);
    }
  }

  @Test
  void logPagesOfTheListAreThoseThatTheUnitHas() throws IOException {
    try (Fixture fixture = new Fixture()) {
      Initiator initiator = initiator(fixture);
      Set<String> pages = new TreeSet<>();
      for (int page = 0; page < 0x40; page++) {
        for (int subpage = 0; subpage < 0x100; subpage++) {
          String command = "4d 00 %02x %02x 00 0000 0100 00".formatted(0x40 | page, subpage);
          if (isGood(initiator.send(LUN_0, command))) {
            pages.add("%02Xh/%02Xh".formatted(page, subpage));
          }
        }
      }

      assertThat(those(list("Pages", "log"), "supported")).isEqualTo(pages);
    }
  }

  @Test
  void taskManagementFunctionsOfTheListAreThoseThatTheUnitReports() throws IOException {
    Map<String, String> list = list("Task management functions");
    try (Fixture fixture = new Fixture()) {
      Initiator initiator = initiator(fixture);
      int reported = initiator.send(LUN_0, "a3 0d 00 00 0000 00000004 00 00").data()[0];
      Set<String> functions = new TreeSet<>();
      for (int bit = 0; bit < 8; bit++) {
        if ((reported << bit & 0x80) != 0) {
          functions.addAll(FUNCTION_BITS.get(bit));
        }
      }

      assertThat(those(list, "supported")).isEqualTo(functions);
      assertThat(initiator.manage(new TaskManagement.ClearAca(LogicalUnitNumber.ZERO)))
          .isEqualTo(TaskManagementOutcome.FUNCTION_REJECTED);
      assertThat(those(list, "refused")).contains("3");
    }
  }

  private static Initiator initiator(Fixture fixture) {
    fixture.exported(1 << 20);
    return fixture.plain();
  }

  private static boolean isGood(Initiator.Reply reply) {
    assertThat(reply.code()).isIn("", "5/24/00");
    return reply.status() == ScsiStatus.GOOD;
  }

  private static String hex(int code) {
    return HexFormat.of().withUpperCase().toHexDigits((byte) code) + "h";
  }

  private static Set<String> those(Map<String, String> list, String state) {
    Set<String> codes = new TreeSet<>();
    list.forEach(
        (code, stands) -> {
          if (stands.equals(state)) {
            codes.add(code);
          }
        });
    return codes;
  }

  private static Map<String, String> list(String heading) throws IOException {
    return list(heading, "");
  }

  /// State by code, of the rows below a heading whose kind begins so. A row lists what it has
  /// between semicolons, each with its code first.
  private static Map<String, String> list(String heading, String kind) throws IOException {
    String text = Files.readString(Path.of("../../docs/conformance.md"));
    int start = text.indexOf("\n| Kind | " + heading + " | Tests |\n");
    assertThat(start).as("where the list of '%s' begins", heading).isNotNegative();
    Map<String, String> list = new TreeMap<>();
    text.substring(start, text.indexOf("\n\n", start))
        .lines()
        .skip(3) // a line break, the head, and the dashes
        .map(ROW::matcher)
        .forEach(
            row -> {
              assertThat(row.matches()).as("%s", row).isTrue();
              if (row.group(1).startsWith(kind)) {
                String state = row.group(1).startsWith("refused") ? "refused" : "supported";
                codes(row.group(2))
                    .forEach(code -> assertThat(list.put(code, state)).as(code).isNull());
              }
            });
    assertThat(list).isNotEmpty();
    return list;
  }

  private static List<String> codes(String cell) {
    List<String> codes =
        Arrays.stream(cell.split("; ", -1)).map(entry -> entry.split(" ", 2)[0]).toList();
    assertThat(codes).allMatch(CODE.asMatchPredicate());
    return codes;
  }
}
