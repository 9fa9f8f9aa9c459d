package io.coppice.iscsi.login;

import io.coppice.iscsi.pdu.InitiatorPdu;
import io.coppice.iscsi.pdu.TargetPdu;
import io.coppice.iscsi.pdu.TextParameters;
import io.coppice.iscsi.setting.IscsiLimits.LoginLimits;
import io.coppice.scsi.secret.SecretsLockedException;
import io.coppice.scsi.transport.InitiatorPort;
import io.coppice.scsi.transport.TargetDevice;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One login, from its first request to the full feature phase (RFC 7143 §6.3).
///
/// Requests go in with their text, and a [Step] comes out. A step [Step.Establish] or [Step.Refuse]
/// is the last one. Belongs to one connection and its thread; knows neither sockets nor time.
public final class LoginPhase {

  /// The next step of the connection.
  public sealed interface Step {

    /// A reply: send it and wait for the next request.
    record Reply(TargetPdu.LoginResponse response, String text) implements Step {}

    /// An admission: admit the session, then send this with the session's handle put in, and enter
    /// the full feature phase.
    record Establish(TargetPdu.LoginResponse response, String text, Established session)
        implements Step {}

    /// A refusal: send it and close.
    record Refuse(TargetPdu.LoginResponse response, LoginRefusal why, String reason)
        implements Step {}
  }

  /// The initiator that logged in, and its target.
  ///
  /// @param target empty for a discovery session
  public record Established(
      InitiatorPort port, int cid, Optional<TargetDevice> target, SessionParameters parameters) {}

  private static final int SECURITY = 0;
  private static final int OPERATIONAL = 1;
  private static final int FULL_FEATURE = 3;
  private static final int NAME_LENGTH_MAX = 223;
  private static final String SEGMENT_LENGTH = "MaxRecvDataSegmentLength";

  private final LoginLimits offer;
  private final int portalGroupTag;
  private final LoginAuthority authority;
  private final ByteArrayOutputStream collected = new ByteArrayOutputStream();
  private final Set<String> seen = new HashSet<>();

  private InitiatorPdu.@Nullable Login first;
  private int stage = -1;
  private int textLength;
  private int requests;
  private LoginNames names = LoginNames.NONE;
  private @Nullable String initiatorName;
  private @Nullable TargetDevice target;
  private boolean discovery;
  private @Nullable Negotiation negotiation;
  private Optional<String> secret = Optional.empty();
  private @Nullable ChapExchange chap;
  private boolean segmentDeclared;
  private boolean portalGroupDeclared;

  public LoginPhase(LoginLimits offer, int portalGroupTag, LoginAuthority authority) {
    this.offer = offer;
    this.portalGroupTag = portalGroupTag;
    this.authority = authority;
  }

  /// Takes a request.
  ///
  /// @param text its data segment, from its position
  public Step receive(InitiatorPdu.Login request, ByteBuffer text) {
    try {
      return accept(request, text);
    } catch (LoginRefusedException e) {
      return refuse(request, e.refusal(), String.valueOf(e.getMessage()));
    } catch (TextParameters.MalformedTextException e) {
      return refuse(request, LoginRefusal.BROKEN_RULES, String.valueOf(e.getMessage()));
    }
  }

  /// The step that ends a login for a reason that the phase itself does not know.
  public static Step.Refuse refuse(InitiatorPdu.Login request, LoginRefusal why, String reason) {
    return new Step.Refuse(response(request, why.told()), why, reason);
  }

  /// The answer that ends a login.
  public static TargetPdu.LoginResponse response(InitiatorPdu.Login request, LoginStatus status) {
    return new TargetPdu.LoginResponse(
        false,
        false,
        request.currentStage(),
        0,
        request.isid(),
        request.tsih(),
        request.initiatorTaskTag(),
        status.code());
  }

  /// The names that it claims, as far as they have come.
  public LoginNames names() {
    return names;
  }

