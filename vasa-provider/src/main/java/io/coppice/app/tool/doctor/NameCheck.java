package io.coppice.app.tool.doctor;

import io.coppice.vasa.verdict.Cause;
import io.coppice.vasa.verdict.Report;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Optional;

/// The check of the name in vCenter's URL: it leads to this machine, and back.
final class NameCheck implements Check {

  @Override
  public void look(DoctorSubject site, Report report) {
    Optional<String> inUrl = site.nameInUrl();
    if (inUrl.isPresent()) {
      resolve(inUrl.get(), site, report);
      return;
    }
    try {
      InetAddress own = InetAddress.getLocalHost();
      report.ok("dns", "this machine is %s (%s)", own.getHostName(), own.getHostAddress());
    } catch (UnknownHostException e) {
      report.warn(
          "dns",
          "the name of this machine does not resolve: %s; give the one that vCenter uses with"
              + " --name",
          String.valueOf(e.getMessage()));
    }
  }

  private static void resolve(String name, DoctorSubject site, Report report) {
    try {
      InetAddress address = InetAddress.getByName(name);
      if (isOfThisMachine(address) || leadsHere(name, site)) {
        report.ok("dns", "%s leads here, to %s", name, address.getHostAddress());
        reverse(name, address, report);
      } else {
        report.fail(
            "dns",
            Cause.DNS,
            "The name %s leads to %s, which is not this machine."
                .formatted(name, address.getHostAddress()),
            "correct the name service, or give with --name the name that vCenter uses.");
      }
    } catch (UnknownHostException e) {
      report.fail(
          "dns",
          Cause.DNS,
          "The name %s does not resolve.".formatted(name),
          "enter it in the name service, or give with --name (coppice.tls.names) the name that"
              + " vCenter uses.");
    }
  }

  private static boolean isOfThisMachine(InetAddress address) {
    try {
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return false;
    }
  }

  /// Whether an address translation leads here: the server there shows our certificate.
  private static boolean leadsHere(String name, DoctorSubject site) {
    if (!site.running() || site.settings().vasa().port() == 0) {
      return false;
    }
    try {
      var there = new ServerAddress(name, site.settings().vasa().port());
      TlsAnswer answer = TlsAnswer.ask(there, "GET", "/vasa/version.xml", java.util.List.of());
      return answer.leaf().equals(site.served().leaf());
    } catch (IOException e) {
      return false;
    }
  }

  private static void reverse(String name, InetAddress address, Report report) {
    String back = address.getCanonicalHostName();
    boolean literal = name.equals(address.getHostAddress());
    boolean unknown = back.equals(address.getHostAddress());
    if (unknown && !literal) {
      report.warn("dns", "%s has no name of its own (reverse look-up)", address.getHostAddress());
    } else if (!literal && !back.equalsIgnoreCase(name) && !address.isLoopbackAddress()) {
      report.warn("dns", "%s leads back to %s, not to %s", address.getHostAddress(), back, name);
    }
  }
}
