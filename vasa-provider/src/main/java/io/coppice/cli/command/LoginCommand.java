package io.coppice.cli.command;

import io.coppice.api.system.Me;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.failure.ExitStatus;
import io.coppice.cli.output.Notation;
import io.coppice.cli.output.Surroundings;
import io.coppice.cli.profile.ProfileFolder;
import io.coppice.cli.profile.Provider;
import io.coppice.cli.profile.ProviderAddress;
import io.coppice.cli.profile.TokenSource;
import io.coppice.cli.rest.Certificates;
import io.coppice.cli.rest.RestCall;
import io.coppice.cli.rest.RestConnection;
import io.coppice.cli.rest.ServerChain;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Verb;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;

/// `login`: makes a profile with URL, token and the root certificate, which is pinned after a
/// person or an option has confirmed it. The token is sent only afterwards, and tried before it is
/// kept.
public final class LoginCommand {

  private LoginCommand() {}

  public static Verb verb() {
    return new Verb(
        "login",
        "pins the certificate of a provider and keeps its token in a profile",
        List.of(Argument.text("URL", "of the management port, such as https://array-1:9443")),
        List.of(
            Flag.of("--name", "NAME", "name of the profile (the host of the URL by default)"),
            Flag.of("--fingerprint", "SHA256", "of the root certificate; then nobody is asked"),
            Flag.on("--yes", "with --fingerprint or --ca only: ask nothing")),
        List.of("GET /me"),
        LoginCommand::run);
  }

  private static void run(Inputs inputs, ClientSession session) {
    URI url = ProviderAddress.parse(inputs.need("URL"));
    String named = inputs.text("--name");
    String name = ProfileFolder.checkedName(named == null ? url.getHost() : named);
    if (inputs.isOn("--yes")
        && inputs.text("--fingerprint") == null
        && inputs.text("--ca") == null) {
      throw CommandFailedException.usage(
          "expected --fingerprint or --ca with --yes: nobody else has confirmed the certificate");
    }
    if (session.common().dryRun()) {
      throw CommandFailedException.usage(
          "expected no --dry-run: login changes nothing on a server");
    }
    X509Certificate root = confirmed(inputs, session, url);
    String token = token(inputs, session.surroundings());
    Me me = tried(url, token, root);
    ProfileFolder.of(session.surroundings()).save(name, url, token, Certificates.pem(root));
    session.printDone(
        "profile %s: %s as %s (%s)".formatted(name, url, me.name(), me.role().text()));
  }

  private static X509Certificate confirmed(Inputs inputs, ClientSession session, URI url) {
    String file = inputs.text("--ca");
    X509Certificate root =
        file == null
            ? ServerChain.rootOf(url)
            : Certificates.read(session.surroundings().folder().resolve(file));
    String print = Certificates.fingerprint(root);
    String expected = inputs.text("--fingerprint");
    if (expected != null && !Certificates.isFingerprint(expected, root)) {
      throw new CommandFailedException(
          ExitStatus.UNREACHABLE,
          "expected a root certificate with the SHA-256 fingerprint %s, got %s"
              .formatted(expected, print));
    }
    if (expected == null && file == null) {
      session.say("root certificate " + root.getSubjectX500Principal().getName());
      session.say("SHA-256 " + print);
      String answer = session.surroundings().ask("Trust it from now on? (yes/no) ", false);
      if (!answer.equals("yes")) {
        throw CommandFailedException.usage(
            "expected yes, --fingerprint or --ca to trust the certificate %s; nothing is kept",
            print);
      }
    }
    return root;
  }

  private static String token(Inputs inputs, Surroundings surroundings) {
    String file = inputs.text("--token-file");
    if (file != null) {
      return new TokenSource.InFile(surroundings.folder().resolve(file)).token();
    }
    String variable = surroundings.variable("COPPICE_TOKEN");
    String given = variable.isEmpty() ? surroundings.ask("Token: ", true) : variable;
    return new TokenSource.Variable("--token-file, COPPICE_TOKEN or a terminal", given).token();
  }

  /// The certificate must be that of the server, and the token known to it.
  private static Me tried(URI url, String token, X509Certificate root) {
    try {
      Path file = Files.createTempFile("coppice-root", ".crt");
      try {
        Files.writeString(file, Certificates.pem(root));
        var provider = new Provider(url, new TokenSource.Variable("login", token), file, "login");
        try (RestConnection connection = new RestConnection(provider)) {
          return Notation.as(connection.send(RestCall.get("/me")), Me.class);
        }
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw CommandFailedException.usage("expected to write a file for a moment, but %s", e);
    }
  }
}
