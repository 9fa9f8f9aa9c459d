@NullMarked
package io.coppice.app.doctor;

import org.jspecify.annotations.NullMarked;