  private Step accept(InitiatorPdu.Login request, ByteBuffer text) {
    checkHeader(request);
    collect(text);
    if (request.more()) {
      return new Step.Reply(response(request, false), "");
    }
    Map<String, String> keys = TextParameters.decode(ByteBuffer.wrap(collected.toByteArray()));
    collected.reset();
    for (String key : keys.keySet()) {
      if (!seen.add(key)) {
        throw new LoginRefusedException(
            LoginRefusal.BROKEN_RULES, "expected each key once in a login, got " + key + " again");
      }
    }
    Negotiation agreed = negotiation;
    if (agreed == null) {
      names =
          new LoginNames(
              Optional.ofNullable(keys.get("InitiatorName")),
              Optional.ofNullable(keys.get("TargetName")));
      agreed = introduce(keys, request.tsih() == 0);
      negotiation = agreed;
    }
    StringBuilder answer = new StringBuilder();
    if (target != null && !portalGroupDeclared) {
      portalGroupDeclared = true;
      keys.remove("TargetPortalGroupTag"); // ours to say: that is the answer
      TextParameters.append(answer, "TargetPortalGroupTag", Integer.toString(portalGroupTag));
    }
    answerKeys(keys, agreed, answer);
    return next(request, agreed, answer);
  }

  /// The identity of a login holds for all of it (RFC 7143 §11.12.5 to §11.12.7). A request with
  /// another one belongs to another login, which this one must not become.
  private void checkSame(InitiatorPdu.Login request) {
    InitiatorPdu.Login begun = first;
    if (begun == null) {
      first = request;
      return;
    }
    checkSame("initiator task tag", begun.initiatorTaskTag(), request.initiatorTaskTag());
    checkSame("ISID", begun.isid(), request.isid());
    checkSame("TSIH", begun.tsih(), request.tsih());
    checkSame("CID", begun.cid(), request.cid());
  }

  private static void checkSame(String field, long before, long now) {
    if (before != now) {
      throw new LoginRefusedException(
          LoginRefusal.BROKEN_RULES,
          "expected the %s %x in all requests of a login, got %x".formatted(field, before, now));
    }
  }

  private void checkHeader(InitiatorPdu.Login request) {
    checkSame(request);
    if (request.versionMin() > 0) {
      throw new LoginRefusedException(
          LoginRefusal.UNSUPPORTED_VERSION,
          "expected a minimum version of 0, got " + request.versionMin());
    }
    int current = request.currentStage();
    boolean stageFits = stage < 0 ? current <= OPERATIONAL : current == stage;
    boolean transitFits =
        !request.transit()
            || (request.nextStage() > current && request.nextStage() != 2 && !request.more());
    if (!stageFits || !transitFits) {
      throw new LoginRefusedException(
          LoginRefusal.STAGES_OUT_OF_ORDER,
          "stage %d to %d does not follow stage %d".formatted(current, request.nextStage(), stage));
    }
    stage = current;
  }

  private void collect(ByteBuffer text) {
    textLength += text.remaining();
    requests++;
    // Each round trip answers something; an initiator needs four or five of them.
    if (textLength > offer.textLength() || requests > 64) {
      throw new LoginRefusedException(
          LoginRefusal.BROKEN_RULES,
          "expected at most %d bytes of text in 64 requests".formatted(offer.textLength()));
    }
    byte[] bytes = new byte[text.remaining()];
    text.get(bytes);
    collected.writeBytes(bytes);
  }

  /// Takes the names in the first request: the initiator and its target (RFC 7143 §6.3).
  private Negotiation introduce(Map<String, String> keys, boolean leading) {
    String name = requiredName(keys, "InitiatorName");
    discovery = isDiscovery(keys.getOrDefault("SessionType", "Normal"));
    if (!discovery) {
      String targetName = requiredName(keys, "TargetName");
      target =
          authority
              .target(targetName)
              .orElseThrow(
                  () -> new LoginRefusedException(LoginRefusal.UNKNOWN_TARGET, "no such target"));
    }
    initiatorName = name;
    secret = secretOf(name);
    return new Negotiation(offer, discovery, leading);
  }

  /// An initiator whose secret cannot be read is not let in without one.
  private Optional<String> secretOf(String name) {
    try {
      return authority.chapSecret(name);
    } catch (SecretsLockedException e) {
      throw new LoginRefusedException(
          LoginRefusal.SECRETS_LOCKED,
          "the secret of this initiator cannot be read: " + e.getMessage());
    }
  }

  private static boolean isDiscovery(String type) {
    return switch (type) {
      case "Discovery" -> true;
      case "Normal" -> false;
      default ->
          throw new LoginRefusedException(
              LoginRefusal.UNKNOWN_SESSION_TYPE, "expected Normal or Discovery");
    };
  }

