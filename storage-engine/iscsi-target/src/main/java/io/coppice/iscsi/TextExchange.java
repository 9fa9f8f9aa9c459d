package io.coppice.iscsi;

import io.coppice.iscsi.login.LoginPhase;
import io.coppice.iscsi.pdu.Bhs;
import io.coppice.iscsi.pdu.InitiatorPdu;
import io.coppice.iscsi.pdu.TargetPdu;
import io.coppice.iscsi.pdu.TargetPdu.Reject;
import io.coppice.iscsi.pdu.TextParameters;
import io.coppice.scsi.TargetDevice;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Text requests in the full feature phase: SendTargets (RFC 7143 Appendix C), over as many PDUs as
/// the initiator's data segments need. Belongs to the connection's event loop.
final class TextExchange {

  private final Connection connection;
  private final TargetNode node;
  private final LoginPhase.Established login;
  private byte[] rest = {};
  private int tag;

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
    try {
      if (pdu.more() || bytes.readableBytes() > node.limits().textLength()) {
        // No key of this phase needs text over several requests.
        refuse.accept(Reject.INVALID_PDU_FIELD);
      } else if (pdu.targetTransferTag() != Bhs.NO_TAG) {
        continueAnswer(pdu, refuse);
      } else {
        rest = answerTo(bytes.nioBuffer()).getBytes(StandardCharsets.UTF_8);
        sendPiece(pdu);
      }
    } catch (TextParameters.MalformedTextException e) {
      refuse.accept(Reject.PROTOCOL_ERROR);
    }
  }

  private void continueAnswer(InitiatorPdu.Text pdu, IntConsumer refuse) {
    if (rest.length == 0 || pdu.targetTransferTag() != tag) {
      refuse.accept(Reject.INVALID_PDU_FIELD);
    } else {
      sendPiece(pdu);
    }
  }

  private void sendPiece(InitiatorPdu.Text pdu) {
    int length = Math.min(rest.length, login.parameters().maxSendDataSegmentLength());
    boolean more = length < rest.length;
    if (more) {
      tag = tag + 1 & Integer.MAX_VALUE;
    }
    TargetPdu.TextResponse response =
        new TargetPdu.TextResponse(!more, more, pdu.initiatorTaskTag(), more ? tag : Bhs.NO_TAG);
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
    for (Map.Entry<String, String> pair : TextParameters.decode(text).entrySet()) {
      if (pair.getKey().equals("SendTargets")) {
        sendTargets(pair.getValue(), answer);
      } else {
        // Nothing else is negotiable after the login at this error recovery level.
        TextParameters.append(answer, pair.getKey(), "NotUnderstood");
      }
    }
    return answer.toString();
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
      if (target.admits(login.initiatorName())) {
        TextParameters.append(answer, "TargetName", target.name());
        for (String portal : node.portals().open(connection.localAddress())) {
          TextParameters.append(
              answer, "TargetAddress", portal + "," + TargetNode.PORTAL_GROUP_TAG);
        }
      }
    }
  }
}
