package io.coppice.iscsi;

import io.coppice.iscsi.login.LoginPhase;
import io.coppice.iscsi.pdu.Bhs;
import io.coppice.iscsi.pdu.InitiatorPdu;
import io.coppice.iscsi.pdu.TargetPdu;
import io.coppice.iscsi.pdu.TargetPdu.Reject;
import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// A session after its login (RFC 7143 §4.2.4, iSCSI Full Feature Phase): puts numbered PDUs in
/// order and hands each to what serves it. Belongs to the connection's event loop.
final class FullFeaturePhase implements Phase {

  private static final int LOGOUT_SESSION = 0;
  private static final int LOGOUT_CONNECTION = 1;
  private static final int LOGGED_OUT = 0;
  private static final int NO_SUCH_CID = 1;
  private static final int NO_RECOVERY = 2;

  private final Connection connection;
  private final TargetNode node;
  private final Session session;
  private final LoginPhase.Established login;
  private final CommandWindow window;
  private final DataMemory memory;
  private final TextExchange texts;
  private final @Nullable ScsiCommands commands;
  private final @Nullable TaskManagementRequests management;
  private final ScheduledFuture<?> keepAlive;
  private final ScheduledFuture<?> owed;
  private final @Nullable ScheduledFuture<?> lifetime;

