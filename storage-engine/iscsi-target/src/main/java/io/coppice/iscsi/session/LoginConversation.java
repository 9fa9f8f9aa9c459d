package io.coppice.iscsi.session;

import io.coppice.iscsi.connection.CommandWindow;
import io.coppice.iscsi.connection.Connection;
import io.coppice.iscsi.connection.PeerFault;
import io.coppice.iscsi.connection.Phase;
import io.coppice.iscsi.connection.Portal;
import io.coppice.iscsi.login.LoginPhase;
import io.coppice.iscsi.login.LoginRefusal;
import io.coppice.iscsi.login.LoginStatus;
import io.coppice.iscsi.login.SessionParameters;
import io.coppice.iscsi.pdu.InitiatorPdu;
import io.coppice.iscsi.pdu.SerialNumber;
import io.coppice.iscsi.pdu.TargetPdu;
import io.coppice.iscsi.pdu.TextParameters;
import io.coppice.scsi.transport.Nexus;
import io.coppice.scsi.transport.TargetDevice;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The login of a connection. It carries requests to the [LoginPhase], and waits before the last
/// answer until the session is admitted. Belongs to the connection's event loop.
public final class LoginConversation implements Phase {

  /// The longest data segment before anything is negotiated (RFC 7143 §13.12).
  private static final int DATA_LENGTH_MAX = 8192;

  private final Connection connection;
  private final TargetNode node;
  private final LoginPhase login;
  private final ScheduledFuture<?> timeout;
  private @Nullable ByteBuf text;
  private @Nullable Session session;
  private boolean begun;
  private boolean finished;

  /// Whether there is a session, or it is known why there is none.
  private boolean over;

  public LoginConversation(Connection connection, TargetNode node) {
    this.connection = connection;
    this.node = node;
    this.login = new LoginPhase(node.limits().login(), TargetNode.PORTAL_GROUP_TAG, node);
    this.timeout =
        connection
            .executor()
            .schedule(this::timedOut, node.limits().waits().loginMs(), TimeUnit.MILLISECONDS);
  }

  /// A new connection at a portal, which begins with a login.
  public static Connection connection(TargetNode node, Portal portal, Channel channel) {
    return new Connection(
        node.limits(), node.counters(), portal, channel, made -> new LoginConversation(made, node));
  }

  @Override
  public @Nullable ByteBuf begin(InitiatorPdu pdu, int dataLength) {
    if (!(pdu instanceof InitiatorPdu.Login) || finished) {
      connection.fail(PeerFault.NOT_LOGGED_IN);
      return null;
    }
    if (dataLength > DATA_LENGTH_MAX) {
      connection.fail(PeerFault.SEGMENT_TOO_LONG);
      return null;
    }
    ByteBuf memory = connection.alloc().buffer(Math.max(dataLength, 1));
    text = memory;
    return memory;
  }

  @Override
  public void end(InitiatorPdu pdu, int dataLength) {
    ByteBuf bytes = text;
    text = null;
    if (!(pdu instanceof InitiatorPdu.Login request) || bytes == null) {
      return;
    }
    ByteBuffer copy;
    try {
      copy = ByteBuffer.wrap(ByteBufUtil.getBytes(bytes));
    } finally {
      bytes.release();
    }
    if (!begun) {
      begun = true;
      connection.writer().beginLogin(request.expStatSn(), request.cmdSn());
    }
    LoginPhase.Step step = receive(request, copy);
    switch (step) {
      case LoginPhase.Step.Reply reply -> write(reply.response(), reply.text());
      case LoginPhase.Step.Establish establish -> establish(request, establish);
      case LoginPhase.Step.Refuse refuse -> refuse(refuse);
    }
  }

  private void timedOut() {
    fail(LoginRefusal.TOO_SLOW);
    connection.fail(PeerFault.LOGIN_TIMEOUT);
  }

