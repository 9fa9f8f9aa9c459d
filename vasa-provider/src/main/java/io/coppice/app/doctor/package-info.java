/// Looks at a provider from the outside and says in one sentence why it is offline, or would be:
/// [io.coppice.app.doctor.DoctorCommand]. It changes nothing and prints no secret.
///
/// A [io.coppice.app.doctor.Check] looks at one topic and reports what it saw; the failure whose
/// [io.coppice.app.doctor.Cause] comes first explains those that come later.
@NullMarked
package io.coppice.app.doctor;

import org.jspecify.annotations.NullMarked;
