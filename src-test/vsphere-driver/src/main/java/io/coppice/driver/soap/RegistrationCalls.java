package io.coppice.driver.soap;

import java.util.List;

/// Registration and certificates, contract 5.1. Certificates and lists are PEM text.
public final class RegistrationCalls {
  private final Exchange exchange;

  RegistrationCalls(Exchange exchange) {
    this.exchange = exchange;
  }

  public ProviderInfo registerCACertificatesAndCRLs(
      String user, String password, List<String> roots, List<String> crls) {
    return exchange.one(
        "registerCACertificatesAndCRLs",
        ProviderInfo::of,
        x ->
            x.text("ns:providerUserName", user)
                .text("ns:providerPassword", password)
                .each("ns:caRootCert", roots)
                .each("ns:caCRL", crls));
  }

  public ProviderInfo registerVASACertificate(String user, String password, String certificate) {
    return exchange.one(
        "registerVASACertificate",
        ProviderInfo::of,
        x ->
            x.text("ns:userName", user)
                .text("ns:password", password)
                .text("ns:newCertificate", certificate));
  }

  public void unregisterVASACertificate(String certificate) {
    exchange.send("unregisterVASACertificate", x -> x.text("ns:existingCertificate", certificate));
  }

  public String requestCSR() {
    return exchange.ask("requestCSR", null).required("ns:return");
  }

  public void registerCASignedProviderCertificate(String certificate, boolean force) {
    exchange.send(
        "registerCASignedProviderCertificate",
        x -> x.text("ns:providerCert", certificate).text("ns:forceApply", force));
  }

  public void refreshCACertificatesAndCRLs(List<String> roots, List<String> crls) {
    exchange.send(
        "refreshCACertificatesAndCRLs", x -> x.each("ns:caRootCert", roots).each("ns:caCRL", crls));
  }

  public List<String> queryCACertificates() {
    return exchange.all("queryCACertificates", Xml::text, null);
  }

  public List<String> queryCACertificateRevocationLists() {
    return exchange.all("queryCACertificateRevocationLists", Xml::text, null);
  }
}
