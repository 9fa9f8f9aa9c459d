/// The REST API for administrators, under `/api/v1` of the management port; `docs/rest.md` is its
/// contract. This package holds what REST asks of the application that wires it.
///
/// A request passes `request.ApiFilter` (its caller, its size), `request.RoleCheck` (its
/// permission) and one controller, which binds, calls one service and turns its result into a
/// record of JSON. Every failure becomes a problem in `request.ProblemTranslation`. Controllers
/// stand in rooms by resource, such as `volume`, `protection` and `host`. They share `list`,
/// `field`, `edition`, `problem` and `access`. `health` and `metrics` stand beside the API: the one
/// needs no token, the other speaks no JSON. Nothing but `app` knows these packages.
@NullMarked
package io.coppice.admin;

import org.jspecify.annotations.NullMarked;
