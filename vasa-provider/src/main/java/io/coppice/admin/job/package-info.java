/// Jobs: the tasks of the control plane as REST shows them, and the answer to a call that began
/// one. Begin with [io.coppice.admin.job.Jobs].
@NullMarked
package io.coppice.admin.job;

import org.jspecify.annotations.NullMarked;
