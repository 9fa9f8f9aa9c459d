package io.coppice.app.notice;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The socket of a service manager (sd_notify(3)), as the variable `NOTIFY_SOCKET` names it: an
/// absolute path, or `@` and an abstract name. Java has no datagrams between processes, so this
/// calls the C library. Safe for several threads.
public final class NotifySocket {

  private static final Logger log = LoggerFactory.getLogger(NotifySocket.class);
  private static final String VARIABLE = "NOTIFY_SOCKET";

  private static final short AF_UNIX = 1;
  private static final int SOCK_DGRAM_CLOEXEC = 0x80002;
  private static final int MSG_DONTWAIT_NOSIGNAL = 0x4040;

  /// Offset and size of `sun_path` in `sockaddr_un`; a path ends with a zero within it.
  private static final int PATH = 2;

  private static final int PATH_BYTES = 108;

  private final String name;
  private final byte[] path;

  private NotifySocket(String name) {
    this.name = name;
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    if (bytes[0] == '@') {
      bytes[0] = 0;
    }
    this.path = bytes;
  }

  /// The functions of the C library, bound when the first message is sent.
  private static final class Calls {

    static final StructLayout STATE = Linker.Option.captureStateLayout();
    static final VarHandle ERRNO = STATE.varHandle(PathElement.groupElement("errno"));
    static final MethodHandle SOCKET =
        call("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    static final MethodHandle SEND =
        call(
            "sendto",
            FunctionDescriptor.of(
                JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, ADDRESS, JAVA_INT));
    static final MethodHandle CLOSE = call("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));

    private Calls() {}

    @SuppressWarnings("restricted") // the functions are those of the C library, as declared there
    private static MethodHandle call(String name, FunctionDescriptor type) {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(
          linker.defaultLookup().findOrThrow(name), type, Linker.Option.captureCallState("errno"));
    }
  }

  /// The socket that an environment names. Empty if it names none, or, with a line in the log, none
  /// that can be used: a start does not depend on it.
  public static Optional<NotifySocket> of(Map<String, String> environment) {
    String name = environment.getOrDefault(VARIABLE, "");
    if (name.isEmpty()) {
      return Optional.empty();
    }
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (!name.startsWith("/") && !name.startsWith("@") || bytes < 2 || bytes >= PATH_BYTES) {
      log.atWarn()
          .addKeyValue("got", name)
          .log("{}: expected an absolute path, or @ and a name, of 2 to 107 bytes", VARIABLE);
      return Optional.empty();
    }
    return Optional.of(new NotifySocket(name));
  }

  /// Sends one message without waiting for its reader.
  ///
  /// @param message lines of the form `NAME=value`
  /// @throws IOException if it was not sent: nobody listens, or its reader is behind
  public void send(String message) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(Calls.STATE);
      int socket = (int) Calls.SOCKET.invokeExact(state, (int) AF_UNIX, SOCK_DGRAM_CLOEXEC, 0);
      if (socket < 0) {
        throw failed("socket", state);
      }
      try {
        send(arena, state, socket, message);
      } finally {
        int _ = (int) Calls.CLOSE.invokeExact(state, socket);
      }
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IOException(e);
    }
  }

  private void send(Arena arena, MemorySegment state, int socket, String message) throws Throwable {
    MemorySegment address = arena.allocate(PATH + PATH_BYTES, Short.BYTES);
    address.set(JAVA_SHORT, 0, AF_UNIX);
    MemorySegment.copy(path, 0, address, JAVA_BYTE, PATH, path.length);
    // The length bounds an abstract name; a path has its zero.
    int length = PATH + path.length + (path[0] == 0 ? 0 : 1);
    byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
    MemorySegment data = arena.allocateFrom(JAVA_BYTE, bytes);
    long sent =
        (long)
            Calls.SEND.invokeExact(
                state, socket, data, data.byteSize(), MSG_DONTWAIT_NOSIGNAL, address, length);
    if (sent != bytes.length) {
      throw failed("sendto", state);
    }
  }

  private IOException failed(String call, MemorySegment state) {
    return new IOException(
        "%s %s: %s failed with error %d"
            .formatted(VARIABLE, name, call, (int) Calls.ERRNO.get(state, 0L)));
  }
}
