package io.coppice.driver.iscsi;

import io.coppice.driver.scsi.Lun;
import io.coppice.driver.scsi.ScsiRequest;
import io.coppice.driver.scsi.ScsiResult;
import io.coppice.driver.scsi.ScsiTransport;
import io.coppice.driver.scsi.TransportException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A session in the full feature phase, with many commands outstanding.
///
/// Two threads serve it, one that sends and one that receives. Callers may use it from any number
/// of threads. After a failure every method throws [TransportException] and nothing is set up
/// again: see [IscsiPath] for that.
public final class IscsiSession implements ScsiTransport, AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration LOGIN_TIMEOUT = Duration.ofSeconds(15);
  private static final Duration LOGOUT_TIMEOUT = Duration.ofSeconds(3);

  private final SessionParameters parameters;
  private final Duration commandTimeout;
  private final CommandWindow window;
  private final Wire wire;
  private final AtomicInteger tags = new AtomicInteger(1);

  /// A command that was sent and may be named in [#manage].
  public record Outstanding(int tag, CompletableFuture<ScsiResult> result) {}

  private IscsiSession(
      Connection connection, LoginSettings settings, Login.Outcome login, WireCounters counters) {
    this.parameters = login.parameters();
    this.commandTimeout = settings.commandTimeout();
    this.window = new CommandWindow(Login.FIRST_CMD_SN, login.maxCmdSn());
    this.wire =
        new Wire(
            connection, window, counters, login.expStatSn(), settings.maxRecvDataSegmentLength());
  }

  /// Logs in to `target` at `portal`.
  ///
  /// @throws LoginRefusedException if the target refuses
  /// @throws TransportException if the portal cannot be reached or does not answer in 15 s
  public static IscsiSession login(
      InetSocketAddress portal, String target, LoginSettings settings, WireCounters counters) {
    return open(portal, target, settings, counters);
  }

  static IscsiSession open(
      InetSocketAddress portal,
      @Nullable String target,
      LoginSettings settings,
      WireCounters counters) {
    Connection connection = null;
    try {
      connection = Connection.open(portal, CONNECT_TIMEOUT);
      Login.Outcome outcome = loginBefore(connection, settings, target);
      IscsiSession session = new IscsiSession(connection, settings, outcome, counters);
      session.wire.start();
      return session;
    } catch (IOException e) {
      close(connection);
      throw new TransportException("login at %s: %s".formatted(portal, e.getMessage()), e);
    } catch (RuntimeException e) {
      close(connection);
      throw e;
    }
  }

  private static Login.Outcome loginBefore(
      Connection connection, LoginSettings settings, @Nullable String target) throws IOException {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              // A blocking channel has no read timeout: closing it is what ends a login that hangs.
              if (!done.completeOnTimeout(false, LOGIN_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                  .join()) {
                connection.close();
              }
            });
    try {
      return new Login(connection, settings, target).run();
    } finally {
      done.complete(true);
    }
  }

  private static void close(@Nullable Connection connection) {
    if (connection != null) {
      connection.close();
    }
  }

  /// What the login agreed on.
  public SessionParameters parameters() {
    return parameters;
  }

  /// Whether no failure has been seen yet.
  public boolean alive() {
    return window.alive();
  }

  /// Sends a command; see [ScsiTransport#submit].
  @Override
  public CompletableFuture<ScsiResult> submit(ScsiRequest request) {
    return start(request).result();
  }

  /// Sends a command and returns a name for it.
  public Outstanding start(ScsiRequest request) {
    ScsiTask task = new ScsiTask(request, nextTag(), parameters);
    window.next(commandTimeout, cmdSn -> wire.send(task, cmdSn));
    return new Outstanding(task.tag(), task.result());
  }

  @Override
  public ScsiResult execute(ScsiRequest request) {
    return await(submit(request), request.cdb().name(), commandTimeout);
  }

  /// Sends a ping with `data` and returns what comes back.
  public ByteBuffer ping(ByteBuffer data) {
    Pdu nop =
        Pdu.of(Opcode.NOP_OUT | Opcode.IMMEDIATE, Opcode.FINAL)
            .tag(nextTag())
            .word(20, Opcode.NO_TAG)
            .data(data.slice());
    return exchange(nop, Opcode.NOP_IN, commandTimeout).data();
  }

  /// Sends a task management function and returns the response code, 0 for "function complete".
  ///
  /// After code 0, commands that the function ended and that had no result yet fail with
  /// [TransportException].
  ///
  /// @param task the command that ABORT TASK names, null for every other function
  public int manage(TaskFunction function, Lun lun, @Nullable Outstanding task) {
    Pdu request =
        Pdu.of(Opcode.TASK_MANAGEMENT | Opcode.IMMEDIATE, Opcode.FINAL | function.code())
            .lun(lun.value())
            .tag(nextTag())
            .word(20, task == null ? Opcode.NO_TAG : task.tag());
    int response = exchange(request, Opcode.TASK_MANAGEMENT_RESPONSE, commandTimeout).byteAt(2);
    if (response == 0) {
      wire.ended(function, lun, task);
    }
    return response;
  }

  /// Sends a text request and returns the reply's keys.
  List<Map.Entry<String, String>> text(Map<String, String> keys) {
    Pdu request =
        Pdu.of(Opcode.TEXT | Opcode.IMMEDIATE, Opcode.FINAL)
            .tag(nextTag())
            .word(20, Opcode.NO_TAG)
            .data(TextKeys.encode(keys));
    Pdu reply = exchange(request, Opcode.TEXT_RESPONSE, commandTimeout);
    ByteBuffer all = ByteBuffer.allocate(1 << 20);
    all.put(reply.data().duplicate());
    while ((reply.flags() & Opcode.FINAL) == 0) {
      Pdu next =
          Pdu.of(Opcode.TEXT | Opcode.IMMEDIATE, Opcode.FINAL)
              .tag(reply.tag())
              .word(20, reply.wordAt(20));
      reply = exchange(next, Opcode.TEXT_RESPONSE, commandTimeout);
      all.put(reply.data().duplicate());
    }
    return TextKeys.decodePairs(all.flip());
  }

  /// The targets this session's target names for `which`: "All" in a discovery session, an empty
  /// text for itself.
  public List<DiscoveredTarget> sendTargets(String which) {
    return DiscoveredTarget.of(text(Map.of("SendTargets", which)));
  }

  /// Ends the session in order. Commands still under way fail.
  public void logout() {
    Pdu request = Pdu.of(Opcode.LOGOUT | Opcode.IMMEDIATE, Opcode.FINAL).tag(nextTag());
    Pdu reply = exchange(request, Opcode.LOGOUT_RESPONSE, LOGOUT_TIMEOUT);
    wire.fail(new TransportException("logged out"));
    if (reply.byteAt(2) != 0) {
      throw new IscsiProtocolException(
          "expected logout response 00h, got %02Xh".formatted(reply.byteAt(2)));
    }
  }

  /// Cuts the connection without a logout, as a path loss does.
  public void drop() {
    wire.fail(new TransportException("the connection was cut"));
  }

  /// Waits until the session has ended, whoever ended it; false if it lives after `timeout`.
  public boolean awaitEnd(Duration timeout) throws InterruptedException {
    return window.awaitFailure(timeout);
  }

  /// Logs out if the session still lives and releases the connection.
  @Override
  public void close() {
    try {
      if (alive()) {
        logout();
      }
    } catch (TransportException e) {
      // The session ended by itself: there is nothing to log out from.
      return;
    } finally {
      wire.fail(new TransportException("the session was closed"));
    }
  }

  private Pdu exchange(Pdu request, int answer, Duration timeout) {
    CompletableFuture<Pdu> reply = new CompletableFuture<>();
    window.immediate(cmdSn -> wire.send(request.word(24, cmdSn), reply));
    Pdu pdu = await(reply, request.toString(), timeout);
    if (pdu.opcode() != answer) {
      throw new IscsiProtocolException(
          "expected PDU %02Xh in answer to %s, got %s".formatted(answer, request, pdu));
    }
    return pdu;
  }

  private int nextTag() {
    int tag = tags.getAndIncrement();
    return tag == Opcode.NO_TAG ? tags.getAndIncrement() : tag;
  }

  private static <T> T await(CompletableFuture<T> future, String what, Duration timeout) {
    try {
      return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof TransportException cause) {
        throw new TransportException(what + ": " + cause.getMessage(), cause);
      }
      throw new TransportException(what + " failed", e);
    } catch (TimeoutException e) {
      throw new TransportException("%s: no answer within %s".formatted(what, timeout), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TransportException(what + ": interrupted", e);
    }
  }
}
