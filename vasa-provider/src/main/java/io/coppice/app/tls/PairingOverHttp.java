package io.coppice.app.tls;

import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.replication.pairing.PairingCalls;
import io.coppice.vasa.replication.pairing.PairingMessages;
import io.coppice.vasa.replication.pairing.PeerText;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLSocket;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The call of a pairing over HTTPS.
///
/// No authority vouches for the other pool's certificate yet, so any is taken, and its fingerprint
/// goes into the proofs: they show that the server knows the code. The certificate is read by a
/// connection of its own, since the proof must be there before the request. The request then goes
/// to a server with just this certificate.
public final class PairingOverHttp implements PairingCalls {

  private static final int MOST_BYTES = 64 << 10;
  private static final int OK = 200;

  private final JsonMapper json = new JsonMapper();
  private final Duration patience;
  private final Duration longest;

  public PairingOverHttp() {
    this(Duration.ofSeconds(10), Duration.ofSeconds(30));
  }

  /// @param patience until the server is reached and has shown its certificate
  /// @param longest until it has answered
  PairingOverHttp(Duration patience, Duration longest) {
    this.patience = patience;
    this.longest = longest;
  }

  @Override
  public Answered call(String address, Asking asking) {
    PairingServer server = PairingServer.parse(address);
    try {
      X509Certificate shown = certificate(server);
      HttpResponse<byte[]> response = post(server, shown, asking.by(shown));
      return new Answered(answer(server, response), shown);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no TLS", e);
    }
  }

  private X509Certificate certificate(PairingServer server) throws GeneralSecurityException {
    try (Socket plain = new Socket()) {
      // A time limit of reads alone would let a server go on with a byte now and then.
      Executor later =
          CompletableFuture.delayedExecutor(patience.toMillis(), TimeUnit.MILLISECONDS);
      CompletableFuture<Void> end = CompletableFuture.runAsync(() -> close(plain), later);
      try {
        plain.connect(server.socketAddress(), (int) patience.toMillis());
        try (SSLSocket tls =
            (SSLSocket)
                AnyServerTrust.context()
                    .getSocketFactory()
                    .createSocket(plain, server.host(), server.port(), true)) {
          tls.startHandshake();
          return (X509Certificate) tls.getSession().getPeerCertificates()[0];
        }
      } finally {
        end.cancel(false);
      }
    } catch (IOException e) {
      throw invalid(
          "the REST API of the other pool is not reached at %s within %d s (%s): check the address, and that its provider runs"
              .formatted(server, patience.toSeconds(), reason(e)),
          e);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // It ends either way.
    }
  }

  private HttpResponse<byte[]> post(
      PairingServer server, X509Certificate shown, PairingMessages.Request message)
      throws GeneralSecurityException {
    OneServerTrust trust = new OneServerTrust(shown);
    HttpRequest request =
        HttpRequest.newBuilder(server.pairings())
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json.writeValueAsString(message)))
            .build();
    try (HttpClient client =
        HttpClient.newBuilder()
            .sslContext(trust.context())
            .connectTimeout(patience)
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(HttpClient.Version.HTTP_1_1)
            .build()) {
      try {
        // The client's own limit does not count the time of the body.
        return client
            .sendAsync(
                request,
                HttpResponse.BodyHandlers.limiting(
                    HttpResponse.BodyHandlers.ofByteArray(), MOST_BYTES))
            .get(longest.toMillis(), TimeUnit.MILLISECONDS);
      } finally {
        client.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw VasaException.busy("the call of the other pool was interrupted");
    } catch (ExecutionException | TimeoutException e) {
      throw trust
          .other()
          .map(other -> twoServers(server, shown, other, e))
          .orElseGet(() -> unanswered(server, e));
    }
  }

  private static VasaException twoServers(
      PairingServer server, X509Certificate shown, X509Certificate other, Exception cause) {
    return invalid(
        "expected one server at %s, got two with the certificates %s and %s: give the address of one"
            .formatted(server, Pem.fingerprint(shown), Pem.fingerprint(other)),
        cause);
  }

  private VasaException unanswered(PairingServer server, Exception failure) {
    Throwable cause = Objects.requireNonNullElse(failure.getCause(), failure);
    return invalid(
        "expected an answer of at most %d bytes within %d s from the pool at %s, got none (%s): check that a provider is there, and pair again with a new code"
            .formatted(MOST_BYTES, longest.toSeconds(), server, reason(cause)),
        failure);
  }

  /// The reason of a failure, in one line though a server may have had a say in it.
  private static String reason(Throwable cause) {
    if (cause instanceof TimeoutException) {
      return "the time is over";
    }
    return PeerText.line(Objects.requireNonNullElse(cause.getMessage(), cause.toString()));
  }

  private PairingMessages.Answer answer(PairingServer server, HttpResponse<byte[]> response) {
    int status = response.statusCode();
    try {
      JsonNode tree = json.readTree(response.body());
      if (status == OK && tree.isObject()) {
        return json.treeToValue(tree, PairingMessages.Answer.class);
      }
      String detail = tree.path("detail").asString("");
      if (status / 100 == 4 && !detail.isBlank()) {
        throw VasaException.invalidArgument(
                "expected the pool at %s to accept the code, got the refusal %s"
                    .formatted(server, PeerText.quoted(detail)))
            .about("code");
      }
    } catch (JacksonException _) {
      // The sentence below says what came.
    }
    throw VasaException.invalidArgument(
            "expected the answer of a Coppice provider at %s, got something else with the status %d: check the address"
                .formatted(server, status))
        .about("address");
  }

  private static VasaException invalid(String sentence, Exception cause) {
    return new VasaException(new Fault.InvalidArgument(), sentence, cause).about("address");
  }
}
