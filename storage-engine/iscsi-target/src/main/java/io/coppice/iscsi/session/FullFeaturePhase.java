package io.coppice.iscsi.session;

import io.coppice.iscsi.connection.CommandWindow;
import io.coppice.iscsi.connection.Connection;
import io.coppice.iscsi.connection.DataMemory;
import io.coppice.iscsi.connection.OutputWatch;
import io.coppice.iscsi.connection.PeerFault;
import io.coppice.iscsi.connection.Phase;
import io.coppice.iscsi.login.LoginPhase;
import io.coppice.iscsi.pdu.Bhs;
import io.coppice.iscsi.pdu.InitiatorPdu;
import io.coppice.iscsi.pdu.TargetPdu;
import io.coppice.iscsi.pdu.TargetPdu.Reject;
import io.coppice.iscsi.setting.IscsiTimeouts;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The phase of a session after its login (RFC 7143 §4.2.4, iSCSI Full Feature Phase). It puts
/// numbered PDUs in order and serves those that every session has. Belongs to the connection's
/// event loop.
abstract sealed class FullFeaturePhase implements Phase permits DiscoveryPhase, NormalPhase {

  private static final int LOGOUT_SESSION = 0;
  private static final int LOGOUT_CONNECTION = 1;
  private static final int LOGGED_OUT = 0;
  private static final int NO_SUCH_CID = 1;
  private static final int NO_RECOVERY = 2;

  final Connection connection;
  private final TargetNode node;
  private final Session session;
  private final LoginPhase.Established login;
  final CommandWindow window;
  final DataMemory memory;
  private final TextExchange texts;
  private final ScheduledFuture<?> keepAlive;
  private final ScheduledFuture<?> owed;

  private @Nullable ByteBuf data;
  private boolean starved; // there was no memory for the data of the PDU that is being read
  private boolean pinged;
  private long pingSent; // 0: none is under way
  private boolean working; // a command came since the last look
  private boolean loggingOut;
  private int gapSn;
  private int gapLooks;
  private @Nullable ScheduledFuture<?> logoutDue;

  FullFeaturePhase(
      Connection connection,
      TargetNode node,
      Session session,
      LoginPhase.Established login,
      CommandWindow window) {
    this.connection = connection;
    this.node = node;
    this.session = session;
    this.login = login;
    this.window = window;
    this.memory = session.initiatorMemory().share(node.limits().commands().dataShare());
    this.texts = new TextExchange(connection, node, login);
    IscsiTimeouts waits = node.limits().waits();
    this.keepAlive = connection.every(waits.nopMs(), this::checkAlive);
    this.owed = connection.every(waits.dataOutMs() / OutputWatch.LOOKS, this::lookAtWhatIsOwed);
  }

  @Override
  public @Nullable ByteBuf begin(InitiatorPdu pdu, int dataLength) {
    if (loggingOut || isOutsideWindow(pdu)) {
      return null;
    }
    return switch (pdu) {
      case InitiatorPdu.ScsiCommand it -> {
        working = true;
        yield beginCommand(it, dataLength);
      }
      case InitiatorPdu.DataOut it -> beginDataOut(it, dataLength);
      case InitiatorPdu.NopOut _, InitiatorPdu.Text _ -> receive(dataLength);
      case InitiatorPdu.TaskManagement _,
          InitiatorPdu.Login _,
          InitiatorPdu.Logout _,
          InitiatorPdu.Snack _,
          InitiatorPdu.Unknown _ ->
          null;
    };
  }

  @Override
  public void end(InitiatorPdu pdu, int dataLength) {
    if (loggingOut) {
      return;
    }
    switch (pdu) {
      case InitiatorPdu.ScsiCommand it -> endCommand(it);
      case InitiatorPdu.DataOut it -> endDataOut(it, dataLength);
      case InitiatorPdu.Numbered it -> endNumbered(it);
      case InitiatorPdu.Snack _ -> connection.reject(Reject.SNACK_REJECT);
      case InitiatorPdu.Login _ -> connection.reject(Reject.PROTOCOL_ERROR);
      case InitiatorPdu.Unknown _ -> connection.reject(Reject.COMMAND_NOT_SUPPORTED);
    }
  }

  @Override
  public void closed() {
    keepAlive.cancel(false);
    owed.cancel(false);
    if (logoutDue != null) {
      logoutDue.cancel(false);
    }
    giveBack(takeData());
    window.clear();
    closeCommands();
    session.end(connection);
  }

  /// Begins with a command; null if its data is not wanted.
  abstract @Nullable ByteBuf beginCommand(InitiatorPdu.ScsiCommand pdu, int dataLength);

