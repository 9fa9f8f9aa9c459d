/// Limits and fair shares of volumes: how many I/Os and how many bytes a second each may have, and
/// who comes next where several share one limit.
///
/// [io.coppice.engine.qos.VolumeQos] says how a volume's settings stand in its attributes;
/// [io.coppice.engine.qos.FairQueues] holds back what comes too fast. Knows nothing of SCSI and
/// nothing of the log: whoever takes I/Os from outside asks here first, and calls the volume when
/// the I/O is admitted. Depends on the JDK alone.
@NullMarked
package io.coppice.engine.qos;

import org.jspecify.annotations.NullMarked;
