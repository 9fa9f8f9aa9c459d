/// Certificates as values and as files: PEM, the certificate that the VASA port serves, chains of
/// clients. Knows neither sessions nor the database. Entry points:
/// [io.coppice.vasa.certificate.ProviderCertificate], [io.coppice.vasa.certificate.ClientChain].
@NullMarked
package io.coppice.vasa.certificate;

import org.jspecify.annotations.NullMarked;