  /// Begins with data of a command; null if it is not wanted.
  abstract @Nullable ByteBuf beginDataOut(InitiatorPdu.DataOut pdu, int dataLength);

  abstract void endDataOut(InitiatorPdu.DataOut pdu, int dataLength);

  /// Takes a command whose data is complete. Returns what to run in its turn; null if it was
  /// rejected.
  abstract CommandWindow.@Nullable Early takeCommand(InitiatorPdu.ScsiCommand pdu);

  abstract void manage(InitiatorPdu.TaskManagement pdu, ByteBuffer header);

  /// Forgets commands that still wait for their data: the session logs out.
  abstract void dropCollecting();

  /// Ends commands whose data the initiator has owed for too long.
  abstract void endThoseWithoutData();

  /// The connection is gone.
  abstract void closeCommands();

  private void endCommand(InitiatorPdu.ScsiCommand pdu) {
    if (isOutsideWindow(pdu)) {
      node.counters().count(PeerFault.CMD_SN_OUTSIDE_WINDOW);
      return;
    }
    CommandWindow.Early start = takeCommand(pdu);
    order(pdu, start == null ? () -> endTurn(pdu) : start);
  }

  private void endNumbered(InitiatorPdu.Numbered pdu) {
    if (!starved) {
      order(pdu, new Work(pdu, takeData()));
      return;
    }
    starved = false;
    if (isOutsideWindow(pdu)) {
      node.counters().count(PeerFault.CMD_SN_OUTSIDE_WINDOW);
      return;
    }
    connection.reject(Reject.OUT_OF_RESOURCES);
    order(pdu, () -> endTurn(pdu));
  }

  /// Runs a numbered PDU in its turn.
  private void order(InitiatorPdu.Numbered pdu, CommandWindow.Early work) {
    if (pdu.immediate()) {
      work.run();
      runWaiting();
      return;
    }
    switch (window.placeOf(pdu.cmdSn())) {
      case NEXT -> {
        window.advance();
        work.run();
        runWaiting();
      }
      case EARLY -> window.hold(pdu.cmdSn(), work);
      case OUTSIDE -> {
        node.counters().count(PeerFault.CMD_SN_OUTSIDE_WINDOW);
        work.drop();
      }
    }
  }

  /// Gives the PDU's number back, if it has one.
  private void endTurn(InitiatorPdu.Numbered pdu) {
    if (!pdu.immediate()) {
      window.ended();
    }
  }

  private void runWaiting() {
    CommandWindow.Early waiting = window.nextWaiting();
    while (waiting != null) {
      waiting.run();
      waiting = window.nextWaiting();
    }
  }

  /// @param header its 48 bytes
  private void perform(InitiatorPdu.Numbered pdu, @Nullable ByteBuf text, ByteBuffer header) {
    switch (pdu) {
      case InitiatorPdu.NopOut it -> answerPing(it, text);
      case InitiatorPdu.Text it -> {
        try {
          texts.answer(it, text, reason -> connection.reject(reason, header));
        } finally {
          giveBack(text);
        }
      }
      case InitiatorPdu.Logout it -> logOut(it);
      case InitiatorPdu.TaskManagement it -> manage(it, header);
      case InitiatorPdu.ScsiCommand _ ->
          throw new IllegalStateException("commands start by themselves");
    }
  }

  private void answerPing(InitiatorPdu.NopOut pdu, @Nullable ByteBuf ping) {
    if (pdu.initiatorTaskTag() == Bhs.NO_TAG) {
      giveBack(ping); // the answer to our own ping
      if (pingSent != 0) {
        session.answered(System.nanoTime() - pingSent);
        pingSent = 0;
      }
      return;
    }
    TargetPdu.NopIn answer = new TargetPdu.NopIn(0, pdu.initiatorTaskTag(), Bhs.NO_TAG);
    if (ping == null) {
      connection.writer().write(answer);
      return;
    }
    ping.writerIndex(Math.min(ping.writerIndex(), connection.writer().segmentMax()));
    int held = ping.capacity();
    connection.writer().write(answer, ping, () -> memory.giveBack(held));
  }

  private void logOut(InitiatorPdu.Logout pdu) {
    int reason = pdu.reason();
    if (reason != LOGOUT_SESSION && reason != LOGOUT_CONNECTION) {
      answerLogout(pdu, NO_RECOVERY);
      return;
    }
    if (reason == LOGOUT_CONNECTION && pdu.cid() != login.cid()) {
      answerLogout(pdu, NO_SUCH_CID);
      return;
    }
    loggingOut = true;
    dropCollecting();
    // The answer says that the session is over, so no command of it may run any more.
    session.whenEnded(() -> connection.complete(() -> endLogout(pdu)));
    session.end(connection);
  }

