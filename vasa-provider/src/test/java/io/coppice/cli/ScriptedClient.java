package io.coppice.cli;

import io.coppice.cli.output.Surroundings;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/// The command line against a scripted server.
final class ScriptedClient {

  private ScriptedClient() {}

  /// @param folder for its files
  /// @return the exit status
  static int run(
      ScriptedServer server, Path folder, OutputStream out, OutputStream err, String... args)
      throws Exception {
    Map<String, String> variables =
        Map.of(
            "COPPICE_URL", server.url(),
            "COPPICE_TOKEN", "a-token",
            "COPPICE_CA", server.pem(folder).toString(),
            "XDG_CONFIG_HOME", folder.resolve("config").toString());
    return Coppice.run(
        new Surroundings(
            variables,
            folder,
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false),
        args);
  }
}
