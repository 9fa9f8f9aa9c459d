package io.coppice.admin.login;

import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.api.account.Login;
import io.coppice.api.account.PasswordChange;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/// The login by name and password, over all sources that are set up.
@Component
public final class PasswordLogin {

  private static final int LONGEST_NAME = 256;
  private static final int LONGEST_PASSWORD = 1024;

  private final WrongSecrets guesses;
  private final SessionOpening sessions;
  private final Accounts accounts;
  private final Passwords passwords;
  private final Map<String, Source> sources = new LinkedHashMap<>();

  PasswordLogin(
      List<PasswordSource> sources,
      WrongSecrets guesses,
      SessionOpening sessions,
      Accounts accounts,
      Passwords passwords,
      LoginSettings settings) {
    this.guesses = guesses;
    this.sessions = sessions;
    this.accounts = accounts;
    this.passwords = passwords;
    for (PasswordSource source : sources) {
      this.sources.put(
          source.name(), new Source(source, new BoundedChecks(settings.passwordChecks())));
    }
  }

  private record Source(PasswordSource people, BoundedChecks checks) {

    PasswordOutcome check(String name, String password) {
      return checks.call(() -> people.check(name, password));
    }
  }

  /// Logs somebody in and opens a session.
  ///
  /// @throws RequestRejectedException if the name or the password is wrong (401), one must wait
  ///   (429), nothing gives the person a role (403), or no source could tell (503)
  public void open(Login login, HttpServletRequest request, HttpServletResponse response) {
    String name = name(RequestRejectedException.requireField("name", login.name()));
    String password =
        password("password", RequestRejectedException.requireField("password", login.password()));
    List<Source> asked = sources(login.source());
    guesses.begin(request.getRemoteAddr(), name);
    Identity identity;
    try {
      identity = identity(asked, name, password);
    } catch (RequestRejectedException e) {
      if (e.status() == HttpStatus.SERVICE_UNAVAILABLE) {
        guesses.undecided(request.getRemoteAddr(), name); // nobody knows whether it was wrong
      }
      throw e;
    }
    guesses.right(request.getRemoteAddr(), name);
    sessions.open(identity, request, response);
  }

  /// Hashes of passwords that were computed since the start.
  public long hashesComputed() {
    return passwords.computed();
  }

  private static Identity identity(List<Source> asked, String name, String password) {
    List<String> reasons = new ArrayList<>();
    for (Source source : asked) {
      switch (source.check(name, password)) {
        case PasswordOutcome.Known known -> {
          return known.identity();
        }
        case PasswordOutcome.Refused _ -> {}
        case PasswordOutcome.Unavailable unavailable -> reasons.add(unavailable.reason());
      }
    }
    if (!reasons.isEmpty()) {
      throw new RequestRejectedException(
          HttpStatus.SERVICE_UNAVAILABLE,
          "login-unavailable",
          null,
          "whether the name and the password are right is not known now: "
              + String.join("; ", reasons));
    }
    throw refused();
  }

  private static RequestRejectedException refused() {
    return new RequestRejectedException(
        HttpStatus.UNAUTHORIZED,
        "login-refused",
        null,
        "expected the name of an account and its password, got a wrong one of them");
  }

  private List<Source> sources(@Nullable String wanted) {
    if (wanted == null) {
      return List.copyOf(sources.values());
    }
    Source one = sources.get(wanted);
    if (one == null) {
      throw RequestRejectedException.field(
          "source", "expected one of %s, got '%s'".formatted(sources.keySet(), wanted));
    }
    return List.of(one);
  }

  /// Changes the password of the account whose session it is. All its other sessions end.
  ///
  /// @throws RequestRejectedException (409 `not-local`) if the caller has no account here; (403
  ///   `wrong-password`) if the current password is wrong; (429) if one must wait
  public void changeOwn(PasswordChange wanted, AdminCaller caller, String from) {
    AdminCaller.BySession session = caller.session();
    if (session == null || session.account() == null) {
      throw RequestRejectedException.conflict(
          "not-local",
          null,
          "expected a session of an account that is kept here, but '%s' has none"
              .formatted(caller.name()));
    }
    UUID account = session.account();
    String current =
        password(
            "currentPassword",
            RequestRejectedException.requireField("currentPassword", wanted.currentPassword()));
    String next = RequestRejectedException.requireField("password", wanted.password());
    guesses.begin(from, caller.name());
    if (!passwords.matches(current, accounts.hash(account).orElse(null))) {
      throw new RequestRejectedException(
          HttpStatus.FORBIDDEN,
          "wrong-password",
          "currentPassword",
          "expected the current password of '%s', got another one".formatted(caller.name()));
    }
    guesses.right(from, caller.name());
    accounts.setOwnPassword(account, next, session.id());
  }

  private static String name(String text) {
    if (text.isBlank()
        || text.length() > LONGEST_NAME
        || text.codePoints().anyMatch(Character::isISOControl)) {
      throw RequestRejectedException.field(
          "name",
          "expected a name of 1 to %d characters without control characters, got %d characters"
              .formatted(LONGEST_NAME, text.length()));
    }
    return text;
  }

  private static String password(String field, String text) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > LONGEST_PASSWORD) {
      throw RequestRejectedException.field(
          field, "expected a password of 1 to %d bytes, got %d".formatted(LONGEST_PASSWORD, bytes));
    }
    return text;
  }
}
