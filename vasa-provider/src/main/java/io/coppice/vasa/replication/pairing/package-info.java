/// The pairing of two pools: a code that is shown at one and typed at the other one makes each know
/// who the other is.
///
/// The pool that shows the code makes an *authority* for this one pair. It signs a certificate for
/// each of the two; their links trust certificates of that authority alone, and each end holds the
/// name in the certificate against the pool that it expects. Whoever ends the pairing forgets the
/// authority, and with it every certificate.
///
/// Begin with [io.coppice.vasa.replication.pairing.Pairing].
@NullMarked
package io.coppice.vasa.replication.pairing;

import org.jspecify.annotations.NullMarked;