  private static String requiredName(Map<String, String> keys, String key) {
    String name = keys.get(key);
    if (name == null || name.isEmpty()) {
      throw new LoginRefusedException(LoginRefusal.NO_NAME, "expected " + key);
    }
    if (name.length() > NAME_LENGTH_MAX || !name.matches("(?i)(iqn|eui|naa)\\.\\S+")) {
      throw new LoginRefusedException(
          LoginRefusal.BAD_NAME, "expected an iSCSI name of at most 223 bytes in " + key);
    }
    return name.toLowerCase(Locale.ROOT);
  }

  private void answerKeys(Map<String, String> keys, Negotiation agreed, StringBuilder answer) {
    Map<String, String> chapKeys = new LinkedHashMap<>();
    keys.forEach(
        (key, value) -> {
          switch (key) {
            case "InitiatorName", "TargetName", "SessionType" -> {}
            case "AuthMethod" -> TextParameters.append(answer, key, chooseMethod(value));
            case "CHAP_A", "CHAP_N", "CHAP_R", "CHAP_I", "CHAP_C" -> chapKeys.put(key, value);
            default -> agreed.receive(key, value).ifPresent(it -> answerKey(key, it, answer));
          }
        });
    if (!chapKeys.isEmpty()) {
      if (chap == null) {
        throw new LoginRefusedException(
            LoginRefusal.CHAP_BROKEN, "CHAP keys before AuthMethod=CHAP");
      }
      chap.receive(chapKeys).forEach((key, value) -> TextParameters.append(answer, key, value));
    }
  }

  /// No key is said twice: if a declaration is rejected, ours is not made, and the default holds.
  private void answerKey(String key, String value, StringBuilder answer) {
    segmentDeclared |= key.equals(SEGMENT_LENGTH);
    TextParameters.append(answer, key, value);
  }

  private String chooseMethod(String list) {
    String wanted = secret.isPresent() ? "CHAP" : "None";
    for (String method : list.split(",", 16)) {
      if (method.equals(wanted)) {
        secret.ifPresent(it -> chap = newExchange(it));
        return wanted;
      }
    }
    throw new LoginRefusedException(
        secret.isPresent() ? LoginRefusal.CHAP_EXPECTED : LoginRefusal.CHAP_NOT_EXPECTED,
        "expected AuthMethod " + wanted + " among those offered");
  }

  private ChapExchange newExchange(String proof) {
    String name = initiatorName == null ? "" : initiatorName;
    return new ChapExchange(
        proof, authority.mutualChapSecret(name), target == null ? "coppice" : target.name());
  }

  private Step next(InitiatorPdu.Login request, Negotiation agreed, StringBuilder answer) {
    boolean authenticated = secret.isEmpty() || (chap != null && chap.isProven());
    if (stage == OPERATIONAL || request.transit()) {
      if (!authenticated) {
        if (stage == SECURITY && chap != null) {
          return new Step.Reply(response(request, false), answer.toString());
        }
        throw new LoginRefusedException(
            LoginRefusal.CHAP_EXPECTED, "this initiator must authenticate by CHAP");
      }
      authorize();
    }
    if (stage == OPERATIONAL && !segmentDeclared) {
      segmentDeclared = true;
      TextParameters.append(
          answer, SEGMENT_LENGTH, Integer.toString(offer.maxRecvDataSegmentLength()));
    }
    if (!request.transit()) {
      return new Step.Reply(response(request, false), answer.toString());
    }
    stage = request.nextStage();
    TargetPdu.LoginResponse response = response(request, true);
    if (stage != FULL_FEATURE) {
      return new Step.Reply(response, answer.toString());
    }
    return new Step.Establish(response, answer.toString(), established(request, agreed));
  }

  private Established established(InitiatorPdu.Login request, Negotiation agreed) {
    return new Established(
        new InitiatorPort(initiatorName == null ? "" : initiatorName, request.isid()),
        request.cid(),
        Optional.ofNullable(target),
        agreed.result());
  }

  /// Told only to initiators that have proven who they are.
  private void authorize() {
    if (target != null && initiatorName != null && !target.admits(initiatorName)) {
      throw new LoginRefusedException(
          LoginRefusal.NOTHING_FOR_IT, "nothing is exported to this initiator");
    }
  }

  private static TargetPdu.LoginResponse response(InitiatorPdu.Login request, boolean transit) {
    return new TargetPdu.LoginResponse(
        transit,
        false,
        request.currentStage(),
        transit ? request.nextStage() : 0,
        request.isid(),
        request.tsih(),
        request.initiatorTaskTag(),
        LoginStatus.SUCCESS.code());
  }
}
