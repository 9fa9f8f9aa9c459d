package io.coppice.bench.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.harness.Mismatch;
import org.junit.jupiter.api.Test;

class FileExtentsTest {

  private static final String PRINTED =
      """
      Filesystem type is: 58465342
      File size of /mnt/f is 262144 (64 blocks of 4096 bytes)
       ext:     logical_offset:        physical_offset: length:   expected: flags:
         0:        0..       2:         24..        26:      3:             shared
         1:        3..       4:         91..        92:      2:         27:
         2:        5..      19:         29..        43:     15:         93: shared
         3:       20..      20:        108..       108:      1:         44:
         4:       21..      63:         45..        87:     43:        109: last,shared,eof
      /mnt/f: 5 extents found
      """;

  @Test
  void extentsThatAreNotSharedAreFound() {
    assertThat(FileExtents.notShared(PRINTED))
        .containsExactly(
            new FileExtents.Range(3 * 4096, 2 * 4096), new FileExtents.Range(20 * 4096, 4096));
  }

  @Test
  void anotherTextIsRefused() {
    assertThatThrownBy(() -> FileExtents.notShared("FIBMAP unsupported"))
        .isInstanceOf(Mismatch.class)
        .hasMessageContaining("FIBMAP unsupported");
  }
}
