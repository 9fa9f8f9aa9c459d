/// Policies and what is kept for them: limits, schedules of snapshots, default policies. Begin with
/// [io.coppice.admin.policy.PolicyController].
@NullMarked
package io.coppice.admin.policy;

import org.jspecify.annotations.NullMarked;
