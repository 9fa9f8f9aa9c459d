/// Alarms: what is looked at in each round, and the state that was found. Entry point:
/// [io.coppice.vasa.alarm.AlarmWatch]. The rows of alarms stand in `vasa.event`.
@NullMarked
package io.coppice.vasa.alarm;

import org.jspecify.annotations.NullMarked;
