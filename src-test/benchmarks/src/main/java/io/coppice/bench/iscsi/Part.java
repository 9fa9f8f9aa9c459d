package io.coppice.bench.iscsi;

import java.util.List;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import org.jspecify.annotations.Nullable;

/// A part of the target that spends time, known by the uppermost function of a stack.
enum Part {
  DEVICE("device calls", "io.coppice.engine.device."),
  PARKING(
      "parking and waking threads",
      "jdk.internal.misc.Unsafe.park",
      "jdk.internal.misc.Unsafe.unpark",
      "java.lang.Object.wait",
      "java.lang.Object.notify",
      "io.netty.channel.epoll.Native.epollWait",
      "io.netty.channel.epoll.Native.epollBusyWait",
      "io.netty.channel.epoll.Native.eventFd"),
  SOCKET("socket calls", "io.netty.channel.epoll.", "io.netty.channel.unix."),
  CHECKSUM("CRC32C", "java.util.zip.CRC32C", "io.coppice.engine.format.Checksum"),
  MAP("map", "io.coppice.engine.map."),
  LOG("log and committer", "io.coppice.engine.log."),
  ENGINE("rest of the engine", "io.coppice.engine."),
  PDU("PDUs and sessions", "io.coppice.iscsi."),
  SCSI("SCSI commands", "io.coppice.scsi."),
  NETTY("rest of Netty", "io.netty."),
  OTHER("anything else");

  private final String title;
  private final List<String> prefixes;

  Part(String title, String... prefixes) {
    this.title = title;
    this.prefixes = List.of(prefixes);
  }

  String title() {
    return title;
  }

  static Part of(@Nullable RecordedStackTrace stack) {
    if (stack != null) {
      for (RecordedFrame frame : stack.getFrames()) {
        Part part = of(name(frame));
        if (part != OTHER) {
          return part;
        }
      }
    }
    return OTHER;
  }

  private static Part of(String function) {
    for (Part part : values()) {
      if (part.prefixes.stream().anyMatch(function::startsWith)) {
        return part;
      }
    }
    return OTHER;
  }

  /// The uppermost function; a call of the C library counts for who made it.
  static String function(RecordedStackTrace stack) {
    return stack.getFrames().stream()
        .map(Part::name)
        .filter(name -> !name.startsWith("java.lang.invoke."))
        .findFirst()
        .orElse("unknown");
  }

  /// Class and method.
  private static String name(RecordedFrame frame) {
    return frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
  }
}