  /// Remembers that the login ends without a session. One that has not begun is none: the peer may
  /// only look whether somebody listens.
  private void fail(LoginRefusal why) {
    if (begun && !over) {
      over = true;
      node.failures().add(connection.origin(), login.names(), why);
    }
  }

  @Override
  public void closed() {
    fail(LoginRefusal.GIVEN_UP);
    timeout.cancel(false);
    if (text != null) {
      text.release();
      text = null;
    }
    if (session != null) {
      session.end(connection);
    }
  }

  private LoginPhase.Step receive(InitiatorPdu.Login request, ByteBuffer bytes) {
    try {
      return login.receive(request, bytes);
    } catch (RuntimeException e) {
      // Secrets and admission come from others: their failure is not the initiator's.
      node.counters().count(PeerFault.INTERNAL);
      return LoginPhase.refuse(request, LoginRefusal.OUR_FAULT, String.valueOf(e.getMessage()));
    }
  }

  private void refuse(LoginPhase.Step.Refuse refuse) {
    node.counters().count(PeerFault.LOGIN_REFUSED);
    fail(refuse.why());
    end(refuse.response(), "");
  }

  private void refuse(InitiatorPdu.Login request, LoginRefusal why, String reason) {
    refuse(LoginPhase.refuse(request, why, reason));
  }

  private void end(TargetPdu.LoginResponse response, String answer) {
    finished = true;
    over = true;
    write(response, answer);
    connection.closeAfterFlush();
  }

  /// Sends the initiator to another portal (RFC 7143 §11.13.5, §13.8: the address without a portal
  /// group tag). It happens only now, since only those who may log in are told of the portals.
  private void sendElsewhere(InitiatorPdu.Login request, String address) {
    node.counters().countRedirect();
    StringBuilder answer = new StringBuilder();
    TextParameters.append(answer, "TargetAddress", address);
    end(LoginPhase.response(request, LoginStatus.TARGET_MOVED_TEMPORARILY), answer.toString());
  }

  /// @param home the portal that it belongs to
  private void sendAway(InitiatorPdu.Login request, LoginRedirects.NexusName nexus, Portal home) {
    Optional<String> instead =
        node.portals().insteadOf(connection.portal(), connection.localAddress());
    if (instead.isEmpty()) {
      refuse(request, LoginRefusal.NO_PORTAL, "no portal takes logins");
      return;
    }
    node.portals().homes().expect(nexus, home);
    sendElsewhere(request, instead.get());
  }

  private void establish(InitiatorPdu.Login request, LoginPhase.Step.Establish establish) {
    LoginPhase.Established login = establish.session();
    finished = true;
    Optional<Session> older = Optional.empty();
    if (request.tsih() != 0) {
      older = node.sessions().find(request.tsih(), login.port(), login.target());
      if (older.isEmpty()) {
        refuse(request, LoginRefusal.NO_SUCH_SESSION, "no session has that TSIH");
        return;
      }
      if (older.get().cid() != login.cid() || login.target().isEmpty()) {
        refuse(request, LoginRefusal.SECOND_CONNECTION, "one connection a session");
        return;
      }
    }
    Optional<String> stopped = login.target().flatMap(TargetDevice::outOfService);
    if (stopped.isPresent()) {
      // An initiator tries again. With sessions on a pool that has stopped, it would report errors.
      refuse(request, LoginRefusal.POOL_STOPPED, stopped.get());
      return;
    }
    Portal here = connection.portal();
    Optional<LoginRedirects.NexusName> nexus =
        LoginRedirects.NexusName.of(login.port(), login.target());
    Optional<Portal> home = nexus.flatMap(node.portals().homes()::take);
    if (nexus.isPresent() && here.isDraining()) {
      sendAway(request, nexus.get(), home.orElse(here));
    } else if (home.isPresent() && home.get() != here && !home.get().isDraining()) {
      // It was called home but came back to where it was: it is told once where its home is.
      sendElsewhere(request, home.get().told(connection.localAddress()));
    } else if (older.isPresent()) {
      takeOver(request, establish, older.get());
    } else {
      open(request, establish, home);
    }
  }

