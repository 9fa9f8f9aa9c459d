/// A target to try programs against: not a test itself.
@org.jspecify.annotations.NullMarked
package io.coppice.scsi.testing;
