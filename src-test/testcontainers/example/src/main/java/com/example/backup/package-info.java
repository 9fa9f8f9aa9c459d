/// A small backup tool for vVols. It knows the REST API of Coppice and some iSCSI initiator, and
/// nothing of the containers that its tests run against.
package com.example.backup;
