package io.coppice.vasa.certificate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateException;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.RSAPublicKeySpec;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The keys of signing requests that wait for their certificates, in one file, the newest last. A
/// further request, of the same requester or another, voids nobody's earlier request.
///
/// Not safe for several threads: [ProviderCertificate] guards it.
final class RequestKeys {

  /// Most keys of one requester that wait at a time; the oldest goes first.
  static final int MOST_OF_ONE = 4;

  /// Most keys of all requesters.
  static final int MOST = 32;

  private static final Logger log = LoggerFactory.getLogger(RequestKeys.class);
  private static final String END = "-----END PRIVATE KEY-----";
  private static final Pattern REQUESTER = Pattern.compile("requester: ([0-9a-f]+)");

  private final Path file;

  RequestKeys(Path file) {
    this.file = file;
  }

  /// @param requester hash of the requester's name; "" for a key of a version that did not keep it
  private record Waiting(String requester, PrivateKey key) {}

  /// Keeps a key; stable on return.
  void add(String requester, PrivateKey key) throws IOException {
    List<Waiting> all = new ArrayList<>(readable());
    String hash = hash(requester);
    all.add(new Waiting(hash, key));
    List<Waiting> own = all.stream().filter(each -> each.requester().equals(hash)).toList();
    all.removeAll(own.subList(0, Math.max(0, own.size() - MOST_OF_ONE)));
    write(all.subList(Math.max(0, all.size() - MOST), all.size()));
  }

  /// The key that a certificate is for.
  Optional<PrivateKey> of(PublicKey certified) throws IOException {
    return read().stream().map(Waiting::key).filter(key -> belong(key, certified)).findFirst();
  }

  /// Forgets a key; the others keep waiting.
  void remove(PrivateKey key) throws IOException {
    List<Waiting> left = read().stream().filter(each -> !each.key().equals(key)).toList();
    if (left.isEmpty()) {
      Files.deleteIfExists(file);
    } else {
      write(left);
    }
  }

  /// The waiting keys; none if the file is damaged, so that new requests can be made.
  private List<Waiting> readable() {
    try {
      return read();
    } catch (IOException e) {
      log.atWarn().addKeyValue("reason", e.getMessage()).log("keys of signing requests are lost");
      return List.of();
    }
  }

  private List<Waiting> read() throws IOException {
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException _) {
      return List.of();
    }
    List<Waiting> all = new ArrayList<>();
    for (String block : text.split("(?<=" + END + ")")) {
      if (!block.isBlank()) {
        all.add(waiting(block));
      }
    }
    return all;
  }

  private Waiting waiting(String block) throws IOException {
    try {
      Matcher requester = REQUESTER.matcher(block);
      return new Waiting(requester.find() ? requester.group(1) : "", Pem.privateKey(block));
    } catch (CertificateException e) {
      throw new IOException(file + " holds something that is no key", e);
    }
  }

  private void write(List<Waiting> all) throws IOException {
    var text = new StringBuilder();
    for (Waiting each : all) {
      if (!each.requester().isEmpty()) {
        text.append("requester: ").append(each.requester()).append('\n');
      }
      text.append(Pem.of(each.key()));
    }
    SecretFile.write(file, text.toString().strip());
  }

  private static boolean belong(PrivateKey key, PublicKey certified) {
    try {
      if (!(key instanceof RSAPrivateCrtKey rsa)) {
        return false;
      }
      var spec = new RSAPublicKeySpec(rsa.getModulus(), rsa.getPublicExponent());
      return KeyFactory.getInstance("RSA").generatePublic(spec).equals(certified);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String hash(String requester) {
    try {
      byte[] text = requester.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
