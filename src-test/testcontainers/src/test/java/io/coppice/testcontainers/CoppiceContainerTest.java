package io.coppice.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

/// Tests of what needs no Docker daemon.
class CoppiceContainerTest {

  private final CoppiceContainer coppice = new CoppiceContainer();

  @Test
  void theImageIsTheOneOfThisVersion() {
    assertThat(ProviderImage.ofThisVersion().name().asCanonicalNameString())
        .matches("coppice:\\d+\\.\\d+\\.\\d+");
  }

  @Test
  void aSettingOfAnotherProgramIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> coppice.withSetting("pool.capacity", "1GB"))
        .withMessage("expected a setting like coppice.pool.capacity, got pool.capacity");
  }

  @Test
  void nothingIsHandedOutBeforeTheStart() {
    assertThatIllegalStateException()
        .isThrownBy(coppice::restApi)
        .withMessage("expected a started Coppice, call start() first");
    assertThatIllegalStateException().isThrownBy(() -> coppice.esxiHost("esxi-1"));
  }

  @Test
  void whatIsNotStartedCanBeStopped() {
    coppice.stop();
    coppice.close();

    assertThatIllegalStateException().isThrownBy(coppice::network);
  }
}
