/// The demo: starts a provider on a throw-away pool and takes a virtual machine through its whole
/// life, over real TLS, SOAP, REST and iSCSI, with a kill -9 in the middle.
///
/// It knows the provider only as a process and by its wires; [io.coppice.demo.Demo] is the entry
/// point.
@NullMarked
package io.coppice.demo;

import org.jspecify.annotations.NullMarked;
