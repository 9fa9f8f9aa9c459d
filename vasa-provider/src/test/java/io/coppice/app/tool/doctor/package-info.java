@NullMarked
package io.coppice.app.tool.doctor;

import org.jspecify.annotations.NullMarked;
