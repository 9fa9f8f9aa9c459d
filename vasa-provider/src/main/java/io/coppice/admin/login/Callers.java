package io.coppice.admin.login;

import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.access.ApiTokens;
import io.coppice.admin.access.BearerToken;
import io.coppice.admin.problem.RequestRejectedException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.springframework.stereotype.Component;

/// The callers of REST, by the token or the cookie that their requests come with. A token counts
/// before a cookie: no page of others can make a browser send one.
@Component
public final class Callers {

  private final ApiTokens tokens;
  private final BrowserSessions sessions;
  private final WrongSecrets guesses;

  Callers(ApiTokens tokens, BrowserSessions sessions, WrongSecrets guesses) {
    this.tokens = tokens;
    this.sessions = sessions;
    this.guesses = guesses;
  }

  /// The caller of a request.
  ///
  /// @param response gets a cookie that removes the one of a session that has ended
  /// @param readsWithoutDatabase whether the request reads what needs no database: then a session
  ///   that was open at its last use counts while the database does not answer
  /// @throws RequestRejectedException (401) without a valid token or session; (403) if a session is
  ///   used by a page of others; (429) if too many wrong tokens came from the address
  public AdminCaller require(
      HttpServletRequest request, HttpServletResponse response, boolean readsWithoutDatabase) {
    Optional<String> token = BearerToken.find(request);
    if (token.isPresent()) {
      return byToken(token.get(), request.getRemoteAddr());
    }
    Optional<String> cookie = SessionCookie.find(request);
    if (cookie.isEmpty()) {
      BearerToken.require(request); // refuses
    }
    try {
      String text = cookie.orElseThrow();
      AdminCaller caller =
          readsWithoutDatabase ? sessions.requireOrRemember(text) : sessions.require(text);
      caller.attachTo(request); // so that the audit trail knows whose session was misused
      CrossSite.check(request, text);
      return caller;
    } catch (RequestRejectedException e) {
      if (e.code().equals("session-ended")) {
        SessionCookie.clear(response);
      }
      throw e;
    }
  }

  /// The caller with this token. Tokens that were valid lately pass by the back-off, so that one
  /// broken script does not keep others at its address out.
  private AdminCaller byToken(String text, String from) {
    if (!tokens.isKnown(text)) {
      guesses.requirePatience(from);
    }
    return tokens
        .authenticate(text)
        .orElseThrow(
            () -> {
              guesses.wrongToken(from);
              return BearerToken.unknown();
            });
  }

  /// The answer to whether the token or the session of a request still counts, with the same
  /// rights. To ask is no use of them.
  public BooleanSupplier validity(HttpServletRequest request, AdminCaller caller) {
    Optional<String> token = BearerToken.find(request);
    Optional<String> cookie = SessionCookie.find(request);
    return () ->
        token.isPresent()
            ? tokens.authenticate(token.get()).isPresent()
            : cookie.flatMap(sessions::find).filter(now -> now.hasRightsOf(caller)).isPresent();
  }
}
