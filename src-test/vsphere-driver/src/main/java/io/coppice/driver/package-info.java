/// Plays vCenter and ESXi against a VASA provider and its iSCSI target, over real TLS and TCP.
///
/// An independent check: nothing here shares a stub, a codec or a constant with what it tests.
/// Entry points are `vcenter.VCenter` and `esxi.EsxiHost`; `soap.VasaClient` and
/// `iscsi.IscsiSession` are the two wires below them.
///
/// Packages depend one way: `vcenter, esxi → soap, pki`; `esxi → scsi, iscsi`; `iscsi → scsi`.
@NullMarked
package io.coppice.driver;

import org.jspecify.annotations.NullMarked;
