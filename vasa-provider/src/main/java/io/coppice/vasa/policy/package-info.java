/// Storage policies (SPBM): the capability schema, storage profiles, and their requirements of a
/// virtual volume.
///
/// [io.coppice.vasa.policy.Capabilities] contains what is offered and turns a profile into
/// [io.coppice.vasa.policy.Requirements]; [io.coppice.vasa.policy.Profiles] keeps the profiles that
/// the array offers. Only what is enforced is advertised. Knows nothing of volumes: their
/// compliance is judged in `vasa.volume.policy`.
@NullMarked
package io.coppice.vasa.policy;

import org.jspecify.annotations.NullMarked;
