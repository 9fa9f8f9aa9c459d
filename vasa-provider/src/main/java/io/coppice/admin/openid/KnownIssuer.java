package io.coppice.admin.openid;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import java.net.URI;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The authorization server: its addresses (OpenID Connect Discovery 1.0) and its keys.
final class KnownIssuer implements JWKSource<SecurityContext> {

  private static final String DISCOVERY = "/.well-known/openid-configuration";

  private final OpenIdSettings settings;
  private final IssuerCalls calls;
  private final Remembered<OIDCProviderMetadata> metadata;
  private final Remembered<JWKSet> keys;

  /// @param nanos a clock as [System#nanoTime]
  KnownIssuer(OpenIdSettings settings, IssuerCalls calls, LongSupplier nanos) {
    this.settings = settings;
    this.calls = calls;
    OpenIdSettings.Limits limits = settings.limits();
    this.metadata = new Remembered<>(this::readMetadata, limits.kept(), limits.renewal(), nanos);
    this.keys = new Remembered<>(this::readKeys, limits.kept(), limits.renewal(), nanos);
  }

  OIDCProviderMetadata metadata() throws OpenIdException {
    return metadata.get();
  }

  private OIDCProviderMetadata readMetadata() throws OpenIdException {
    String issuer = settings.issuer();
    String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    String text = calls.text(URI.create(base + DISCOVERY));
    OIDCProviderMetadata read;
    try {
      read = OIDCProviderMetadata.parse(text);
    } catch (ParseException | RuntimeException e) {
      throw failure("described itself in a way that cannot be read", e);
    }
    if (!read.getIssuer().getValue().equals(issuer)) {
      throw failure("calls itself %s".formatted(shown(read.getIssuer().getValue())), null);
    }
    if (read.getAuthorizationEndpointURI() == null
        || read.getTokenEndpointURI() == null
        || read.getJWKSetURI() == null) {
      throw failure("names no address for logins, tokens or keys", null);
    }
    return read;
  }

  private JWKSet readKeys() throws OpenIdException {
    String text = calls.text(metadata().getJWKSetURI());
    try {
      return JWKSet.parse(text).toPublicJWKSet();
    } catch (java.text.ParseException | RuntimeException e) {
      throw failure("sent keys that cannot be read", e);
    }
  }

  /// The keys that may have signed a token. If there is none among those that are known, the server
  /// may have a new one.
  @Override
  public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context)
      throws KeySourceException {
    try {
      List<JWK> known = selector.select(keys.get());
      return known.isEmpty() ? selector.select(keys.renewed()) : known;
    } catch (OpenIdException e) {
      throw new KeySourceException(e.getMessage(), e);
    }
  }

  private OpenIdException failure(String what, @Nullable Throwable cause) {
    return OpenIdException.issuer(settings.issuer(), what, cause);
  }

  private static String shown(String text) {
    String line = text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    return line.length() <= 200 ? line : line.substring(0, 200);
  }
}
