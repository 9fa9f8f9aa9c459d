"""What the fuzzer does with a request before it sends it: else most requests would name what is not there."""

import itertools
import os
import re
import uuid

import requests
import schemathesis

KEY = "Idempotency-Key"
CONDITIONS = ("If-Match", "If-None-Match")
TAGS = re.compile(r'\*|([ \t]*,)*[ \t]*(W/)?"[!#-~]*"([ \t]*,([ \t]*(W/)?"[!#-~]*")?)*')
MIB = 1 << 20
numbers = itertools.count()
api = requests.Session()
api.headers["Authorization"] = "Bearer " + os.environ["COPPICE_TOKEN"]
api.verify = os.environ["COPPICE_ROOT"]
api.trust_env = False  # which may name other certificates


def call(method, path, body=None):
    answer = api.request(method, f"{os.environ['COPPICE_URL']}/api/v1/{path}", json=body, timeout=60)
    answer.raise_for_status()
    return answer.json()


def existing(kind):
    """The id of an object of a list, which is made if the list is empty."""
    items = call("GET", f"{kind}?limit=1")["items"]
    if items:
        return items[0]["vvol" if kind == "exports" else "id"]
    name = f"fuzz-{next(numbers)}"
    if kind == "containers":
        return call("POST", kind, {"name": name, "quota": 1024 * MIB})["id"]
    if kind == "volumes":
        # One of its own: the others may have a quota that is too small.
        container = call("POST", "containers", {"name": name, "quota": 1024 * MIB})["id"]
        return call("POST", kind, {"name": name, "size": 16 * MIB, "container": container})["id"]
    if kind == "policies":
        return call("POST", kind, {"name": name, "maxIops": 1000})["id"]
    if kind == "exports":
        volume = existing("volumes")
        call("POST", kind, {"vvol": volume, "initiators": ["iqn.1998-01.com.vmware:esx1"]})
        return volume
    return call("POST", f"vvols/{existing('volumes')}/snapshots?wait=10s", {"name": name})["result"]["id"]


def is_id(value):
    try:
        return str(uuid.UUID(value)) == value
    except (AttributeError, TypeError, ValueError):
        return False


def named_in_path(path):
    kind = path.removeprefix("/api/v1/").split("/")[0]
    lists = {"vvols": "volumes", "volumes": "volumes", "schedules": "volumes"}
    known = ("containers", "exports", "policies", "snapshots")
    return lists.get(kind, kind if kind in known else None)


def second_part(path, sort):
    """The cursor of a list's second part in an order; none if it is not there, or has one part."""
    order = {"sort": sort} if sort else {}
    answer = api.get(f"{os.environ['COPPICE_URL']}{path}", params={"limit": 1, **order}, timeout=60)
    return answer.json().get("next") if answer.ok else None


@schemathesis.hook
def before_call(context, case, kwargs):
    """Makes a valid key unique, and has every second request name what exists: objects and their tags."""
    key = (case.headers or {}).get(KEY)
    if isinstance(key, str) and key.strip() and len(key) <= 150:
        # A key that came with another request is refused, whatever the rest of this one is.
        case.headers[KEY] = f"{key.strip()}-{os.getpid()}-{next(numbers)}"
    if "cursor" in (case.query or {}) and case.path != "/api/v1/events" and case.meta.generation.mode.is_positive:
        case.query.pop("cursor")
        cursor = second_part(case.formatted_path, case.query.get("sort"))
        if cursor:
            case.query["cursor"] = cursor
    for condition in CONDITIONS:
        text = (case.headers or {}).get(condition)
        if text is not None and case.meta.generation.mode.is_positive and not TAGS.fullmatch(str(text)):
            # The fuzzer finds no valid value for some requests that are to be valid, and takes an invalid one.
            del case.headers[condition]
    if next(numbers) % 2:
        return
    if CONDITIONS[0] in (case.headers or {}) and TAGS.fullmatch(str(case.headers[CONDITIONS[0]])):
        # No tag that is made up is the one of an object.
        case.headers[CONDITIONS[0]] = "*"
    kind = named_in_path(case.path)
    for name in ("id", "vvol"):
        if kind and is_id((case.path_parameters or {}).get(name)):
            case.path_parameters[name] = existing(kind)
    if isinstance(case.body, dict):
        for name, listed in {"container": "containers", "vvol": "volumes", "source": "volumes", "policy": "policies"}.items():
            if is_id(case.body.get(name)):
                case.body[name] = existing(listed)
        if isinstance(case.body.get("volumes"), list) and all(map(is_id, case.body["volumes"])) and case.body["volumes"]:
            case.body["volumes"] = [existing("volumes")]