  /// Ends the connection of a session that has ended.
  private void endLogout(InitiatorPdu.Logout pdu) {
    if (!connection.isClosed()) {
      answerLogout(pdu, LOGGED_OUT);
      connection.closeAfterFlush();
    }
  }

  private void answerLogout(InitiatorPdu.Logout pdu, int response) {
    connection
        .writer()
        .write(
            new TargetPdu.LogoutResponse(
                pdu.initiatorTaskTag(), response, login.parameters().defaultTime2Wait(), 0));
  }

  @Override
  public void askForLogout() {
    if (isAskedForLogout()) {
      return;
    }
    int timeoutMs = node.limits().waits().logoutMs();
    logoutDue =
        connection.executor().schedule(this::endIfDraining, timeoutMs, TimeUnit.MILLISECONDS);
    int seconds = Math.clamp((timeoutMs + 999) / 1000, 1, 3600);
    connection
        .writer()
        .write(new TargetPdu.AsyncMessage(TargetPdu.AsyncMessage.REQUESTS_LOGOUT, 0, 0, seconds));
    connection.flush();
  }

  /// Whether the session logs out, or was asked to.
  final boolean isAskedForLogout() {
    return loggingOut || logoutDue != null;
  }

  private void endIfDraining() {
    logoutDue = null;
    if (connection.portal().isDraining() && !loggingOut) {
      connection.shutDown();
    }
  }

  @Override
  public void announceEnd() {
    connection
        .writer()
        .write(
            new TargetPdu.AsyncMessage(
                TargetPdu.AsyncMessage.DROPS_SESSION, 0, login.parameters().defaultTime2Wait(), 0));
  }

  /// Asks a silent initiator for a sign of life, and one that is busy how long it takes to answer.
  /// While we do not read, or the peer has not got all its output, its silence says nothing. Then
  /// [OutputWatch] judges by whether it takes its output.
  private void checkAlive() {
    boolean held = connection.mayBeHeldBack();
    if (connection.heardAnything() || held) {
      pinged = false;
      if (!held && working && pingSent == 0) {
        ping();
      }
      working = false;
      return;
    }
    if (pinged) {
      connection.fail(PeerFault.NOT_ALIVE);
      return;
    }
    pinged = true;
    ping();
  }

  private void ping() {
    pingSent = pingSent == 0 ? System.nanoTime() : pingSent; // of the first without an answer
    connection.writer().write(new TargetPdu.NopIn(0, Bhs.NO_TAG, 1));
    connection.flush();
  }

  /// Ends what the initiator has begun and does not go on with: write commands whose data does not
  /// come, and the session if commands wait for a number that was left out.
  private void lookAtWhatIsOwed() {
    if (connection.isBehind()) {
      return; // it may not know yet what we wait for
    }
    endThoseWithoutData();
    if (!window.hasWaiting() || window.expCmdSn() != gapSn) {
      gapSn = window.expCmdSn();
      gapLooks = 0;
    } else if (++gapLooks >= OutputWatch.LOOKS) {
      connection.fail(PeerFault.COMMAND_TIMEOUT);
    }
    connection.flush();
  }

  private boolean isOutsideWindow(InitiatorPdu pdu) {
    return pdu instanceof InitiatorPdu.Numbered it
        && !it.immediate()
        && window.placeOf(it.cmdSn()) == CommandWindow.Place.OUTSIDE;
  }

  private @Nullable ByteBuf receive(int length) {
    data = length == 0 ? null : connection.allocate(memory, length);
    starved = length > 0 && data == null;
    return data;
  }

  private void giveBack(@Nullable ByteBuf held) {
    if (held != null) {
      memory.giveBack(held.capacity());
      held.release();
    }
  }

  private @Nullable ByteBuf takeData() {
    ByteBuf taken = data;
    data = null;
    return taken;
  }

  /// A numbered PDU other than a command, with its data.
  private final class Work implements CommandWindow.Early {
    private final InitiatorPdu.Numbered pdu;
    private final @Nullable ByteBuf text;

    /// For a refusal: when its turn comes, the reader may have moved on.
    private final ByteBuffer header =
        ByteBuffer.allocate(Bhs.LENGTH).put(connection.reader().lastHeader()).flip();

    Work(InitiatorPdu.Numbered pdu, @Nullable ByteBuf text) {
      this.pdu = pdu;
      this.text = text;
    }

    @Override
    public void run() {
      endTurn(pdu);
      perform(pdu, text, header);
    }

    @Override
    public void drop() {
      giveBack(text);
    }
  }
}
