package io.coppice.cli.noun;

import io.coppice.api.account.AccountChange;
import io.coppice.api.account.BrowserSession;
import io.coppice.api.account.NewAccount;
import io.coppice.api.account.UserAccount;
import io.coppice.cli.output.Column;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Kind;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.View;

/// Accounts of people, and the sessions of their browsers. A password is read from a file or the
/// terminal, never from an argument, which everybody on the machine could see.
final class AccountNouns {

  private static final View<UserAccount> ACCOUNTS =
      View.of(
          UserAccount.class,
          UserAccount::id,
          Column.of("NAME", UserAccount::name),
          Column.of("ROLE", account -> account.role().text()),
          Column.of("CONTAINERS", UserAccount::containers).onlyWide(),
          Column.of("ENABLED", UserAccount::enabled),
          Column.of("LAST-LOGIN", UserAccount::lastLogin),
          Column.of("CREATED", UserAccount::created).onlyWide(),
          Column.of("ID", UserAccount::id));

  private static final View<BrowserSession> SESSIONS =
      View.of(
          BrowserSession.class,
          BrowserSession::id,
          Column.of("NAME", BrowserSession::name),
          Column.of("SOURCE", BrowserSession::source),
          Column.of("ADDRESS", BrowserSession::address),
          Column.of("OPENED", BrowserSession::opened),
          Column.of("USED", BrowserSession::used),
          Column.of("ID", BrowserSession::id));

  private static final Flag PASSWORD =
      Flag.of("--password-file", "FILE", "its password; - is the input (else it is asked for)");

  private AccountNouns() {}

  static Noun account() {
    return Noun.of(
        "account",
        "accounts of people",
        RestVerb.of("create", "POST /accounts", "makes an account")
            .on(Argument.text("NAME", "its name"))
            .with(role().needed(), container(), PASSWORD)
            .body(
                in ->
                    new NewAccount(
                        in.need("NAME"),
                        in.need("--role"),
                        in.someUuids("--container", Kind.CONTAINER),
                        in.secret("--password-file", "Password of the account: ")))
            .row(ACCOUNTS),
        RestVerb.of("list", "GET /accounts", "lists accounts")
            .with(Flag.filter("name", "NAME", "those of a name"))
            .sortedBy("created", "name", "lastLogin")
            .list(ACCOUNTS),
        RestVerb.of("show", "GET /accounts/{id}", "shows all fields of an account")
            .on(Argument.of(Kind.ACCOUNT, "id"))
            .tagged()
            .sheet(ACCOUNTS),
        RestVerb.of("set", "PATCH /accounts/{id}", "changes what an account may do")
            .on(Argument.of(Kind.ACCOUNT, "id"))
            .with(role(), container(), Flag.of("--enabled", "on|off", "whether it can log in"))
            .guarded()
            .body(
                in ->
                    new AccountChange(
                        in.text("--role"),
                        in.someUuids("--container", Kind.CONTAINER),
                        in.onOff("--enabled"),
                        null))
            .row(ACCOUNTS),
        RestVerb.of(
                "set-password",
                "PATCH /accounts/{id}",
                "sets the password of an account and ends its sessions")
            .on(Argument.of(Kind.ACCOUNT, "id"))
            .with(PASSWORD)
            .guarded()
            .body(
                in ->
                    new AccountChange(
                        null,
                        null,
                        null,
                        in.secret("--password-file", "New password of the account: ")))
            .row(ACCOUNTS),
        RestVerb.of("delete", "DELETE /accounts/{id}", "deletes an account")
            .on(Argument.of(Kind.ACCOUNT, "id"))
            .guarded()
            .done("account {ACCOUNT} is deleted with its sessions and tokens"));
  }

  static Noun session() {
    return Noun.of(
        "session",
        "sessions of browsers",
        RestVerb.of("list", "GET /sessions", "lists open sessions")
            .with(Flag.filter("name", "NAME", "those of an account"))
            .sortedBy("opened", "used", "name")
            .list(SESSIONS),
        RestVerb.of("end", "DELETE /sessions/{id}", "ends a session")
            .on(Argument.path("SESSION", "id", "its id"))
            .done("session {SESSION} is ended"));
  }

  private static Flag role() {
    return Flag.of("--role", "ROLE", "admin, storage-admin, vm-admin, operator or volume-admin");
  }

  private static Flag container() {
    return Flag.of("--container", Kind.CONTAINER, "one that a volume-admin is bound to").repeated();
  }
}
