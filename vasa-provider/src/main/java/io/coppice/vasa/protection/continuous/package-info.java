/// Continuous protection: the journals of volumes whose groups have a policy with a continuous
/// rule.
///
/// Begin with [io.coppice.vasa.protection.continuous.ContinuousProtection], which gives journals to
/// volumes and ends them; [io.coppice.vasa.protection.continuous.PointCuts] cuts their points, also
/// without the database. May depend on volumes and on the rules of protection.
@NullMarked
package io.coppice.vasa.protection.continuous;

import org.jspecify.annotations.NullMarked;
