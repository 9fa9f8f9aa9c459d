package io.coppice.engine.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.core.PoolDirectory;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.device.ReadOnlyFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandTest {

  private static final byte[] IMAGE = new UsedPool(99).image();

  @TempDir Path home;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void layOut() throws IOException {
    Files.createDirectory(home.resolve("pool"));
    Files.write(file(), IMAGE);
  }

  @Test
  void aWholePoolIsCleanByItsHomeItsDirectoryAndItsFile() throws IOException {
    for (Path path : List.of(home, home.resolve("pool"), file())) {
      assertThat(run(path.toString())).as(path.toString()).isZero();
    }
    assertThat(text(out)).contains("checked: ").endsWith("clean\n");
    assertThat(Files.readAllBytes(file())).isEqualTo(IMAGE);
  }

  @Test
  void damageIsToldInALineEachAndAsOneObject() throws IOException {
    PoolImage image = new PoolImage(IMAGE.clone());
    PoolImage.Piece piece = image.nodes.values().iterator().next();
    long node = piece.offset();
    image.bytes[(int) node + 100] ^= 1;
    image.bytes[(int) piece.twin() + 100] ^= 1;
    Files.write(file(), image.bytes);
    assertThat(run(home.toString())).isEqualTo(1);
    assertThat(text(out)).contains("DAMAGE node zone ").contains("offset " + node);
    out.reset();
    assertThat(run(home.toString(), "--json")).isEqualTo(1);
    assertThat(text(out))
        .startsWith("{\"clean\":false,\"damages\":")
        .contains("\"structure\":\"node\"")
        .contains("\"offset\":" + node);
  }

  @Test
  void aPoolInUseIsRefusedAndAPoolUnderCheckIsNotOpened() {
    try (StorageEngine open =
        PoolDirectory.open(home.resolve("pool"), EngineOptions.defaults().withReaderThreads(1))) {
      assertThat(open.list()).isNotEmpty();
      assertThat(run(home.toString())).isEqualTo(2);
      assertThat(text(err).lines()).singleElement().asString().contains("found it in use");
    }
    try (ReadOnlyFile _ = ReadOnlyFile.open(file(), file().resolveSibling("lock"))) {
      assertThatThrownBy(
              () -> PoolDirectory.open(home.resolve("pool"), EngineOptions.defaults()).close())
          .isInstanceOf(StorageException.PoolUnusable.class)
          .hasMessageContaining("in use");
    }
  }

  @Test
  void whatIsNoPoolCannotBeChecked() throws IOException {
    Files.write(file(), new byte[IMAGE.length]);
    assertThat(run(home.toString())).isEqualTo(2);
    assertThat(run(home.resolve("nothing").toString())).isEqualTo(2);
    assertThat(run()).isEqualTo(2);
    Files.write(file(), new byte[5]);
    assertThat(run(home.toString())).isEqualTo(2);
    assertThat(text(err).lines()).hasSize(4);
    assertThat(text(out)).isEmpty();
  }

  @Test
  void aPoolThatWasCutShortIsFound() throws IOException {
    Files.write(file(), java.util.Arrays.copyOf(IMAGE, IMAGE.length - UsedPool.ZONE));
    assertThat(run(home.toString())).isEqualTo(1);
    assertThat(text(out)).contains("expected a pool of " + IMAGE.length + " bytes");
  }

  @Test
  void theFileCannotBeWritten() {
    try (ReadOnlyFile device = ReadOnlyFile.open(file(), file().resolveSibling("lock"))) {
      ByteBuffer block = ByteBuffer.allocateDirect(4096);
      assertThatThrownBy(() -> device.write(0, List.of(block))).isInstanceOf(DeviceException.class);
      assertThatThrownBy(() -> device.writeStable(0, List.of(block)))
          .isInstanceOf(DeviceException.class);
    }
  }

  private Path file() {
    return home.resolve("pool").resolve("pool");
  }

  private int run(String... args) {
    return CheckCommand.run(List.of(args), new PrintStream(out), new PrintStream(err));
  }

  private static String text(ByteArrayOutputStream of) {
    return of.toString(StandardCharsets.UTF_8);
  }
}
