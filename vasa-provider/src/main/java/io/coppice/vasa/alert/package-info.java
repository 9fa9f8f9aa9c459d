/// Alerts: what needs a person. Begin with [AlertBoard], which has the list, and [AlertRounds],
/// which asks each [AlertSource] what is wrong.
@NullMarked
package io.coppice.vasa.alert;

import org.jspecify.annotations.NullMarked;
