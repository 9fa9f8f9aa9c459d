package io.coppice.cli.failure;

/// The exit status of a command. `docs/cli.md` and `--help` list them.
public enum ExitStatus {
  OK(0, "done"),
  REFUSED(1, "the server refused the request"),
  USAGE(2, "the command line or a file is wrong, or a name is ambiguous"),
  NOT_FOUND(3, "there is no such object"),
  NOT_AUTHORIZED(4, "the token is missing, unknown, or its role too weak"),
  UNREACHABLE(5, "the server does not answer, or its certificate is not the pinned one"),
  SERVER_ERROR(6, "the server failed"),
  JOB_FAILED(7, "the job ended with an error, or not in time"),
  BUSY(8, "the object is in use or was changed meanwhile, or the server is busy"),
  BROKEN(9, "the audit trail is broken");

  private final int code;
  private final String meaning;

  ExitStatus(int code, String meaning) {
    this.code = code;
    this.meaning = meaning;
  }

  /// What the process exits with, 0 to 9.
  public int code() {
    return code;
  }

  /// What it means, in some words.
  public String meaning() {
    return meaning;
  }

  /// The status for an answer that is no success.
  ///
  /// @param http status of the answer, 300 to 599
  /// @param problem code of the problem, such as `name-taken`; empty if there is none
  public static ExitStatus of(int http, String problem) {
    return switch (http) {
      case 401, 403 -> NOT_AUTHORIZED;
      case 404, 410 -> NOT_FOUND;
      case 409, 412, 429 -> BUSY;
      case 503 -> problem.equals("busy") ? BUSY : SERVER_ERROR;
      default -> http >= 500 ? SERVER_ERROR : REFUSED;
    };
  }
}
