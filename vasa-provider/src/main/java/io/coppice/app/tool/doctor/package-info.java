/// The doctor. It looks at a provider from the outside and reports in one sentence why it is
/// offline, or would be: [io.coppice.app.tool.doctor.DoctorCommand]. It changes nothing and prints
/// no secret.
///
/// A [io.coppice.app.tool.doctor.Check] looks at one topic of a
/// [io.coppice.app.tool.doctor.DoctorSubject] and reports what it saw; the failure whose
/// [io.coppice.app.tool.doctor.Cause] comes first explains those that come later. The subject knows
/// no check.
@NullMarked
package io.coppice.app.tool.doctor;

import org.jspecify.annotations.NullMarked;
