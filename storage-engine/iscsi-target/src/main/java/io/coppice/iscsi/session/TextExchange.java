package io.coppice.iscsi.session;

import io.coppice.iscsi.connection.Connection;
import io.coppice.iscsi.login.FullFeatureKeys;
import io.coppice.iscsi.login.LoginPhase;
import io.coppice.iscsi.pdu.Bhs;
import io.coppice.iscsi.pdu.InitiatorPdu;
import io.coppice.iscsi.pdu.TargetPdu;
import io.coppice.iscsi.pdu.TargetPdu.Reject;
import io.coppice.iscsi.pdu.TextParameters;
import io.coppice.scsi.transport.TargetDevice;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// The text requests of the full feature phase (RFC 7143 §11.10, §11.11): SendTargets (Appendix C)
/// and the few keys that may be said there, over as many PDUs as either side needs. Belongs to the
/// connection's event loop.
///
/// Declarations in the text of a sequence of requests hold from the answer to its last one on (F
/// bit). A new sequence forgets what an older one has left.
final class TextExchange {

  private final Connection connection;
  private final TargetNode node;
  private final LoginPhase.Established login;
  private final ByteArrayOutputStream collected = new ByteArrayOutputStream();
  private byte[] rest = {};
  private int segmentDeclared;
  private int textLength;
  private int tag;
  private boolean open;

  TextExchange(Connection connection, TargetNode node, LoginPhase.Established login) {
    this.connection = connection;
    this.node = node;
    this.login = login;
  }

  /// Answers one request.
  ///
  /// @param text its data segment; the caller's
  /// @param refuse takes the reason of a Reject
  void answer(InitiatorPdu.Text pdu, @Nullable ByteBuf text, IntConsumer refuse) {
    ByteBuf bytes = text == null ? Unpooled.EMPTY_BUFFER : text;
    boolean fresh = pdu.targetTransferTag() == Bhs.NO_TAG;
    if (fresh) {
      forget();
    }
    textLength += bytes.readableBytes();
    boolean follows = fresh || open && pdu.targetTransferTag() == tag;
    // While our answer is on its way, the other side only asks for the rest of it.
    boolean inTurn = rest.length == 0 || !bytes.isReadable() && !pdu.more();
    boolean complete = pdu.last() && pdu.more();
    if (!follows || !inTurn || complete || textLength > node.limits().login().textLength()) {
      open = false;
      refuse.accept(Reject.INVALID_PDU_FIELD);
      return;
    }
    collected.writeBytes(ByteBufUtil.getBytes(bytes));
    try {
      proceed(pdu);
    } catch (TextParameters.MalformedTextException e) {
      open = false;
      refuse.accept(Reject.PROTOCOL_ERROR);
    }
  }

  private void forget() {
    collected.reset();
    rest = new byte[0];
    segmentDeclared = 0;
    textLength = 0;
  }

  private void proceed(InitiatorPdu.Text pdu) {
    if (pdu.more()) {
      send(pdu, 0); // text that is cut anywhere, even in a key: nothing can be said to it yet
      return;
    }
    if (collected.size() > 0) {
      rest = answerTo(ByteBuffer.wrap(collected.toByteArray())).getBytes(StandardCharsets.UTF_8);
      collected.reset();
    }
    if (pdu.last() && segmentDeclared > 0) {
      connection.writer().useSegments(segmentDeclared);
      segmentDeclared = 0;
    }
    send(pdu, Math.min(rest.length, connection.writer().segmentMax()));
  }

  /// @param length bytes of the rest of the answer
  private void send(InitiatorPdu.Text pdu, int length) {
    boolean more = length < rest.length;
    boolean last = pdu.last() && !more;
    tag = tag + 1 & Integer.MAX_VALUE;
    open = !last;
    TargetPdu.TextResponse response =
        new TargetPdu.TextResponse(last, more, pdu.initiatorTaskTag(), last ? Bhs.NO_TAG : tag);
    if (length == 0) {
      connection.writer().write(response);
      return;
    }
    connection
        .writer()
        .write(response, connection.alloc().buffer(length).writeBytes(rest, 0, length));
    rest = Arrays.copyOfRange(rest, length, rest.length);
  }

  private String answerTo(ByteBuffer text) {
    StringBuilder answer = new StringBuilder();
    TextParameters.decode(text).forEach((key, value) -> answerKey(key, value, answer));
    return answer.toString();
  }

  private void answerKey(String key, String value, StringBuilder answer) {
    if (key.equals("SendTargets")) {
      sendTargets(value, answer);
      return;
    }
    switch (FullFeatureKeys.of(key, value)) {
      case FullFeatureKeys.Meaning.SegmentLength(int bytes) -> segmentDeclared = bytes;
      case FullFeatureKeys.Meaning.Declared _ -> {}
      case FullFeatureKeys.Meaning.Refused(String refusal) ->
          TextParameters.append(answer, key, refusal);
    }
  }

  private void sendTargets(String which, StringBuilder answer) {
    List<TargetDevice> chosen;
    if (login.target().isPresent()) {
      // In a normal session there is only the target itself to tell of.
      String own = login.target().get().name();
      boolean asksForOwn = which.isEmpty() || which.toLowerCase(Locale.ROOT).equals(own);
      chosen = asksForOwn ? List.of(login.target().get()) : List.of();
    } else if (which.equals("All")) {
      chosen = node.targets();
    } else {
      Optional<TargetDevice> named = node.target(which.toLowerCase(Locale.ROOT));
      chosen = named.stream().toList();
    }
    for (TargetDevice target : chosen) {
      if (target.admits(login.port().name())) {
        TextParameters.append(answer, "TargetName", target.name());
        for (String portal : node.portals().open(connection.localAddress())) {
          TextParameters.append(
              answer, "TargetAddress", portal + "," + TargetNode.PORTAL_GROUP_TAG);
        }
      }
    }
  }
}
