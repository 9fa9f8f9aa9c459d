package io.coppice.vasa.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeptExportTest {

  private static final UUID HOST = new UUID(1, 2);

  @Test
  void itsTextSaysAllOfIt() {
    KeptExport full =
        new KeptExport(
            16_383,
            true,
            new ExportAudience(
                List.of("iqn.2026-11.test:a", "eui.0001"), List.of(HOST), List.of(new UUID(3, 4))));
    KeptExport hostOnly =
        new KeptExport(
            0, false, new ExportAudience(List.<String>of(), List.of(HOST), List.<UUID>of()));

    assertThat(hostOnly.text()).isEqualTo("0 rw  00000000-0000-0001-0000-000000000002 ");
    for (KeptExport one : List.of(full, hostOnly)) {
      assertThat(KeptExport.parse(one.text())).contains(one);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "1 rw a",
        "1 rw a  ,",
        "x rw a  ",
        "1 wr a  ",
        "1 rw a no-id ",
        "1 rw    "
      })
  void whatIsNoneIsNone(String text) {
    assertThat(KeptExport.parse(text)).isEmpty();
  }
}
