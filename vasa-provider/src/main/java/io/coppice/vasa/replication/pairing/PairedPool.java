package io.coppice.vasa.replication.pairing;

import io.coppice.replication.PoolName;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.ServedCertificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A pool that this one is paired with.
///
/// @param pool who it is
/// @param address host and port of its links
/// @param paired when
/// @param own this pool's key and certificate for links with it
/// @param authority certificate of the pair's authority
/// @param issuer that authority with its key, at the end that made it
public record PairedPool(
    PoolName pool,
    String address,
    Instant paired,
    ServedCertificate own,
    X509Certificate authority,
    @Nullable Issuer issuer) {}
