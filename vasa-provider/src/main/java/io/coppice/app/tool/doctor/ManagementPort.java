package io.coppice.app.tool.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The management port of a provider on this machine, asked as its administrator.
public final class ManagementPort {

  private final ServerAddress server;
  private final Path token;

  /// @param token file of the administrator's token
  ManagementPort(ServerAddress server, Path token) {
    this.server = server;
    this.token = token;
  }

  /// @param address that it listens at, as the settings say it
  /// @param token file of the administrator's token
  public static ManagementPort at(String address, int port, Path token) {
    return new ManagementPort(ServerAddress.listening(address, port), token);
  }

  /// The body of an answer, at most 1 MiB of it.
  ///
  /// @throws IOException if there is none, or it is a refusal
  public String ask(String path) throws IOException {
    return answer(path).success();
  }

  TlsAnswer answer(String path) throws IOException {
    String bearer = "Authorization: Bearer " + Files.readString(token).strip();
    return TlsAnswer.ask(server, "GET", path, List.of(bearer));
  }
}
