package io.coppice.admin.system;

import io.coppice.admin.access.ApiTokens;
import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.access.RoleText;
import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
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

/// The tokens of this API.
@RestController
final class TokenController {

  private static final int DEFAULT_DAYS = 90;

  private static final Orders<Token> ORDERS =
      Orders.<Token>ofIds("created", Token::id)
          .time("created", Token::created)
          .text("name", Token::name)
          .time("expires", Token::expires);

  private final ApiTokens tokens;

  TokenController(ApiTokens tokens) {
    this.tokens = tokens;
  }

  @GetMapping("/tokens")
  @RequiredRole(Role.ADMIN)
  Page<Token> list(
      @ParameterObject @SortedBy({"created", "name", "expires"}) ListQuery query,
      @RequestParam(required = false) @Nullable String name) {
    return query.page(
        tokens.list().stream().filter(it -> name == null || it.name().equals(name)).toList(),
        ORDERS,
        token -> token);
  }

  @PostMapping("/tokens")
  @RequiredRole(Role.ADMIN)
  Edited<IssuedToken> issue(@RequestBody NewToken wanted) {
    ApiTokens.Issued issued =
        tokens.issue(
            RequestRejectedException.requireField("name", wanted.name()),
            RoleText.parse(RequestRejectedException.requireField("role", wanted.role())),
            wanted.containers(),
            Objects.requireNonNullElse(wanted.expiresInDays(), DEFAULT_DAYS));
    Token token = issued.token();
    return Edited.made(
            URI.create(ApiFilter.ROOT + "/tokens/" + token.id()),
            new IssuedToken(
                token.id(),
                token.name(),
                token.role(),
                token.containers(),
                token.created(),
                token.expires(),
                issued.text()),
            edition(token))
        .notKept();
  }

  @GetMapping("/tokens/{id}")
  @RequiredRole(Role.ADMIN)
  Edited<Token> get(@PathVariable UUID id) {
    Token token = tokens.require(id);
    return Edited.of(token, edition(token));
  }

  private static Edition edition(Token one) {
    return Edition.of(one.id(), one.name(), one.role(), one.expires());
  }

  @DeleteMapping("/tokens/{id}")
  @RequiredRole(Role.ADMIN)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void revoke(@PathVariable UUID id, IfMatch ifMatch) {
    ifMatch.require(() -> edition(tokens.require(id))); // it never changes until it is revoked
    tokens.revoke(id);
  }
}
