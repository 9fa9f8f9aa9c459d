package io.coppice.scsi;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.scsi.cdb.CdbDecoderTest;
import io.coppice.scsi.page.LogPagesTest;
import io.coppice.scsi.page.PagesTest;
import io.coppice.scsi.parameter.ParameterListsTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// `docs/scsi.md` names tests that exist.
class ScsiDocumentTest {

  private static final List<Class<?>> TESTS =
      List.of(
          AccessStatesTest.class,
          AnchorTest.class,
          BlockCommandsTest.class,
          CdbDecoderTest.class,
          ExtendedCopyTest.class,
          FencingTest.class,
          HostileInitiatorTest.class,
          LunDirectoryTest.class,
          ModeSelectTest.class,
          LogPagesTest.class,
          OffloadLedgerTest.class,
          PagesTest.class,
          ParameterListsTest.class,
          PersistentReservationTest.class,
          ReservationLifetimeTest.class,
          ReservationTest.class,
          ScsiTargetTest.class,
          SenseTranslationTest.class,
          SoftThresholdTest.class,
          TaskAttributeTest.class,
          TaskManagementTest.class,
          UnitAddressTest.class,
          UnitReportsTest.class,
          VolumeLimitsTest.class);

  private static final Pattern NAME = Pattern.compile("`(\\w+Test)(?:\\.(\\w+))?`");

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
}
