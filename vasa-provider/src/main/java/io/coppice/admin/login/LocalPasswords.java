package io.coppice.admin.login;

import io.coppice.api.account.UserAccount;
import java.util.List;
import java.util.Optional;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/// The passwords of the accounts that Coppice keeps itself, asked before all other sources.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class LocalPasswords implements PasswordSource {

  private final Accounts accounts;
  private final Passwords passwords;

  LocalPasswords(Accounts accounts, Passwords passwords) {
    this.accounts = accounts;
    this.passwords = passwords;
  }

  @Override
  public String name() {
    return Identity.LOCAL;
  }

  /// A disabled account is refused after the same work, and with the same answer.
  @Override
  public PasswordOutcome check(String name, String password) {
    Optional<Accounts.Secret> known = accounts.find(name);
    boolean right = passwords.matches(password, known.map(Accounts.Secret::hash).orElse(null));
    if (!right || known.isEmpty() || !known.get().account().enabled()) {
      return new PasswordOutcome.Refused();
    }
    accounts.loggedIn(known.get(), password);
    UserAccount account = known.get().account();
    return new PasswordOutcome.Known(
        new Identity(Identity.LOCAL, account.id().toString(), account.name(), List.of()));
  }
}
