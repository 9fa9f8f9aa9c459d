package io.coppice.cli.failure;

import org.jspecify.annotations.Nullable;

/// The end of a command that did not do what was asked. The message is one sentence for a person.
public final class CommandFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final ExitStatus status;
  private final @Nullable String details;

  public CommandFailedException(ExitStatus status, String message) {
    this(status, message, null);
  }

  /// @param details what `--verbose` adds, such as the problem's code and trace id; null for
  ///   nothing
  public CommandFailedException(ExitStatus status, String message, @Nullable String details) {
    super(message);
    this.status = status;
    this.details = details;
  }

  /// A command line that cannot be carried out as it was typed.
  public static CommandFailedException usage(String message, Object... values) {
    return new CommandFailedException(ExitStatus.USAGE, message.formatted(values));
  }

  public ExitStatus status() {
    return status;
  }

  public @Nullable String details() {
    return details;
  }
}
