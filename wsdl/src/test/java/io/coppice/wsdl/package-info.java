@NullMarked
package io.coppice.wsdl;

import org.jspecify.annotations.NullMarked;
