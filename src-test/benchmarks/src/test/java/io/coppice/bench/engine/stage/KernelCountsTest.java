package io.coppice.bench.engine.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.bench.subject.QemuSubject;
import org.junit.jupiter.api.Test;

class KernelCountsTest {

  @Test
  void bytesWrittenToADiskAreItsSeventhFigureInSectors() {
    assertThat(
            DiskCounter.bytesWritten(
                "47338250   481697 1685858698 22017196 25275527  1591604 1779790480  7195011      "
                    + " 32  4104848 30042182\n"))
        .isEqualTo(1779790480L * 512);
  }

  @Test
  void aDeviceIsNamedByItsMajorAndMinorNumber() {
    assertThat(DiskCounter.number(0xfe00)).isEqualTo("254:0");
    assertThat(DiskCounter.number(0x801)).isEqualTo("8:1");
    assertThat(DiskCounter.number(0x1234_5fe78L)).isEqualTo("1534:1193080");
  }

  @Test
  void cpuOfProgramsThatEndedIsTheirUserAndSystemTime() {
    assertThat(
            QemuSubject.childSeconds(
                "4711 (a (bad) name) S 1 4711 4711 0 -1 4194560 100 200 0 0 11 22 345 55 20 0 1 0"))
        .isEqualTo(4.0);
  }
}
