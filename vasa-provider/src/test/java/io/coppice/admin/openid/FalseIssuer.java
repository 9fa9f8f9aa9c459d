package io.coppice.admin.openid;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// An authorization server that can lie in each of its answers.
final class FalseIssuer implements AutoCloseable {

  static final String CLIENT = "coppice";

  private static final RSAKey FIRST = key("first");
  private static final RSAKey SECOND = key("second");
  private static final RSAKey STRANGER = key("first");

  private static final String DISCOVERY = "/.well-known/openid-configuration";

  /// An answer in the place of the right one.
  interface Lie {
    void to(HttpExchange exchange) throws IOException;
  }

  private final HttpServer server;
  private final Map<String, Lie> lies = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> asked = new ConcurrentHashMap<>();
  private volatile RSAKey key = FIRST;
  private volatile Map<String, String> redeemed = Map.of();
  private volatile String token = "";

  FalseIssuer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    answer(DISCOVERY, exchange -> send(exchange, metadata(url())));
    answer("/keys", exchange -> send(exchange, new JWKSet(key.toPublicJWK()).toString()));
    answer("/token", this::redeem);
    server.start();
  }

  private static RSAKey key(String id) {
    try {
      return new RSAKeyGenerator(2048).keyID(id).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  String url() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  private void answer(String path, Lie truth) {
    server.createContext(
        path,
        exchange -> {
          asked.computeIfAbsent(path, _ -> new AtomicInteger()).incrementAndGet();
          try (exchange) {
            lies.getOrDefault(path, truth).to(exchange);
          }
        });
  }

  /// How often an address was asked.
  int asked(String path) {
    AtomicInteger times = asked.get(path);
    return times == null ? 0 : times.get();
  }

  void lieAboutItself(Lie lie) {
    lies.put(DISCOVERY, lie);
  }

  void lieAboutTokens(Lie lie) {
    lies.put("/token", lie);
  }

  /// Changes the key with which tokens are signed.
  void renewKey() {
    key = SECOND;
  }

  /// The parameters with which the last code was redeemed.
  Map<String, String> redeemed() {
    return redeemed;
  }

  static String metadata(String url) {
    return """
    {"issuer": "%1$s", "authorization_endpoint": "%1$s/authorize", "token_endpoint": "%1$s/token",
     "jwks_uri": "%1$s/keys", "subject_types_supported": ["public"],
     "response_types_supported": ["code"], "id_token_signing_alg_values_supported": ["RS256"]}
    """
        .formatted(url);
  }

  static void send(HttpExchange exchange, String json) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
  }

  private void redeem(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    redeemed = parameters(body);
    send(
        exchange,
        """
        {"access_token": "a", "token_type": "Bearer", "expires_in": 60, "id_token": "%s"}
        """
            .formatted(token));
  }

  /// Parameters of a form or a query.
  static Map<String, String> parameters(String text) {
    Map<String, String> parameters = new TreeMap<>();
    for (String pair : text.split("&", -1)) {
      String[] parts = pair.split("=", 2);
      parameters.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    return parameters;
  }

  static Map<String, String> query(URI uri) {
    return parameters(uri.getRawQuery());
  }

  /// The claims of a good token.
  JWTClaimsSet.Builder claims(String nonce) {
    return new JWTClaimsSet.Builder()
        .issuer(url())
        .audience(CLIENT)
        .subject("4711")
        .claim("nonce", nonce)
        .claim("preferred_username", "anna")
        .claim("groups", List.of("storage", "staff"))
        .issueTime(Date.from(Instant.now()))
        .expirationTime(Date.from(Instant.now().plusSeconds(60)));
  }

  /// Gives this token for the next code, signed by the key that is published.
  void give(JWTClaimsSet claims) {
    token = signed(JWSAlgorithm.RS256, claims, key, null);
  }

  /// Gives a token that is signed by a key with the right id, which is not the server's.
  void giveByStranger(JWTClaimsSet claims) {
    token = signed(JWSAlgorithm.RS256, claims, STRANGER, null);
  }

  /// Gives a token without a signature.
  void giveUnsigned(JWTClaimsSet claims) {
    token = new PlainJWT(claims).serialize();
  }

  /// Gives a token whose signature takes the public key for a shared secret.
  void giveByPublicKey(JWTClaimsSet claims) throws JOSEException {
    token =
        signed(JWSAlgorithm.HS256, claims, key, new MACSigner(key.toRSAPublicKey().getEncoded()));
  }

  private static String signed(
      JWSAlgorithm algorithm, JWTClaimsSet claims, RSAKey key, JWSSigner signer) {
    try {
      SignedJWT jwt =
          new SignedJWT(new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build(), claims);
      jwt.sign(signer == null ? new RSASSASigner(key) : signer);
      return jwt.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
