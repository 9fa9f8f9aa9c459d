package io.coppice.vasa.history.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A year of a few volumes takes no more for each than the bound has for 10,000 of them; all of it
/// comes back. `HistoryYear` writes the full one.
class HistoryYearTest {

  private static final long BOUND = 2L << 30;
  private static final int VOLUMES = 10_000;

  @TempDir private Path folder;

  @Test
  void aYearOfEachVolumeStaysWithinItsPartOfTheBound() throws IOException {
    HistoryYear year = new HistoryYear(folder, 10);

    year.write();

    assertThat(year.bytesPerVolume()).isPositive().isLessThan(BOUND / VOLUMES);
    assertThat(year.read().lines())
        .anyMatch(line -> line.startsWith("1h of 1 volumes: 8760 of 8760 points known"))
        .anyMatch(line -> line.startsWith("10m of 10 volumes: 43200 of 43200 points known"))
        .anyMatch(line -> line.startsWith("1m of 10 volumes: 14400 of 14400 points known"))
        .anyMatch(line -> line.startsWith("10s of 1 volumes: 360 of 360 points known"));
  }
}
