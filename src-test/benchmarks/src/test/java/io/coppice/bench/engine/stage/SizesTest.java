package io.coppice.bench.engine.stage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SizesTest {

  @Test
  void sizesAreToldInTheLargestUnitWithoutARest() {
    assertThat(Sizes.text(512L << 20)).isEqualTo("512 MiB");
    assertThat(Sizes.text(10L << 30)).isEqualTo("10 GiB");
    assertThat(Sizes.text(1L << 40)).isEqualTo("1 TiB");
    assertThat(Sizes.text((5L << 30) + (1 << 20))).isEqualTo("5121 MiB");
  }
}
