package io.coppice.cli.noun;

import io.coppice.api.account.Account;
import io.coppice.api.account.AccountChange;
import io.coppice.api.account.NewAccount;
import io.coppice.api.account.OpenSession;
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

  private static final View<Account> ACCOUNTS =
      View.of(
          Account.class,
          Account::id,
          Column.of("NAME", Account::name),
          Column.of("ROLE", account -> account.role().text()),
          Column.of("CONTAINERS", Account::containers).onlyWide(),
          Column.of("ENABLED", Account::enabled),
          Column.of("LAST-LOGIN", Account::lastLogin),
          Column.of("CREATED", Account::created).onlyWide(),
          Column.of("ID", Account::id));

  private static final View<OpenSession> SESSIONS =
      View.of(
          OpenSession.class,
          OpenSession::id,
          Column.of("NAME", OpenSession::name),
          Column.of("SOURCE", OpenSession::source),
          Column.of("ADDRESS", OpenSession::address),
          Column.of("OPENED", OpenSession::opened),
          Column.of("USED", OpenSession::used),
          Column.of("ID", OpenSession::id));

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
