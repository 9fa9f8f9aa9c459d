package io.coppice.admin.openid;

import io.coppice.admin.login.BrowserSource;
import io.coppice.admin.login.SessionOpening;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.vasa.audit.Outcome;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// The two addresses of a browser's login by OpenID Connect: where it begins, and where the
/// authorization server sends the browser back to. The headers that guard a browser come with every
/// answer of this port.
@Hidden
@RestController
final class OpenIdController implements BrowserSource {

  /// Path of the beginning.
  static final String BEGIN = "/login/openid";

  /// Path of the end.
  static final String CALLBACK = "/login/openid/callback";

  private static final Logger log = LoggerFactory.getLogger(OpenIdController.class);

  /// Binds a login to the browser that began it. The way back comes from another site, so it cannot
  /// be `SameSite=Strict`.
  private static final String COOKIE = "__Host-coppice-openid";

  private final ObjectProvider<OpenIdLogin> login;
  private final SessionOpening sessions;
  private final LoginAudit audit;

  OpenIdController(ObjectProvider<OpenIdLogin> login, SessionOpening sessions, LoginAudit audit) {
    this.login = login;
    this.sessions = sessions;
    this.audit = audit;
  }

  @Override
  public String name() {
    return OpenIdLogin.SOURCE;
  }

  @Override
  public Optional<String> begin() {
    return login.getIfAvailable() == null ? Optional.empty() : Optional.of(BEGIN);
  }

  @GetMapping(BEGIN)
  ResponseEntity<byte[]> begin(HttpServletRequest request, HttpServletResponse response) {
    OpenIdLogin used = require();
    try {
      OpenIdLogin.Begun begun = used.begin(LocalTarget.of(request.getParameter("to")));
      setCookie(response, begun.browser(), used.settings().limits().login());
      return to(begun.at());
    } catch (OpenIdException e) {
      return refusal(request, rejected(e));
    }
  }

  @GetMapping(CALLBACK)
  ResponseEntity<byte[]> end(HttpServletRequest request, HttpServletResponse response) {
    OpenIdLogin used = require();
    try {
      OpenIdLogin.Ended ended = used.end(parameters(request), browser(request));
      sessions.open(ended.identity(), request, response);
      audit.opened(request, ended.identity().name());
      setCookie(response, "", Duration.ZERO);
      return to(URI.create(ended.target()));
    } catch (OpenIdException e) {
      return refusedEnd(request, rejected(e));
    } catch (RequestRejectedException e) {
      return refusedEnd(request, e);
    }
  }

  private ResponseEntity<byte[]> refusedEnd(
      HttpServletRequest request, RequestRejectedException refusal) {
    audit.refused(request, Outcome.ofStatus(refusal.status().value()), refusal.code());
    return refusal(request, refusal);
  }

  private OpenIdLogin require() {
    OpenIdLogin used = login.getIfAvailable();
    if (used == null) {
      throw RequestRejectedException.notFound("login by", "openid");
    }
    return used;
  }

  private static RequestRejectedException rejected(OpenIdException e) {
    log.atWarn().log("{}", e.getMessage());
    String message = String.valueOf(e.getMessage());
    return switch (e.kind()) {
      case ISSUER ->
          new RequestRejectedException(
              HttpStatus.BAD_GATEWAY, "login-server-failed", null, message);
      case REFUSED ->
          new RequestRejectedException(HttpStatus.FORBIDDEN, "login-refused", null, message);
      case UNKNOWN ->
          new RequestRejectedException(HttpStatus.BAD_REQUEST, "login-unknown", null, message);
    };
  }

  private static Map<String, List<String>> parameters(HttpServletRequest request) {
    Map<String, List<String>> parameters = new HashMap<>();
    request.getParameterMap().forEach((name, values) -> parameters.put(name, List.of(values)));
    return parameters;
  }

  private static String browser(HttpServletRequest request) {
    Cookie[] cookies = request.getCookies();
    return (cookies == null ? Stream.<Cookie>empty() : Arrays.stream(cookies))
        .filter(cookie -> cookie.getName().equals(COOKIE))
        .map(Cookie::getValue)
        .findFirst()
        .orElse("");
  }

  /// Adds the cookie to those that are set already. As a header of the entity it would replace the
  /// one of the session.
  private static void setCookie(HttpServletResponse response, String text, Duration age) {
    ResponseCookie cookie =
        ResponseCookie.from(COOKIE, text)
            .path("/")
            .secure(true)
            .httpOnly(true)
            .sameSite("Lax")
            .maxAge(age)
            .build();
    response.addHeader(HttpHeaders.SET_COOKIE, cookie.toString());
  }

  private static ResponseEntity<byte[]> to(URI at) {
    return ResponseEntity.status(HttpStatus.SEE_OTHER).location(at).build();
  }

  /// A page for a browser; programs get the problem.
  private static ResponseEntity<byte[]> refusal(
      HttpServletRequest request, RequestRejectedException refusal) {
    String accepted = request.getHeader(HttpHeaders.ACCEPT);
    if (accepted == null || !accepted.contains(MediaType.TEXT_HTML_VALUE)) {
      throw refusal;
    }
    return ResponseEntity.status(refusal.status())
        .contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
        .body(
            RefusalPage.of(String.valueOf(refusal.getMessage())).getBytes(StandardCharsets.UTF_8));
  }
}
