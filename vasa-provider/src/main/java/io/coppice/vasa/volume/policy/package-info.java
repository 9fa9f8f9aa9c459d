/// Policies of volumes: changes of profile, compliance, limits. Begin with
/// [io.coppice.vasa.volume.policy.VolumePolicies].
@NullMarked
package io.coppice.vasa.volume.policy;

import org.jspecify.annotations.NullMarked;
