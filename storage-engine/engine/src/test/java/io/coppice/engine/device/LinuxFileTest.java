package io.coppice.engine.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The file by the calls of Linux.
class LinuxFileTest {

  @TempDir private Path folder;

  @BeforeEach
  void onLinux() {
    assumeTrue(LinuxFile.isSupported(), "not Linux on a machine whose flags are known");
  }

  @Test
  void severalBuffersAreWrittenAsOneAndReadBack() throws IOException {
    Path path = file("one", 1 << 16);
    try (LinuxFile file = LinuxFile.open(path, false, true)) {
      List<ByteBuffer> buffers = List.of(filled(100, 1), filled(0, 0), filled(5000, 2));

      assertThat(file.write(buffers, 4096)).isEqualTo(5100);

      assertThat(buffers).noneMatch(ByteBuffer::hasRemaining);
      ByteBuffer back = ByteBuffer.allocateDirect(5100);
      assertThat(file.read(back, 4096)).isEqualTo(5100);
      assertThat(back.get(99)).isEqualTo((byte) 1);
      assertThat(back.get(100)).isEqualTo((byte) 2);
      assertThat(file.read(ByteBuffer.allocateDirect(1), 1 << 20)).as("behind the end").isZero();
    }
  }

  /// The next file that is opened is given the same number.
  @Test
  void aClosedFileReachesNoOtherThatIsOpenedLater() throws IOException {
    LinuxFile closed = LinuxFile.open(file("one", 4096), false, false);
    closed.close();
    closed.close();
    Path other = file("two", 4096);
    try (LinuxFile _ = LinuxFile.open(other, false, false)) {
      assertThatExceptionOfType(ClosedChannelException.class)
          .isThrownBy(() -> closed.write(List.of(filled(4096, 7)), 0));
      assertThatExceptionOfType(ClosedChannelException.class)
          .isThrownBy(() -> closed.read(ByteBuffer.allocateDirect(512), 0));
      assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(closed::force);
    }
    assertThat(Files.readAllBytes(other)).containsOnly(0);
  }

  /// Threads write until they are refused, while the file is closed and others are opened.
  @Test
  void callsUnderWayAtTheCloseEndInTheirOwnFile() throws Exception {
    for (int round = 0; round < 50; round++) {
      LinuxFile file = LinuxFile.open(file("mine-" + round, 1 << 16), false, false);
      try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
        List<Future<Integer>> writers =
            java.util.stream.IntStream.range(0, 3)
                .mapToObj(i -> threads.submit(() -> writeUntilRefused(file)))
                .toList();
        file.close();
        Path other = file("other-" + round, 4096);
        try (LinuxFile _ = LinuxFile.open(other, false, false)) {
          for (Future<Integer> writer : writers) {
            assertThat(writer.get()).isNotNegative();
          }
        }
        assertThat(Files.readAllBytes(other)).as("round %d", round).containsOnly(0);
      }
    }
  }

  @Test
  void anInterruptedThreadClosesNothing() throws IOException {
    try (LinuxFile file = LinuxFile.open(file("one", 4096), false, false)) {
      Thread.currentThread().interrupt();
      try {
        assertThat(file.write(List.of(filled(512, 3)), 0)).isEqualTo(512);
      } finally {
        assertThat(Thread.interrupted()).isTrue();
      }
      assertThat(file.read(ByteBuffer.allocateDirect(512), 0)).isEqualTo(512);
    }
  }

  @Test
  void whatTheSystemRefusesIsSaidInItsWords() throws IOException {
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> LinuxFile.open(folder.resolve("none"), false, false))
        .isNotInstanceOf(NoSuchFileException.class)
        .withMessageContaining("No such file");
    try (LinuxFile file = LinuxFile.open(file("one", 4096), false, false)) {
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> file.write(List.of(filled(512, 1)), -1))
          .withMessageContaining("Invalid argument");
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> file.read(ByteBuffer.allocate(512), 0));
    }
  }

  private static int writeUntilRefused(LinuxFile file) throws IOException {
    int written = 0;
    try {
      while (true) {
        file.write(List.of(filled(512, 9)), 0);
        written++;
      }
    } catch (ClosedChannelException e) {
      return written;
    }
  }

  private Path file(String name, int size) throws IOException {
    return Files.write(folder.resolve(name), new byte[size]);
  }

  private static ByteBuffer filled(int size, int value) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(size);
    while (buffer.hasRemaining()) {
      buffer.put((byte) value);
    }
    return buffer.flip();
  }
}
