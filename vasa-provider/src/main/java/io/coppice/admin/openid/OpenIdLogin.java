package io.coppice.admin.openid;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jwt.JWT;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenResponse;
import com.nimbusds.oauth2.sdk.auth.ClientAuthentication;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.AuthenticationResponse;
import com.nimbusds.openid.connect.sdk.AuthenticationResponseParser;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.claims.IDTokenClaimsSet;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import io.coppice.admin.login.Identity;
import io.coppice.admin.openid.PendingLogins.Pending;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Logins by an authorization server that speaks OpenID Connect: the browser is sent there with a
/// state, a nonce and a challenge, and comes back with a code, which is changed for an ID token.
/// Nothing of the token is kept but who it is about.
public final class OpenIdLogin {

  /// The source of the identities.
  public static final String SOURCE = "openid";

  /// Signatures by keys that the authorization server alone has. Those by a shared secret are left
  /// out, or a public key might be taken for one.
  private static final Set<JWSAlgorithm> ALGORITHMS =
      Set.of(
          JWSAlgorithm.RS256,
          JWSAlgorithm.RS384,
          JWSAlgorithm.RS512,
          JWSAlgorithm.PS256,
          JWSAlgorithm.PS384,
          JWSAlgorithm.PS512,
          JWSAlgorithm.ES256,
          JWSAlgorithm.ES384,
          JWSAlgorithm.ES512);

  private static final int LONGEST_NAME = 256;

  private final OpenIdSettings settings;
  private final Supplier<URI> callback;
  private final LongSupplier nanos;
  private final IssuerCalls calls;
  private final KnownIssuer issuer;
  private final PendingLogins pending;

  /// @param callback the URL to which the authorization server sends the browser back
  /// @throws IOException if the authorities cannot be read
  public OpenIdLogin(OpenIdSettings settings, Supplier<URI> callback) throws IOException {
    this(settings, callback, System::nanoTime);
  }

  OpenIdLogin(OpenIdSettings settings, Supplier<URI> callback, LongSupplier nanos)
      throws IOException {
    this.settings = settings;
    this.callback = callback;
    this.nanos = nanos;
    this.calls = new IssuerCalls(settings);
    this.issuer = new KnownIssuer(settings, calls, nanos);
    this.pending = new PendingLogins(settings.limits().pending(), settings.limits().login(), nanos);
  }

  OpenIdSettings settings() {
    return settings;
  }

  /// Calls under way, those included that are being ended.
  int underWay() {
    return calls.underWay();
  }

