/// Certificates as vCenter's authority makes them, and what each side trusts.
///
/// Entry points: [io.coppice.driver.pki.CertificateAuthority], [io.coppice.driver.pki.ServerTrust].
@NullMarked
package io.coppice.driver.pki;

import org.jspecify.annotations.NullMarked;
