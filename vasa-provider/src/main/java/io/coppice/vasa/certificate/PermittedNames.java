package io.coppice.vasa.certificate;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralSubtree;
import org.bouncycastle.asn1.x509.NameConstraints;

/// The names that a root may sign for (name constraints, RFC 5280 §4.2.1.10): host names with all
/// names below them, and single addresses. So a client that trusts our root trusts it for this
/// provider only.
final class PermittedNames {

  /// A domain without hosts (RFC 6761 §6.4). An empty name would exclude all hosts, but Java
  /// clients fail over it.
  private static final String NO_HOST = "invalid";

  private PermittedNames() {}

  /// @param names host names and addresses; a kind without any is not permitted at all
  /// @throws IllegalArgumentException if one is neither
  static NameConstraints of(List<String> names) {
    List<GeneralSubtree> permitted = new ArrayList<>();
    List<GeneralSubtree> excluded = new ArrayList<>();
    for (String name : names) {
      permitted.add(
          new GeneralSubtree(
              isAddress(name)
                  ? single(name)
                  : new GeneralName(GeneralName.dNSName, name.toLowerCase(Locale.ROOT))));
    }
    if (names.stream().allMatch(PermittedNames::isAddress)) {
      permitted.add(new GeneralSubtree(new GeneralName(GeneralName.dNSName, NO_HOST)));
    }
    for (int length : new int[] {4, 16}) {
      if (names.stream().noneMatch(name -> isAddress(name) && bytes(name).length == length)) {
        excluded.add(
            new GeneralSubtree(
                new GeneralName(GeneralName.iPAddress, new DEROctetString(new byte[2 * length]))));
      }
    }
    return new NameConstraints(
        permitted.toArray(GeneralSubtree[]::new), excluded.toArray(GeneralSubtree[]::new));
  }

  /// Whether a root of ours may sign for a name. A root without constraints may for any.
  static boolean permits(X509Certificate root, String name) {
    byte[] extension = root.getExtensionValue(Extension.nameConstraints.getId());
    if (extension == null) {
      return true;
    }
    NameConstraints constraints =
        NameConstraints.getInstance(ASN1OctetString.getInstance(extension).getOctets());
    return Arrays.stream(constraints.getPermittedSubtrees())
        .anyMatch(subtree -> covers(subtree.getBase(), name));
  }

  private static boolean covers(GeneralName permitted, String name) {
    if (isAddress(name)) {
      return permitted.getTagNo() == GeneralName.iPAddress
          && Arrays.equals(octets(permitted), octets(single(name)));
    }
    if (permitted.getTagNo() != GeneralName.dNSName) {
      return false;
    }
    String base = permitted.getName().toString();
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.equals(base) || lower.endsWith("." + base);
  }

  private static byte[] octets(GeneralName address) {
    return ASN1OctetString.getInstance(address.getName()).getOctets();
  }

  /// An address with a mask that leaves no other address.
  private static GeneralName single(String address) {
    byte[] bytes = bytes(address);
    byte[] masked = Arrays.copyOf(bytes, 2 * bytes.length);
    Arrays.fill(masked, bytes.length, masked.length, (byte) 0xff);
    return new GeneralName(GeneralName.iPAddress, new DEROctetString(masked));
  }

  private static byte[] bytes(String address) {
    try {
      return InetAddress.getByName(address).getAddress(); // a literal: nothing is looked up
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("expected an address, got \"%s\"".formatted(address), e);
    }
  }

  /// Whether it is an address and no host name.
  static boolean isAddress(String name) {
    return name.contains(":") || name.matches("[0-9.]+");
  }
}
