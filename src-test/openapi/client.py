"""The life of a volume through the client that openapi-python-client generates.

    client.py URL TOKEN_FILE ROOT_CERTIFICATE

The generated package coppice_client must be importable. Every answer must be one of the client's own types: a call
that answers what the description does not say returns None, and fails here.
"""

import ssl
import sys

from coppice_client import AuthenticatedClient, models
from coppice_client.api.containers import create_container, delete_container, get_container
from coppice_client.api.exports import create_export, delete_export, list_exports
from coppice_client.api.policies import create_policy, delete_policy
from coppice_client.api.snapshots import clone_snapshot, create_vvol_snapshot, delete_snapshot, list_snapshots
from coppice_client.api.system import get_system, get_version
from coppice_client.api.volumes import create_volume, delete_volume, get_volume, list_volumes, update_volume

MIB = 1 << 20
INITIATOR = "iqn.1998-01.com.vmware:esx1"

calls = 0


def call(operation, kind, *arguments, **named):
    """The typed answer of an operation; what is of another type is an error."""
    global calls
    calls += 1
    answer = operation.sync_detailed(*arguments, client=client, **named)
    if kind is None:
        if answer.status_code != 204:
            raise SystemExit(f"expected 204 of {operation.__name__}, got {answer.status_code}: {answer.content!r}")
        return None
    if not isinstance(answer.parsed, kind):
        raise SystemExit(f"expected {kind.__name__} of {operation.__name__}, got {answer.parsed}: {answer.content!r}")
    return answer.parsed


def expect(what, found, wanted):
    if found != wanted:
        raise SystemExit(f"expected {what} {wanted!r}, got {found!r}")


url, token_file, root = sys.argv[1:]
with open(token_file, encoding="ascii") as file:
    token = file.read().strip()
client = AuthenticatedClient(base_url=url, token=token, verify_ssl=ssl.create_default_context(cafile=root))

expect("the API", call(get_version, models.SoftwareVersion).api, "v1")
expect("a pool that", call(get_system, models.SystemState).status.stopped, False)

container = call(create_container, models.Container, body=models.NewContainer(name="client", quota=1024 * MIB))
draft = models.NewPolicy(name="client", space_efficiency=models.NewPolicySpaceEfficiencyType0.THIN, max_iops=5000)
policy = call(create_policy, models.Policy, body=draft)
expect("the bandwidth", policy.max_bandwidth, None)
volume = call(
    create_volume,
    models.Vvol,
    body=models.NewPlainVolume(name="disk", size=64 * MIB, container=container.id, policy=policy.id),
)
expect("the policy", volume.policy.id, str(policy.id))
expect("no virtual machine", volume.vm, None)
expect("the size", call(update_volume, models.Vvol, volume.id, body=models.VolumeChange(size=128 * MIB)).size, 128 * MIB)
expect("the volume", call(list_volumes, models.VvolPage, container=container.id).items[0].id, volume.id)

job = call(create_vvol_snapshot, models.Job, volume.id, body=models.Named(name="before"), wait="10s")
expect("the state", job.state, "success")
snapshot = job.result.id
expect("the kind", call(list_snapshots, models.SnapshotPage, vvol=volume.id).items[0].kind, "manual")
clone = call(clone_snapshot, models.Job, snapshot, body=models.Named(name="copy"), wait="10s").result.id
expect("the name", call(get_volume, models.Vvol, clone).name, "copy")
labels = models.NewPlainVolumeLabelsType0.from_dict({"app": "client"})
draft = models.NewPlainVolume(name="larger", source=volume.id, size=256 * MIB, labels=labels)
larger = call(create_volume, models.Vvol, body=draft)
expect("the size", larger.size, 256 * MIB)
labelled = call(list_volumes, models.VvolPage, label=["app=client", "app"])
expect("the labelled volume", [one.id for one in labelled.items], [larger.id])
change = models.VolumeChange(labels=models.VolumeChangeLabelsType0.from_dict({"app": None, "tier": "gold"}))
expect("the labels", call(update_volume, models.Vvol, larger.id, body=change).labels.to_dict(), {"tier": "gold"})
call(delete_volume, None, larger.id, purge=True)

export = call(create_export, models.PlainUnit, body=models.NewExport(vvol=clone, initiators=[INITIATOR]))
expect("the initiators", export.initiators, [INITIATOR])
exports = call(list_exports, models.PlainUnitPage, limit=1000).items
expect("the export", [one.lun for one in exports if one.vvol == clone], [export.lun])
expect("a refusal", call(delete_volume, models.Problem, clone).code, "in-use")

call(delete_export, models.EndedExport, clone)
call(delete_volume, None, clone, purge=True)
call(delete_snapshot, None, snapshot, purge=True)
call(delete_volume, None, volume.id, purge=True)
call(delete_policy, None, policy.id)
call(delete_container, None, container.id)
expect("a refusal", call(get_container, models.Problem, container.id).code, "not-found")
print(f"{calls} calls of the generated client, each with a typed answer")
