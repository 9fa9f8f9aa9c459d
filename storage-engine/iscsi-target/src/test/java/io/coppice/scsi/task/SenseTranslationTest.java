package io.coppice.scsi.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.StorageException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;

public class SenseTranslationTest {

  @Test
  void everyFailureOfTheEngineHasItsSense() {
    Map<StorageException, String> senses =
        Map.ofEntries(
            Map.entry(new StorageException.NotFound("x"), "052500"),
            Map.entry(new StorageException.InvalidRequest("x"), "052100"),
            Map.entry(new StorageException.ReadOnly("x"), "072700"),
            Map.entry(new StorageException.Locked("x", Instant.EPOCH), "072700"),
            Map.entry(new StorageException.OutOfSpace("x"), "072707"),
            Map.entry(new StorageException.Damaged("x"), "031100"),
            Map.entry(new StorageException.DeviceFailed("x"), "044400"),
            Map.entry(new StorageException.PoolUnusable("x"), "044400"),
            Map.entry(new StorageException.AlreadyExists("x"), "0b4400"),
            Map.entry(new StorageException.Unrelated("x"), "0b4400"),
            Map.entry(new StorageException.Overtaken("x"), "0b4400"),
            Map.entry(new StorageException.TimedOut("x"), "0b4400"));
    assertThat(senses).hasSize(StorageException.class.getPermittedSubclasses().length);
    senses.forEach(
        (failure, code) -> {
          byte[] sense = SenseTranslation.senseOf(failure).encode().array();
          assertThat(HexFormat.of().formatHex(new byte[] {sense[2], sense[12], sense[13]}))
              .as(failure.getClass().getSimpleName())
              .isEqualTo(code);
        });
  }
}
