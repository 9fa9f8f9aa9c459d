/// The REST API for administrators, under `/api/v1` of the management port; `docs/rest.md` is its
/// contract.
///
/// A request passes `ApiFilter` (who asks, how much, how often), `RoleCheck` (may they) and one
/// controller, which binds, calls one service and turns its result into a record of JSON. Every
/// failure becomes a problem in `ProblemTranslation`. Uses the services of `vasa..`, the engine's
/// and the LUN directory's API; nothing but `app` knows this package.
@NullMarked
package io.coppice.admin;

import org.jspecify.annotations.NullMarked;
