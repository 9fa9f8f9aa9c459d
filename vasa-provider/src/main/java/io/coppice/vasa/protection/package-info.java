/// Protection: policies of recovery points, the groups that they protect, and the carrying out.
///
/// Begin with [io.coppice.vasa.protection.ProtectionPolicies] and
/// [io.coppice.vasa.protection.ProtectedGroups]; [io.coppice.vasa.protection.ProtectionRounds]
/// takes what is due and deletes what nothing keeps. Points are in
/// [io.coppice.vasa.protection.RecoveryPoints]. May depend on volumes and their snapshots.
@NullMarked
package io.coppice.vasa.protection;

import org.jspecify.annotations.NullMarked;
