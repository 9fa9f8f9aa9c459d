package io.coppice.scsi;

import static io.coppice.scsi.Fixture.LUN_0;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.scsi.transport.DataInRefusedException;
import io.coppice.scsi.transport.ScsiStatus;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A transport that has no memory for Data-In: every command ends, and so does the nexus.
class ScarceMemoryTest {

  private static final String INQUIRY = "12 00 00 00 60 00";
  private static final String READ_10 = "28 00 00000000 00 0001 00";
  private static final String GET_LBA_STATUS = "9e 12 0000000000000000 00000018 00 00";
  private static final String VERIFY_10 = "2f 00 00000000 00 0001 00";

  private final Fixture fixture = new Fixture();
  private Initiator initiator;

  @BeforeEach
  void logIn() {
    fixture.exported(1 << 20);
    initiator = fixture.plain();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {INQUIRY, READ_10, GET_LBA_STATUS, VERIFY_10})
  void commandWithoutMemoryEndsWithTaskSetFull(String cdb) throws Exception {
    initiator.use(
        length -> {
          throw new DataInRefusedException(length);
        });

    assertThat(initiator.send(LUN_0, cdb).status()).isEqualTo(ScsiStatus.TASK_SET_FULL);

    assertThat(initiator.beginDetach().get(10, TimeUnit.SECONDS)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {INQUIRY, READ_10, GET_LBA_STATUS, VERIFY_10})
  void errorEndsTheCommandAndKeepsNoNexus(String cdb) throws Exception {
    initiator.use(
        _ -> {
          throw new OutOfMemoryError("as the test wants it");
        });

    assertThat(initiator.send(LUN_0, cdb).code()).isEqualTo("4/44/00");

    assertThat(initiator.beginDetach().get(10, TimeUnit.SECONDS)).isTrue();
  }
}
