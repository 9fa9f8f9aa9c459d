/// Refusals of REST: [io.coppice.admin.problem.RequestRejectedException] is thrown,
/// [io.coppice.api.Problem] is the answer's body. Depends on no other package of `admin`.
@NullMarked
package io.coppice.admin.problem;

import org.jspecify.annotations.NullMarked;
