/// The iSCSI wire format (RFC 7143 §11): PDUs as values, their decoder and encoder, digests and
/// text.
///
/// Begin with [io.coppice.iscsi.pdu.PduReader], which takes bytes as they come and hands out
/// finished [io.coppice.iscsi.pdu.InitiatorPdu]s. [io.coppice.iscsi.pdu.PduEncoder] turns a
/// [io.coppice.iscsi.pdu.TargetPdu] into a header. Nothing here opens a socket or keeps a session.
/// Depends on no other package of Coppice.
@NullMarked
package io.coppice.iscsi.pdu;

import org.jspecify.annotations.NullMarked;
