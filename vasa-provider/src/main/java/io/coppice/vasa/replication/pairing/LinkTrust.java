package io.coppice.vasa.replication.pairing;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.StandardConstants;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/// The trust of links: what each end shows, and whom it believes.
///
/// Each pair of pools has an authority of its own. So the end that is called must know who calls
/// before it shows a certificate: the caller says its pool as the name of the server (RFC 6066 §3).
/// It says no more than that; who does not hold the key of that pool's certificate is refused.
public final class LinkTrust {

  /// RFC 6761: nobody can own such a name.
  private static final String DOMAIN = ".replication.invalid";

  private LinkTrust() {}

  /// A context for links with some peers: with each it shows this pool's certificate of the pair,
  /// and it trusts the authorities of these pairs alone.
  public static SSLContext with(Collection<PairedPool> peers) {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      Map<String, PairedPool> byName = new LinkedHashMap<>();
      for (PairedPool peer : peers) {
        String alias = peer.pool().id().toString();
        trusted.setCertificateEntry(alias, peer.authority());
        byName.put(alias, peer);
      }
      TrustManagerFactory believed = TrustManagerFactory.getInstance("PKIX");
      believed.init(trusted);
      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(
          new KeyManager[] {new Shown(byName)},
          byName.isEmpty() ? null : believed.getTrustManagers(),
          null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("the certificates of links cannot be used", e);
    }
  }

  /// The name of the server that a pool says when it calls.
  public static SNIHostName nameOf(UUID pool) {
    return new SNIHostName(pool + DOMAIN);
  }

  /// Whether a certificate is the one of a peer: its own authority signed it, for that pool.
  public static boolean isOf(X509Certificate certificate, PairedPool peer) {
    try {
      certificate.verify(peer.authority().getPublicKey());
    } catch (GeneralSecurityException e) {
      return false;
    }
    return new X500Principal("CN=" + peer.pool().id() + ",O=Coppice")
        .equals(certificate.getSubjectX500Principal());
  }

  /// The keys that are shown, by the id of the peer.
  private static final class Shown extends X509ExtendedKeyManager {

    private final Map<String, PairedPool> peers;

    Shown(Map<String, PairedPool> peers) {
      this.peers = peers;
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
      if (!(socket instanceof SSLSocket tls)
          || !(tls.getHandshakeSession() instanceof ExtendedSSLSession session)) {
        return null;
      }
      return session.getRequestedServerNames().stream()
          .filter(name -> name.getType() == StandardConstants.SNI_HOST_NAME)
          .map(Shown::alias)
          .filter(alias -> peers.containsKey(alias) && keyType.startsWith("RSA"))
          .findFirst()
          .orElse(null);
    }

    private static String alias(SNIServerName name) {
      String text = new SNIHostName(name.getEncoded()).getAsciiName();
      return text.endsWith(DOMAIN) ? text.substring(0, text.length() - DOMAIN.length()) : text;
    }

    /// A context that calls has one peer.
    @Override
    public @Nullable String chooseClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return peers.size() == 1 && List.of(keyTypes).stream().anyMatch(it -> it.startsWith("RSA"))
          ? peers.keySet().iterator().next()
          : null;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
      PairedPool peer = peers.get(alias);
      return peer == null ? null : peer.own().chain().toArray(new X509Certificate[0]);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
      PairedPool peer = peers.get(alias);
      return peer == null ? null : peer.own().key();
    }

    @Override
    public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return peers.keySet().toArray(new String[0]);
    }

    @Override
    public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      return peers.keySet().toArray(new String[0]);
    }
  }
}
