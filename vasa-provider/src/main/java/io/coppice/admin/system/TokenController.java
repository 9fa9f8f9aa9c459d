package io.coppice.admin.system;

import io.coppice.admin.access.ApiTokens;
import io.coppice.admin.access.OwnAccount;
import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.access.RoleText;
import io.coppice.admin.access.ShownOnce;
import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
import io.coppice.admin.edition.Turns;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.request.ApiFilter;
import io.coppice.api.Page;
import io.coppice.api.Role;
import io.coppice.api.system.IssuedToken;
import io.coppice.api.system.NewToken;
import io.coppice.api.system.Token;
import io.coppice.api.system.TokenRotation;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// The tokens of this API. An administrator has all of them, an account those that it made for
/// itself.
@RestController
final class TokenController {

  private static final String KIND = "tokens";
  private static final int DEFAULT_DAYS = 90;
  private static final int DEFAULT_GRACE_MINUTES = 60;

  private static final Orders<Token> ORDERS =
      Orders.<Token>ofIds("created", Token::id)
          .time("created", Token::created)
          .text("name", Token::name)
          .time("expires", Token::expires)
          .time("used", Token::used);

  private final ApiTokens tokens;
  private final Turns turns;

  TokenController(ApiTokens tokens, Turns turns) {
    this.tokens = tokens;
    this.turns = turns;
  }

  @GetMapping("/tokens")
  @RequiredRole(Role.ADMIN)
  @OwnAccount
  Page<Token> list(
      @ParameterObject @SortedBy({"created", "name", "expires", "used"}) ListQuery query,
      @RequestParam(required = false) @Nullable String name,
      HttpServletRequest request) {
    TokenRights rights = TokenRights.of(request);
    return query.page(
        tokens.list().stream()
            .filter(it -> rights.has(it) && (name == null || it.name().equals(name)))
            .toList(),
        ORDERS,
        token -> token);
  }

  @PostMapping("/tokens")
  @RequiredRole(Role.ADMIN)
  @OwnAccount
  @ShownOnce
  Edited<IssuedToken> issue(@RequestBody NewToken wanted, HttpServletRequest request) {
    TokenRights rights = TokenRights.of(request);
    Role role = RoleText.parse(RequestRejectedException.requireField("role", wanted.role()));
    rights.requireWithin(role, wanted.containers());
    ApiTokens.Issued issued =
        tokens.issue(
            new ApiTokens.Order(
                RequestRejectedException.requireField("name", wanted.name()),
                role,
                wanted.containers(),
                Objects.requireNonNullElse(wanted.expiresInDays(), DEFAULT_DAYS),
                rights.owner()));
    Token token = issued.token();
    return Edited.made(
        URI.create(ApiFilter.ROOT + "/tokens/" + token.id()), shown(issued), edition(token));
  }

  private static IssuedToken shown(ApiTokens.Issued issued) {
    Token token = issued.token();
    return new IssuedToken(
        token.id(),
        token.name(),
        token.role(),
        token.containers(),
        token.created(),
        token.expires(),
        issued.text());
  }

  @PostMapping("/tokens/{id}/rotate")
  @RequiredRole(Role.ADMIN)
  @OwnAccount
  @ResponseStatus(HttpStatus.OK)
  @ShownOnce
  IssuedToken rotate(
      @PathVariable UUID id,
      @RequestBody(required = false) @Nullable TokenRotation wanted,
      HttpServletRequest request) {
    TokenRights rights = TokenRights.of(request);
    return turns.alone(
        KIND,
        id,
        () -> {
          Token before = rights.require(tokens, id);
          rights.requireWithin(before.role(), before.containers());
          return shown(
              tokens.rotate(
                  id,
                  wanted == null ? null : wanted.expiresInDays(),
                  wanted == null || wanted.graceMinutes() == null
                      ? DEFAULT_GRACE_MINUTES
                      : wanted.graceMinutes()));
        });
  }

  @GetMapping("/tokens/{id}")
  @RequiredRole(Role.ADMIN)
  @OwnAccount
  Edited<Token> get(@PathVariable UUID id, HttpServletRequest request) {
    Token token = TokenRights.of(request).require(tokens, id);
    return Edited.of(token, edition(token));
  }

  private static Edition edition(Token one) {
    return Edition.of(one.id())
        .with("name", one.name())
        .with("role", one.role())
        .with("expires", one.expires())
        .with("beginning", one.beginning());
  }

  @DeleteMapping("/tokens/{id}")
  @RequiredRole(Role.ADMIN)
  @OwnAccount
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void revoke(@PathVariable UUID id, IfMatch ifMatch, HttpServletRequest request) {
    TokenRights rights = TokenRights.of(request);
    turns.doAlone(
        KIND,
        id,
        () -> {
          rights.require(tokens, id);
          ifMatch.require(() -> edition(tokens.require(id)));
          tokens.revoke(id);
        });
  }
}
