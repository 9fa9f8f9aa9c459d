package io.coppice.admin.account;

import io.coppice.admin.access.RequiredRole;
import io.coppice.admin.access.RoleText;
import io.coppice.admin.edition.Edited;
import io.coppice.admin.edition.Edition;
import io.coppice.admin.edition.IfMatch;
import io.coppice.admin.edition.Turns;
import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.login.Accounts;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.admin.request.ApiFilter;
import io.coppice.api.Page;
import io.coppice.api.Role;
import io.coppice.api.account.AccountChange;
import io.coppice.api.account.NewAccount;
import io.coppice.api.account.UserAccount;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// The accounts of people. The last one may go: the token in the home always is a way in.
@RestController
final class AccountController {

  private static final String KIND = "accounts";

  private static final Orders<UserAccount> ORDERS =
      Orders.<UserAccount>ofIds("created", UserAccount::id)
          .time("created", UserAccount::created)
          .text("name", UserAccount::name)
          .time("lastLogin", UserAccount::lastLogin);

  private final Accounts accounts;
  private final Turns turns;

  AccountController(Accounts accounts, Turns turns) {
    this.accounts = accounts;
    this.turns = turns;
  }

  @GetMapping("/accounts")
  @RequiredRole(Role.ADMIN)
  Page<UserAccount> list(
      @ParameterObject @SortedBy({"created", "name", "lastLogin"}) ListQuery query,
      @RequestParam(required = false) @Nullable String name) {
    return query.page(
        accounts.list().stream().filter(it -> name == null || it.name().equals(name)).toList(),
        ORDERS,
        account -> account);
  }

  @PostMapping("/accounts")
  @RequiredRole(Role.ADMIN)
  Edited<UserAccount> create(@RequestBody NewAccount wanted) {
    UserAccount made =
        accounts.create(
            RequestRejectedException.requireField("name", wanted.name()),
            RoleText.parse(RequestRejectedException.requireField("role", wanted.role())),
            wanted.containers(),
            RequestRejectedException.requireField("password", wanted.password()));
    return Edited.made(URI.create(ApiFilter.ROOT + "/accounts/" + made.id()), made, edition(made));
  }

  @GetMapping("/accounts/{id}")
  @RequiredRole(Role.ADMIN)
  Edited<UserAccount> get(@PathVariable UUID id) {
    UserAccount one = accounts.require(id);
    return Edited.of(one, edition(one));
  }

  private static Edition edition(UserAccount one) {
    return Edition.of(one.id())
        .with("name", one.name())
        .with("role", one.role())
        .with("containers", one.containers())
        .with("enabled", one.enabled())
        .with("passwordSet", one.passwordSet());
  }

  @PatchMapping("/accounts/{id}")
  @RequiredRole(Role.ADMIN)
  Edited<UserAccount> change(
      @PathVariable UUID id, @RequestBody AccountChange wanted, IfMatch ifMatch) {
    return turns.alone(KIND, id, () -> changed(id, wanted, ifMatch));
  }

  private Edited<UserAccount> changed(UUID id, AccountChange wanted, IfMatch ifMatch) {
    UserAccount now = accounts.require(id);
    ifMatch.require(() -> edition(now));
    Role role = wanted.role() == null ? now.role() : RoleText.parse(wanted.role());
    UserAccount after =
        accounts.change(
            id,
            new Accounts.Wanted(
                role,
                containers(wanted, role, now),
                Objects.requireNonNullElse(wanted.enabled(), now.enabled())),
            wanted.password());
    return Edited.of(after, edition(after));
  }

  /// Containers that are not named stay, unless the new role is bound to none.
  private static @Nullable List<UUID> containers(AccountChange wanted, Role role, UserAccount now) {
    if (wanted.containers() != null) {
      return wanted.containers();
    }
    return role.isBound() ? now.containers() : null;
  }

  @DeleteMapping("/accounts/{id}")
  @RequiredRole(Role.ADMIN)
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable UUID id, IfMatch ifMatch) {
    turns.doAlone(
        KIND,
        id,
        () -> {
          ifMatch.require(() -> edition(accounts.require(id)));
          accounts.delete(id);
        });
  }
}
