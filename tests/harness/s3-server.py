"""
One node of OpenStack Swift that speaks S3, in one process, for as long as its standard input is
open: Debian's packages swift-proxy, -account, -container and -object. It prints "ready" once it
listens.

s3-server.py FOLDER PORT ACCOUNT USER KEY: data goes into FOLDER, whose file system needs extended
attributes; PORT of 127.0.0.1 speaks S3, with ACCOUNT:USER and KEY as its credentials.
"""

import json
import os
import sys

import eventlet

eventlet.monkey_patch()

from swift.common.ring import RingBuilder  # noqa: E402
from swift.common import utils, wsgi  # noqa: E402

folder, port, account, user, key = sys.argv[1:]
DEFAULTS = f"""
[DEFAULT]
swift_dir = {folder}
devices = {folder}
mount_check = false
disable_fallocate = true
fallocate_reserve = 0
log_level = ERROR
"""
SWIFT = """
[swift-hash]
swift_hash_path_suffix = test
"""
PROXY = f"""
{DEFAULTS}
[pipeline:main]
pipeline = catch_errors s3api tempauth bulk slo proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
allow_no_owner = true
cors_preflight_allow_origin = *
check_bucket_owner = false
min_segment_size = 5242880
[filter:tempauth]
use = egg:swift#tempauth
user_{account}_{user} = {key} .admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
cors_allow_origin = *
strict_cors_mode = false
allow_account_management = true
"""


def storage(name):
    return f"{DEFAULTS}\n[app:main]\nuse = egg:swift#{name}\n"


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


class Cache:
    """In place of memcached: what is known of the account and of its buckets."""

    known = {}

    def get(self, key, **_):
        return json.loads(self.known.get(key, "null"))

    def set(self, key, value, **_):
        self.known[key] = json.dumps(value)

    def delete(self, key, **_):
        self.known.pop(key, None)


def serve(name, text, sock):
    app = wsgi.loadapp(write(f"{name}.conf", text))

    def handle(env, start_response):
        env["swift.cache"] = Cache()
        return app(env, start_response)

    eventlet.spawn(eventlet.wsgi.server, sock, handle, wsgi_logger, debug=False)


os.makedirs(os.path.join(folder, "d1"))
wsgi_logger = wsgi.NullLogger()
utils.SWIFT_CONF_FILE = write("swift.conf", SWIFT)
utils.validate_hash_conf()
servers = {}
for name in ["account", "container", "object"]:
    sock = eventlet.listen(("127.0.0.1", 0))
    ring = RingBuilder(1, 1, 0)
    device = {"id": 0, "region": 1, "zone": 1, "weight": 1, "device": "d1"}
    ring.add_dev({**device, "ip": "127.0.0.1", "port": sock.getsockname()[1]})
    ring.rebalance()
    ring.get_ring().save(os.path.join(folder, f"{name}.ring.gz"))
    servers[name] = sock
for name, sock in servers.items():
    serve(name, storage(name), sock)
serve("proxy", PROXY, eventlet.listen(("127.0.0.1", int(port))))
print("ready", flush=True)
eventlet.tpool.execute(sys.stdin.read)
