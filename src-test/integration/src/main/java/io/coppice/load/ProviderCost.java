package io.coppice.load;

import io.coppice.harness.Commands;
import io.coppice.harness.Mismatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The cost of a provider process by the kernel's count.
public final class ProviderCost {

  private static final Pattern LIVE_BYTES =
      Pattern.compile("^Total\\s+\\d+\\s+(\\d+)", Pattern.MULTILINE);

  private ProviderCost() {}

  /// @param life which process since the first start, from 1
  /// @param resident bytes in memory
  /// @param liveHeap bytes of living objects in the Java heap, after a full collection
  public record Memory(Duration at, int life, long resident, long liveHeap) {}

  public static Memory memory(Duration at, int life, long pid) {
    return new Memory(at, life, resident(pid), liveHeap(pid));
  }

  private static long resident(long pid) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) << 10;
        }
      }
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Bytes of the heap of a process that live, after a full collection.
  public static long liveHeap(long pid) {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    String histogram = Commands.require(60, jcmd, Long.toString(pid), "GC.class_histogram");
    Matcher total = LIVE_BYTES.matcher(histogram);
    if (!total.find()) {
      throw new Mismatch("expected a histogram of process %d, got %s".formatted(pid, histogram));
    }
    return Long.parseLong(total.group(1));
  }

  /// User and system time of a process and of what it has started and still runs.
  public static Duration cpuOf(long pid) {
    return ProcessHandle.of(pid)
        .map(
            process ->
                Stream.concat(Stream.of(process), process.descendants())
                    .map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
                    .reduce(Duration.ZERO, Duration::plus))
        .orElse(Duration.ZERO);
  }
}