  /// Why the authorization server cannot be used now; empty if it can.
  public Optional<String> obstacle() {
    try {
      issuer.metadata();
      return Optional.empty();
    } catch (OpenIdException e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  /// A login that has begun.
  ///
  /// @param at where the browser goes now
  /// @param browser text of the cookie that it must bring back
  public record Begun(URI at, String browser) {}

  /// Begins a login.
  ///
  /// @param target path to which the browser goes in the end
  /// @throws OpenIdException if the authorization server cannot be used now
  public Begun begin(String target) throws OpenIdException {
    OIDCProviderMetadata metadata = issuer.metadata();
    State state = new State();
    var login =
        new Pending(
            new Nonce(), new CodeVerifier(), new State().getValue(), target, nanos.getAsLong());
    Scope scope = new Scope("openid");
    settings.scopes().forEach(scope::add);
    URI at =
        new AuthenticationRequest.Builder(
                ResponseType.CODE, scope, new ClientID(settings.client().id()), callback.get())
            .endpointURI(metadata.getAuthorizationEndpointURI())
            .state(state)
            .nonce(login.nonce())
            .codeChallenge(login.verifier(), CodeChallengeMethod.S256)
            .build()
            .toURI();
    pending.add(state.getValue(), login);
    return new Begun(at, login.browser());
  }

  /// A login that has come to its end.
  public record Ended(Identity identity, String target) {}

  /// Ends a login.
  ///
  /// @param answer parameters that the browser brought
  /// @param browser text of its cookie; empty if it has none
  /// @throws OpenIdException if the login is refused, nobody waits for the answer, or the
  ///   authorization server fails
  public Ended end(Map<String, List<String>> answer, String browser) throws OpenIdException {
    AuthenticationResponse response = parsed(answer);
    State state = response.getState();
    Pending login =
        Optional.ofNullable(state)
            .flatMap(one -> pending.take(one.getValue(), browser))
            .orElseThrow(OpenIdLogin::notWaitedFor);
    OIDCProviderMetadata metadata = issuer.metadata();
    requireSender(response, metadata);
    if (!response.indicatesSuccess()) {
      throw OpenIdException.refused(
          "the authorization server %s refused the login: %s"
              .formatted(settings.issuer(), words(response.toErrorResponse().getErrorObject())));
    }
    AuthorizationCode code = response.toSuccessResponse().getAuthorizationCode();
    if (code == null) {
      throw failure("sent the browser back without a code", null);
    }
    JWT token = idToken(metadata, code, login);
    return new Ended(identity(claims(token, login.nonce())), login.target());
  }

  private AuthenticationResponse parsed(Map<String, List<String>> answer) throws OpenIdException {
    try {
      return AuthenticationResponseParser.parse(callback.get(), answer);
    } catch (ParseException | RuntimeException e) {
      throw notWaitedFor();
    }
  }

  private static OpenIdException notWaitedFor() {
    return OpenIdException.unknown(
        "expected the answer to a login that this browser has begun and not ended yet; begin it"
            + " again");
  }

  /// Another server must not answer in the place of this one (RFC 9207).
  private void requireSender(AuthenticationResponse response, OIDCProviderMetadata metadata)
      throws OpenIdException {
    boolean missing =
        response.getIssuer() == null && metadata.supportsAuthorizationResponseIssuerParam();
    if (missing
        || response.getIssuer() != null && !response.getIssuer().equals(metadata.getIssuer())) {
      throw OpenIdException.unknown(
          "expected an answer of the authorization server %s, got one of another server"
              .formatted(settings.issuer()));
    }
  }

  private JWT idToken(OIDCProviderMetadata metadata, AuthorizationCode code, Pending login)
      throws OpenIdException {
    var grant = new AuthorizationCodeGrant(code, callback.get(), login.verifier());
    Optional<ClientAuthentication> proof = proof(metadata);
    TokenRequest request =
        (proof.isPresent()
                ? new TokenRequest.Builder(metadata.getTokenEndpointURI(), proof.get(), grant)
                : new TokenRequest.Builder(
                    metadata.getTokenEndpointURI(), new ClientID(settings.client().id()), grant))
            .build();
    TokenResponse response;
    try {
      response = OIDCTokenResponseParser.parse(calls.answer(request.toHTTPRequest()));
    } catch (ParseException | RuntimeException e) {
      throw failure("sent something that is no token", e);
    }
    if (!response.indicatesSuccess()) {
      throw failure(
          "gave no token for the code: " + words(response.toErrorResponse().getErrorObject()),
          null);
    }
    JWT token = ((OIDCTokenResponse) response.toSuccessResponse()).getOIDCTokens().getIDToken();
    if (token == null) {
      throw failure("gave no ID token", null);
    }
    return token;
  }

  private Optional<ClientAuthentication> proof(OIDCProviderMetadata metadata)
      throws OpenIdException {
    OpenIdSettings.Client client = settings.client();
    if (client.secretFile().isBlank()) {
      return Optional.empty();
    }
    String text;
    try {
      text = Files.readString(Path.of(client.secretFile())).lines().findFirst().orElse("").strip();
    } catch (IOException e) {
      throw failure(
          "was not asked: %sclient.secret-file cannot be read: %s".formatted(OpenIdSettings.KEY, e),
          e);
    }
    ClientID id = new ClientID(client.id());
    List<ClientAuthenticationMethod> methods = metadata.getTokenEndpointAuthMethods();
    boolean post =
        methods != null
            && !methods.contains(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
            && methods.contains(ClientAuthenticationMethod.CLIENT_SECRET_POST);
    Secret secret = new Secret(text);
    return Optional.of(post ? new ClientSecretPost(id, secret) : new ClientSecretBasic(id, secret));
  }

  /// Checks signature, issuer, audience, times and nonce (OpenID Connect Core 1.0 §3.1.3.7).
  private IDTokenClaimsSet claims(JWT token, Nonce nonce) throws OpenIdException {
    IDTokenValidator validator =
        new IDTokenValidator(
            issuer.metadata().getIssuer(),
            new ClientID(settings.client().id()),
            new JWSVerificationKeySelector<>(ALGORITHMS, issuer),
            null);
    validator.setMaxClockSkew((int) settings.limits().clockSkew().toSeconds());
    try {
      return validator.validate(token, nonce);
    } catch (BadJOSEException | JOSEException | RuntimeException e) {
      throw failure("sent an ID token that is not valid: " + line(e.getMessage()), e);
    }
  }

  private Identity identity(IDTokenClaimsSet claims) throws OpenIdException {
    String subject = claims.getSubject().getValue();
    Object name = claims.getClaim(settings.claims().name());
    Object groups = claims.getClaim(settings.claims().groups());
    List<String> all =
        switch (groups) {
          case String one -> List.of(one);
          case List<?> many -> many.stream().map(String::valueOf).distinct().toList();
          case null, default -> List.of();
        };
    if (all.size() > settings.limits().groups()) {
      throw failure(
          "names %d groups, more than %d".formatted(all.size(), settings.limits().groups()), null);
    }
    String shown = name instanceof String text && !text.isBlank() ? text : subject;
    return new Identity(SOURCE, subject, cut(line(shown)), all);
  }

  private static String words(@Nullable ErrorObject error) {
    if (error == null) {
      return "it does not say why";
    }
    String description = error.getDescription();
    return line(error.getCode()) + (description == null ? "" : " (" + line(description) + ")");
  }

  private static String line(@Nullable String text) {
    return cut(String.valueOf(text).replaceAll("[\\p{Cntrl}\\s]+", " ").strip());
  }

  private static String cut(String text) {
    return text.length() <= LONGEST_NAME ? text : text.substring(0, LONGEST_NAME);
  }

  private OpenIdException failure(String what, @Nullable Throwable cause) {
    return OpenIdException.issuer(settings.issuer(), what, cause);
  }
}
