package io.coppice.cli.profile;

import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.failure.ExitStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The place of a token: a variable or a file. The token is read only when it is sent.
public sealed interface TokenSource {

  /// The token.
  ///
  /// @throws CommandFailedException if there is none, or it cannot be one
  String token();

  /// What a shell puts in place of the token, within double quotes.
  String inShell();

  /// A variable of the environment.
  record Variable(String name, String value) implements TokenSource {

    @Override
    public String token() {
      return checked(value, name);
    }

    @Override
    public String inShell() {
      return "$" + name;
    }

    @Override
    public String toString() {
      return "Variable[" + name + "]";
    }
  }

  /// A file with nothing but the token.
  record InFile(Path file) implements TokenSource {

    @Override
    public String token() {
      try {
        return checked(Files.readString(file).strip(), file.toString());
      } catch (IOException e) {
        throw new CommandFailedException(
            ExitStatus.NOT_AUTHORIZED,
            "expected a token in %s, but it cannot be read".formatted(file));
      }
    }

    @Override
    public String inShell() {
      return "$(cat " + ShellWord.of(file.toString()) + ")";
    }
  }

  private static String checked(String token, String place) {
    if (token.isEmpty() || !token.chars().allMatch(one -> one > 0x20 && one < 0x7f)) {
      throw new CommandFailedException(
          ExitStatus.NOT_AUTHORIZED,
          "expected a token of printable ASCII characters in %s, got none".formatted(place));
    }
    return token;
  }
}
