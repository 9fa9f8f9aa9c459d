package io.coppice.engine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Judges what `strace -f -y` saw of a process that writes one batch after the other into a file
/// named `pool` and notes each acknowledgement by a write to a file named `acknowledged`.
///
/// A batch is stable when a write of it has returned on a descriptor opened with O_DSYNC or O_SYNC,
/// or when a sync has returned that began after such a write had returned. The trace has the events
/// in their order: a call that others overtake stands there twice, `<unfinished` and `resumed`.
final class SyncTrace {

  private static final int SMALLEST_BATCH = 8192;
  private static final Pattern CALL = Pattern.compile("^(\\d+)\\s+(\\w+)\\((.*)$");
  private static final Pattern RESUMED =
      Pattern.compile("^(\\d+)\\s+<\\.\\.\\. (\\w+) resumed>(.*)$");
  private static final Pattern RESULT = Pattern.compile("= (-?\\d+)(<[^>]*>)?[^=]*$");
  private static final Pattern POOL = Pattern.compile("^(\\d+)<[^>]*/pool>");
  private static final Pattern ACKNOWLEDGED = Pattern.compile("^\\d+<[^>]*/acknowledged>");
  private static final Pattern STABLE_FLAG = Pattern.compile("\\bO_D?SYNC\\b");

  private final Map<String, Begun> begun = new HashMap<>();
  private final Set<String> stableDescriptors = new HashSet<>();
  private final List<Integer> early = new ArrayList<>();
  private int acknowledged;
  private boolean isWritten;
  private boolean isStable;

  /// A call under way.
  ///
  /// @param batch how many acknowledgements had been seen when it began
  /// @param afterWrite whether the batch's write had returned when it began
  private record Begun(String call, String arguments, int batch, boolean afterWrite) {}

  /// What a trace shows.
  ///
  /// @param acknowledged how many batches were acknowledged
  /// @param early which of them were not stable at that moment
  record Verdict(int acknowledged, List<Integer> early) {}

  static Verdict judge(List<String> lines) {
    SyncTrace trace = new SyncTrace();
    lines.forEach(trace::line);
    return new Verdict(trace.acknowledged, trace.early);
  }

  private void line(String line) {
    Matcher call = CALL.matcher(line);
    if (call.find()) {
      String arguments = call.group(3);
      begin(call.group(1), call.group(2), arguments);
      if (!arguments.contains("<unfinished")) {
        end(call.group(1), arguments);
      }
      return;
    }
    Matcher resumed = RESUMED.matcher(line);
    if (resumed.find()) {
      end(resumed.group(1), resumed.group(3));
    }
  }

  private void begin(String thread, String call, String arguments) {
    begun.put(thread, new Begun(call, arguments, acknowledged, isWritten));
    if (call.equals("write") && ACKNOWLEDGED.matcher(arguments).find()) {
      if (!isStable) {
        early.add(acknowledged);
      }
      acknowledged++;
      isWritten = false;
      isStable = false;
    }
  }

  private void end(String thread, String text) {
    Begun call = begun.remove(thread);
    Matcher result = RESULT.matcher(text);
    if (call == null || !result.find()) {
      return;
    }
    long returned = Long.parseLong(result.group(1));
    switch (call.call) {
      case "openat" -> opened(call, returned);
      case "pwrite64", "pwritev", "pwritev2" -> written(call, returned);
      case "fsync", "fdatasync" -> {
        boolean ofThisBatch = call.batch == acknowledged && call.afterWrite;
        isStable |= returned == 0 && ofThisBatch && POOL.matcher(call.arguments).find();
      }
      default -> {}
    }
  }

  private void opened(Begun call, long descriptor) {
    if (call.arguments.contains("/pool\"")) {
      stableDescriptors.remove(Long.toString(descriptor));
      if (STABLE_FLAG.matcher(call.arguments).find()) {
        stableDescriptors.add(Long.toString(descriptor));
      }
    }
  }

  private void written(Begun call, long bytes) {
    Matcher pool = POOL.matcher(call.arguments);
    if (call.batch == acknowledged && bytes >= SMALLEST_BATCH && pool.find()) {
      isWritten = true;
      isStable |= stableDescriptors.contains(pool.group(1));
    }
  }
}