  private void open(
      InitiatorPdu.Login request, LoginPhase.Step.Establish establish, Optional<Portal> home) {
    LoginPhase.Established login = establish.session();
    Optional<Session> opened =
        node.sessions()
            .open(
                login,
                connection,
                home,
                isOpen ->
                    connection.complete(
                        () -> admit(request, establish, login, isOpen, request.cmdSn())));
    session = opened.orElse(null);
    if (opened.isEmpty()) {
      refuse(request, LoginRefusal.TOO_MANY_SESSIONS, "too many sessions");
    }
  }

  /// Takes the place of the connection of a session (RFC 7143 §6.3.4). That connection ends with
  /// all that came over it. The session, its nexus and its numbers stay.
  private void takeOver(
      InitiatorPdu.Login request, LoginPhase.Step.Establish establish, Session taken) {
    Optional<Connection> older = taken.moveTo(connection);
    if (older.isEmpty()) {
      refuse(request, LoginRefusal.NO_SUCH_SESSION, "the session is ending, or moving");
      return;
    }
    session = taken;
    LoginPhase.Established login = establish.session();
    LoginPhase.Established kept =
        new LoginPhase.Established(
            login.port(),
            login.cid(),
            login.target(),
            taken.parameters().withConnection(login.parameters()));
    older
        .get()
        .giveUpSession(
            expected -> {
              // Numbers that came are not taken twice. Numbers that did not come are over.
              int first =
                  SerialNumber.before(request.cmdSn(), expected) ? expected : request.cmdSn();
              connection.complete(() -> admit(request, establish, kept, true, first));
            });
  }

  /// Sends the last answer: the predecessor of the session, or of this connection in it, has ended.
  private void admit(
      InitiatorPdu.Login request,
      LoginPhase.Step.Establish establish,
      LoginPhase.Established login,
      boolean isOpen,
      int firstCmdSn) {
    Session opened = session;
    if (!isOpen || opened == null || connection.isClosed() || !opened.settle(login.parameters())) {
      connection.close();
      return;
    }
    over = true;
    timeout.cancel(false);
    CommandWindow window = new CommandWindow(node.limits().commands().window(), firstCmdSn);
    connection.writer().use(window);
    TargetPdu.LoginResponse it = establish.response();
    write(
        new TargetPdu.LoginResponse(
            it.transit(),
            it.more(),
            it.currentStage(),
            it.nextStage(),
            it.isid(),
            opened.handle(),
            request.initiatorTaskTag(),
            it.status()),
        establish.text());
    node.counters().countLogin();
    SessionParameters agreed = login.parameters();
    connection.writer().useDigests(agreed.headerDigest(), agreed.dataDigest());
    connection.writer().useSegments(agreed.maxSendDataSegmentLength());
    connection
        .reader()
        .configure(agreed.headerDigest(), agreed.dataDigest(), agreed.maxRecvDataSegmentLength());
    FullFeaturePhase running = phaseOf(opened, login, window);
    connection.enter(running);
    if (opened.target().isPresent() && connection.portal().isDraining()) {
      // The drain began while the login was under way, and did not see this session.
      running.askForLogout();
    } else if (opened.home() != connection.portal() && !opened.home().isDraining()) {
      node.callHome(opened); // that drain ended meanwhile
    }
  }

  private FullFeaturePhase phaseOf(
      Session opened, LoginPhase.Established login, CommandWindow window) {
    Optional<TargetDevice> target = opened.target();
    Optional<Nexus> nexus = opened.nexus();
    return target.isPresent() && nexus.isPresent()
        ? new NormalPhase(connection, node, opened, login, window, target.get(), nexus.get())
        : new DiscoveryPhase(connection, node, opened, login, window);
  }

  private void write(TargetPdu.LoginResponse response, String answer) {
    if (answer.isEmpty()) {
      connection.writer().write(response);
    } else {
      connection.writer().write(response, ByteBufUtil.writeUtf8(connection.alloc(), answer));
    }
  }
}
