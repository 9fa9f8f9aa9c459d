/// Rules of data protection: when recovery points are due, and how long they are kept.
///
/// A leaf of values and pure functions, without rows and without a clock. Begin with
/// [io.coppice.vasa.protection.rule.ProtectionRules], which judges what is due and what expires.
/// May depend on the faults.
@NullMarked
package io.coppice.vasa.protection.rule;

import org.jspecify.annotations.NullMarked;
