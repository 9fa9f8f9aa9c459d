package io.coppice.it;

import io.coppice.harness.Commands;
import io.coppice.harness.Mismatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/// A disk that `qemu-io` keeps open through libiscsi, as a host that runs does: one command at a
/// time, the session stays. Not safe for several threads.
final class QemuDisk implements AutoCloseable {

  private static final String PROMPT = "qemu-io> ";
  private static final long LIMIT_NANOS = 120_000_000_000L;

  private final Process process;
  private final StringBuilder said = new StringBuilder();

  QemuDisk(InetSocketAddress portal, String target, int lun, String initiator) {
    String options =
        "driver=raw,file.driver=iscsi,file.transport=tcp,file.portal=127.0.0.1:%d,file.target=%s,file.lun=%d,file.initiator-name=%s"
            .formatted(portal.getPort(), target, lun, initiator);
    try {
      process =
          new ProcessBuilder(Commands.path("qemu-io"), "--image-opts", options)
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    await();
  }

  /// Runs a command and returns what it says.
  String run(String command) {
    begin(command);
    return await();
  }

  /// Begins a command; [#await] tells its end.
  void begin(String command) {
    try {
      process.outputWriter(StandardCharsets.US_ASCII).write(command + "\n");
      process.outputWriter(StandardCharsets.US_ASCII).flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// What is said until the next prompt.
  String await() {
    long end = System.nanoTime() + LIMIT_NANOS;
    try {
      while (said.indexOf(PROMPT) < 0) {
        if (process.getInputStream().available() > 0) {
          byte[] bytes = new byte[process.getInputStream().available()];
          int count = process.getInputStream().read(bytes);
          said.append(new String(bytes, 0, count, StandardCharsets.ISO_8859_1));
        } else if (!process.isAlive() || System.nanoTime() > end) {
          throw new Mismatch("expected a prompt of qemu-io, it said: " + said);
        } else {
          TimeUnit.MILLISECONDS.sleep(1);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Mismatch("interrupted while waiting for qemu-io", e);
    }
    int prompt = said.indexOf(PROMPT);
    String answer = said.substring(0, prompt);
    said.delete(0, prompt + PROMPT.length());
    return answer;
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
