/// Changes that take two people: one asks, another one approves. Begin with
/// [io.coppice.vasa.approval.Approvals].
@NullMarked
package io.coppice.vasa.approval;

import org.jspecify.annotations.NullMarked;
