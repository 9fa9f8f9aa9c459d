/// Protection: policies of recovery points, the groups that they protect, and the points. Begin
/// with [io.coppice.admin.protection.ProtectionPolicyController].
@NullMarked
package io.coppice.admin.protection;

import org.jspecify.annotations.NullMarked;