  private @Nullable ByteBuf data;
  private boolean starved; // there was no memory for the data of the PDU that is being read
  private boolean pinged;
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
    this.memory = session.initiatorMemory().share(node.limits().dataShare());
    this.texts = new TextExchange(connection, node, login);
    if (session.target().isPresent() && session.nexus().isPresent()) {
      ScsiCommands made =
          new ScsiCommands(
              connection,
              node,
              window,
              login.parameters(),
              session.target().get(),
              session.nexus().get(),
              memory);
      commands = made;
      management =
          new TaskManagementRequests(
              connection, made, window, session.target().get(), session.nexus().get());
    } else {
      commands = null;
      management = null;
    }
    this.lifetime =
        commands != null
            ? null
            : connection
                .executor()
                .schedule(
                    connection::shutDown,
                    node.limits().waits().discoveryMs(),
                    TimeUnit.MILLISECONDS);
    IscsiWaits waits = node.limits().waits();
    this.keepAlive = connection.every(waits.nopMs(), this::checkAlive);
    this.owed = connection.every(waits.dataOutMs() / OutputWatch.LOOKS, this::lookAtWhatIsOwed);
  }

  @Override
  public @Nullable ByteBuf begin(InitiatorPdu pdu, int dataLength) {
    if (loggingOut || isOutsideWindow(pdu)) {
      return null;
    }
    return switch (pdu) {
      case InitiatorPdu.ScsiCommand it -> commands == null ? null : commands.begin(it, dataLength);
      case InitiatorPdu.DataOut it ->
          commands == null ? null : commands.beginDataOut(it, dataLength);
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
      case InitiatorPdu.DataOut it -> {
        if (commands != null) {
          commands.endDataOut(it, dataLength);
        } else {
          connection.reject(Reject.PROTOCOL_ERROR);
        }
      }
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
    if (lifetime != null) {
      lifetime.cancel(false);
    }
    if (logoutDue != null) {
      logoutDue.cancel(false);
    }
    giveBack(takeData());
    window.clear();
    if (commands != null) {
      commands.close();
    }
    session.end(connection);
  }

  /// Ends what runs at the device for a connection that has given its session up.
  ///
  /// @param done called, on any thread, when nothing of that can touch a volume any more, with the
  ///   number of the command that was expected next
  void endCommands(IntConsumer done) {
    int expected = window.expCmdSn();
    if (commands == null) {
      done.accept(expected);
    } else {
      commands.endAtDevice(() -> done.accept(expected));
    }
  }

  private void endCommand(InitiatorPdu.ScsiCommand pdu) {
    if (isOutsideWindow(pdu)) {
      node.counters().count(PeerFault.CMD_SN_OUTSIDE_WINDOW);
      return;
    }
    if (commands == null) {
      connection.reject(Reject.PROTOCOL_ERROR);
      order(pdu, new Nothing(pdu));
      return;
    }
    ScsiTask task = commands.end(pdu);
    order(pdu, task == null ? new Nothing(pdu) : new Start(commands, task));
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
    order(pdu, new Nothing(pdu));
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
      case InitiatorPdu.TaskManagement it -> {
        if (management == null) {
          connection.reject(Reject.PROTOCOL_ERROR, header);
        } else {
          management.perform(it);
        }
      }
      case InitiatorPdu.ScsiCommand _ ->
          throw new IllegalStateException("commands start by themselves");
    }
  }

  private void answerPing(InitiatorPdu.NopOut pdu, @Nullable ByteBuf ping) {
    if (pdu.initiatorTaskTag() == Bhs.NO_TAG) {
      giveBack(ping); // the answer to our own ping; that it came is enough
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
    if (commands != null) {
      commands.dropCollecting(task -> true);
    }
    // The answer says that the session is over: so no command of it may run any more.
    session.whenEnded(() -> connection.complete(new LoggedOut(pdu)));
    session.end(connection);
  }

  private void answerLogout(InitiatorPdu.Logout pdu, int response) {
    connection
        .writer()
        .write(
            new TargetPdu.LogoutResponse(
                pdu.initiatorTaskTag(), response, login.parameters().defaultTime2Wait(), 0));
  }

  /// Asks the initiator to log out (RFC 7143 §11.9.1, event 1) and drops the session if it has not
  /// done so in time, unless its portal is open again by then. A discovery session ends at once.
  void askForLogout() {
    if (loggingOut || logoutDue != null) {
      return;
    }
    if (commands == null) {
      connection.shutDown();
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

  private void endIfDraining() {
    logoutDue = null;
    if (connection.portal().isDraining() && !loggingOut) {
      connection.shutDown();
    }
  }

  /// Tells the initiator that the session is about to go.
  void announceEnd() {
    connection
        .writer()
        .write(
            new TargetPdu.AsyncMessage(
                TargetPdu.AsyncMessage.DROPS_SESSION, 0, login.parameters().defaultTime2Wait(), 0));
  }

  /// While we do not read, or the peer has not got all that it was sent, its silence says nothing:
  /// whether it takes its output does ([OutputWatch]).
  private void checkAlive() {
    boolean held = connection.mayBeHeldBack();
    if (connection.heardAnything() || held) {
      pinged = false;
      return;
    }
    if (pinged) {
      connection.fail(PeerFault.NOT_ALIVE);
      return;
    }
    pinged = true;
    connection.writer().write(new TargetPdu.NopIn(0, Bhs.NO_TAG, 1));
    connection.flush();
  }

  /// Ends what the initiator has begun and does not go on with: write commands whose data does not
  /// come, and the session, where commands wait for a number that was left out.
  private void lookAtWhatIsOwed() {
    if (connection.isBehind()) {
      return; // it may not know yet what we wait for
    }
    if (commands != null) {
      commands.endThoseWithoutData();
    }
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

    /// For a refusal: when its turn comes the reader may be further.
    private final ByteBuffer header =
        ByteBuffer.allocate(Bhs.LENGTH).put(connection.reader().lastHeader()).flip();

    Work(InitiatorPdu.Numbered pdu, @Nullable ByteBuf text) {
      this.pdu = pdu;
      this.text = text;
    }

    @Override
    public void run() {
      if (!pdu.immediate()) {
        window.ended();
      }
      perform(pdu, text, header);
    }

    @Override
    public void drop() {
      giveBack(text);
    }
  }

  /// A command that waits for its turn; its memory belongs to [ScsiCommands].
  private record Start(ScsiCommands commands, ScsiTask task) implements CommandWindow.Early {
    @Override
    public void run() {
      commands.start(task);
    }

    @Override
    public void drop() {}
  }

  /// Takes a number, if it has one, and does nothing.
  private final class Nothing implements CommandWindow.Early {
    private final InitiatorPdu.Numbered pdu;

    Nothing(InitiatorPdu.Numbered pdu) {
      this.pdu = pdu;
    }

    @Override
    public void run() {
      if (!pdu.immediate()) {
        window.ended();
      }
    }

    @Override
    public void drop() {}
  }

  /// The session has ended after a logout.
  private final class LoggedOut extends Completions.Node {
    private final InitiatorPdu.Logout pdu;

    LoggedOut(InitiatorPdu.Logout pdu) {
      this.pdu = pdu;
    }

    @Override
    void finish() {
      if (!connection.isClosed()) {
        answerLogout(pdu, LOGGED_OUT);
        connection.closeAfterFlush();
      }
    }
  }
}
